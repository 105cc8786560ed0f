/** Reads a call of a client's tool: restores the tool's name, and unwraps freeform input while it arrives. */
import { asFilledString, asString, isObject, type JsonObject } from "../../../lib/json.ts";
import { freeformReader, type FreeformReader } from "../../../translation/freeform.ts";
import { missingText, type ItemContext, type ItemReader } from "./item-reader.ts";

/** Types of the items that are calls of a client's tools. */
export type CallType = "function_call" | "custom_tool_call";

/** Whether items of that type are calls that the client answers. */
export function isCall(type: string): type is CallType {
  return type === "function_call" || type === "custom_tool_call";
}

/** The name that a call without one gets: the client then tells the model that there is no such tool. */
const unknownTool = "unknown_tool";

/** A reader of one call. */
export function callReader(type: CallType, item: ItemContext): ItemReader {
  const { events, context } = item;
  const isCustom = type === "custom_tool_call";
  /** Wire input so far, and what of it waits for the call's name. */
  let input = "";
  let waiting = "";
  /** Input that the announced item had; it counts if nothing brings it again. */
  let initialInput = "";
  let key: number | undefined;
  let isOpened = false;
  let freeform: FreeformReader | undefined;

  const emitInput = (text: string): void => {
    if (key === undefined) {
      waiting += text;
      return;
    }
    const decoded = freeform ? freeform.feed(text) : text;
    if (decoded !== "") events.add({ kind: "delta", key, text: decoded });
  };
  const addInput = (text: string): void => {
    if (text === "") return;
    input += text;
    emitInput(text);
  };
  const open = (head: JsonObject, otherwise = ""): void => {
    const wireName = asFilledString(head["name"]) ?? otherwise;
    if (isOpened || wireName === "") return;
    isOpened = true;
    const { name, call, namespace } = context.names.fromWire(wireName);
    const space = namespace ?? asString(head["namespace"]) ?? "";
    key = events.open({
      kind: "call",
      id: uniqueId(head, item),
      name,
      ...(space !== "" && { namespace: space }),
      call: isCustom ? "custom" : call,
    });
    if (call === "custom" && !isCustom) freeform = freeformReader();
    const text = waiting;
    waiting = "";
    emitInput(text);
  };
  const inputOf = (whole: JsonObject): string => {
    const value = whole[isCustom ? "input" : "arguments"];
    return isObject(value) ? JSON.stringify(value) : (asString(value) ?? "");
  };
  return {
    begin(head) {
      initialInput = inputOf(head);
      open(head);
    },
    input: addInput,
    finish(whole) {
      open(whole, unknownTool);
      addInput(missingText(input, inputOf(whole)));
    },
    close() {
      if (key === undefined) return;
      addInput(missingText(input, initialInput));
      const rest = freeform?.end() ?? "";
      if (rest !== "") events.add({ kind: "delta", key, text: rest });
      events.add({ kind: "close", key });
      key = undefined;
    },
    isAction: () => isOpened,
  };
}

/** The call's own id, unless another call of the answer has it. */
function uniqueId(head: JsonObject, { fallbackId, takenIds }: ItemContext): string {
  const own = asFilledString(head["call_id"]) ?? asFilledString(head["id"]) ?? fallbackId;
  const id = takenIds.has(own) ? fallbackId : own;
  takenIds.add(id);
  return id;
}
