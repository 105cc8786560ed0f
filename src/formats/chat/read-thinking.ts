/** Reasoning that chat clients bring back: `reasoning_content`, `reasoning_details`, `extra_content`. */
import { asArray, asObject, asString, isObject, type JsonObject } from "../../lib/json.ts";
import { unwrapState } from "../../core/state.ts";
import type { OpaqueState, ThinkingBlock } from "../../core/turn.ts";

export interface BroughtBack {
  thinking: ThinkingBlock[];
  /** State that belongs to the call of this id. */
  calls: Map<string, OpaqueState>;
}

/** An assistant message's reasoning. State with the gateway's tag is unwrapped; the rest stays native, without origin. */
export function readThinking(message: JsonObject): BroughtBack {
  const back: BroughtBack = { thinking: [], calls: new Map() };
  const callIds = new Set(
    asArray(message["tool_calls"]).map((call) => asString(asObject(call)?.["id"])),
  );
  const native: JsonObject[] = [];
  for (const entry of asArray(message["reasoning_details"])) {
    if (isObject(entry) && !readEntry(entry, back, callIds)) native.push(entry);
  }
  const plain = asString(message["reasoning_content"]) ?? asString(message["reasoning"]) ?? "";
  const told = back.thinking.some((block) => block.text !== "");
  const text = told ? "" : plain;
  if (text !== "" || native.length > 0) {
    back.thinking.unshift({
      kind: "thinking",
      text: text === "" ? nativeText(native) : text,
      ...(native.length > 0 && {
        state: { format: "chat", type: "reasoning_details", data: JSON.stringify(native) } as const,
      }),
      path: native.length > 0 ? "messages[].reasoning_details" : textPath(message),
    });
  }
  return back;
}

function textPath(message: JsonObject): string {
  return typeof message["reasoning_content"] === "string"
    ? "messages[].reasoning_content"
    : "messages[].reasoning";
}

/** Takes in an entry that this gateway made; false for every other. One with the id of a call is that call's. */
function readEntry(
  entry: JsonObject,
  back: BroughtBack,
  callIds: ReadonlySet<string | undefined>,
): boolean {
  const state = unwrapState(asString(entry["signature"]) ?? asString(entry["data"]) ?? "");
  if (!state) return false;
  const id = asString(entry["id"]);
  if (id !== undefined && callIds.has(id)) back.calls.set(id, state);
  else {
    back.thinking.push({
      kind: "thinking",
      text: asString(entry["text"]) ?? "",
      state,
      ...(state.type.startsWith("redacted") && { redacted: true }),
      path: "messages[].reasoning_details",
    });
  }
  return true;
}

function nativeText(entries: JsonObject[]): string {
  return entries
    .map((entry) => asString(entry["text"]) ?? asString(entry["summary"]) ?? "")
    .join("");
}

/** State beside a tool call (`extra_content`): the gateway's own unwrapped, a provider's native. */
export function readCallState(call: JsonObject): OpaqueState | undefined {
  const extra = asObject(call["extra_content"]);
  if (!extra) return undefined;
  const signature = asString(asObject(extra["google"])?.["thought_signature"]);
  const own = signature === undefined ? undefined : unwrapState(signature);
  return own ?? { format: "chat", type: "extra_content", data: JSON.stringify(extra) };
}
