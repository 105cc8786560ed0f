/** Calls of the client's tools -> neutral events: names restored, freeform inputs unwrapped while they arrive. */
import type { ReadContext } from "../../core/format.ts";
import { freeformReader, type FreeformReader } from "../../core/freeform.ts";
import { asString, isObject, type JsonObject } from "../../lib/json.ts";
import { rest, type Blocks } from "./read-blocks.ts";
import type { PieceReader } from "./read-items.ts";

export function callReader(
  type: "function_call" | "custom_tool_call",
  at: { blocks: Blocks; context: ReadContext; spare: string },
): PieceReader {
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

  const open = (head: JsonObject): void => {
    const wire = asString(head["name"]) ?? "";
    if (opened || wire === "") return;
    opened = true;
    const { name, call, namespace } = context.names.fromWire(wire);
    const space = namespace ?? asString(head["namespace"]) ?? "";
    key = blocks.open({
      kind: "call",
      id: firstOf(asString(head["call_id"]), asString(head["id"])) ?? at.spare,
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
      open(whole);
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
