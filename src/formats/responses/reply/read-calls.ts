/** Calls of the client's tools -> neutral events: names restored, freeform inputs unwrapped while they arrive. */
import { freeformReader, type FreeformReader } from "../../../translation/freeform.ts";
import { asString, isObject, type JsonObject } from "../../../lib/json.ts";
import { rest } from "./event-collector.ts";
import type { ItemPlace, PieceReader } from "./read-item.ts";

/** What a call without a name is heard as: the client then tells the model that there is no such tool. */
const nameless = "unknown_tool";

export function callReader(type: "function_call" | "custom_tool_call", at: ItemPlace): PieceReader {
  const { blocks, context } = at;
  const native = type === "custom_tool_call";
  /** Wire input so far, and what of it waits for the call's name. */
  let input = "";
  let held = "";
  /** Input that the head brought, in case that nothing brings it again. */
  let initial = "";
  let key: number | undefined;
  let opened = false;
  let freeform: FreeformReader | undefined;

  const pass = (text: string): void => {
    if (key === undefined) {
      held += text;
      return;
    }
    const decoded = freeform ? freeform.feed(text) : text;
    if (decoded !== "") blocks.add({ kind: "delta", key, text: decoded });
  };

  const add = (text: string): void => {
    if (text === "") return;
    input += text;
    pass(text);
  };

  /** Each id once in an answer. */
  const idOf = (head: JsonObject): string => {
    const given = firstOf(asString(head["call_id"]), asString(head["id"])) ?? at.spare;
    const id = at.taken.has(given) ? at.spare : given;
    at.taken.add(id);
    return id;
  };

  const open = (head: JsonObject, otherwise = ""): void => {
    const wire = firstOf(asString(head["name"])) ?? otherwise;
    if (opened || wire === "") return;
    opened = true;
    const { name, call, namespace } = context.names.fromWire(wire);
    const space = namespace ?? asString(head["namespace"]) ?? "";
    key = blocks.open({
      kind: "call",
      id: idOf(head),
      name,
      ...(space !== "" && { namespace: space }),
      call: native ? "custom" : call,
    });
    if (call === "custom" && !native) freeform = freeformReader();
    const waiting = held;
    held = "";
    pass(waiting);
  };

  const inputOf = (item: JsonObject): string => {
    const value = item[native ? "input" : "arguments"];
    return isObject(value) ? JSON.stringify(value) : (asString(value) ?? "");
  };

  return {
    begin(head) {
      initial = inputOf(head);
      open(head);
    },
    input: add,
    finish(whole) {
      open(whole, nameless);
      add(rest(input, inputOf(whole)));
    },
    close() {
      if (key === undefined) return;
      add(rest(input, initial));
      const tail = freeform?.end() ?? "";
      if (tail !== "") blocks.add({ kind: "delta", key, text: tail });
      blocks.add({ kind: "close", key });
      key = undefined;
    },
    calls: () => opened,
  };
}

function firstOf(...texts: (string | undefined)[]): string | undefined {
  return texts.find((text) => text !== undefined && text !== "");
}
