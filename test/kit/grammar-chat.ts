/** The grammar of chat completion chunks. */
import {
  isCount,
  isJson,
  parsed,
  sub,
  wireEvents,
  type GrammarOptions,
  type Verdict,
} from "./grammar-reading.ts";

interface State {
  options: GrammarOptions;
  broken: string[];
  head: string | undefined;
  role: boolean;
  finished: boolean;
  usage: boolean;
  ended: Verdict["ended"];
  calls: { type: string; text: string }[];
}

export function checkChat(text: string, options: GrammarOptions): Verdict {
  const broken: string[] = [];
  const state: State = {
    options,
    broken,
    head: undefined,
    role: false,
    finished: false,
    usage: false,
    ended: "open",
    calls: [],
  };
  for (const { event, data } of wireEvents(text, broken)) {
    if (state.ended !== "open") broken.push("something after the end");
    if (event !== undefined) broken.push("an event line in a chat stream");
    if (data === "[DONE]") endOf(state);
    else chunk(state, parsed(data, broken));
  }
  return { ended: state.ended, broken };
}

function endOf(state: State): void {
  state.ended = "normal";
  if (!state.finished) state.broken.push("[DONE] without a finish reason");
  if (state.options.wantsUsage && !state.usage) state.broken.push("the usage chunk is missing");
  for (const call of state.calls) {
    if (call.type === "function" && !isJson(call.text))
      state.broken.push(`arguments are not JSON: ${call.text.slice(0, 40)}`);
  }
}

function chunk(state: State, body: Record<string, unknown>): void {
  const { broken } = state;
  if ("error" in body) {
    state.ended = "error";
    const error = sub(body, "error");
    if (typeof error["message"] !== "string" || typeof error["type"] !== "string")
      broken.push("an error without message or type");
    if (state.finished) broken.push("an error after the finish reason");
    return;
  }
  const head = JSON.stringify([body["id"], body["object"], body["created"], body["model"]]);
  state.head ??= head;
  if (head !== state.head) broken.push("id, object, created or model changes");
  if (body["object"] !== "chat.completion.chunk")
    broken.push("object is not chat.completion.chunk");
  if (typeof body["id"] !== "string" || body["id"] === "" || !isCount(body["created"]))
    broken.push("id or created is missing");
  const choices = Array.isArray(body["choices"]) ? body["choices"] : undefined;
  if (!choices) broken.push("choices is no array");
  else if (choices.length === 0) usageChunk(state, body);
  else contentChunk(state, body, choices);
}

function usageChunk(state: State, body: Record<string, unknown>): void {
  const { broken } = state;
  const usage = sub(body, "usage");
  if (!state.options.wantsUsage) broken.push("a chunk without choices that nobody asked for");
  if (!state.finished) broken.push("usage before the finish reason");
  if (state.usage) broken.push("usage twice");
  state.usage = true;
  for (const name of ["prompt_tokens", "completion_tokens", "total_tokens"]) {
    if (!isCount(usage[name])) broken.push(`usage.${name} is no count`);
  }
}

function contentChunk(state: State, body: Record<string, unknown>, choices: unknown[]): void {
  const { broken, options } = state;
  if (choices.length !== 1) broken.push("several choices in a chunk");
  if (options.wantsUsage ? body["usage"] !== null : "usage" in body)
    broken.push("usage on a content chunk");
  const choice = choices[0];
  const delta = sub(choice, "delta");
  const finish =
    typeof choice === "object" && choice !== null
      ? Reflect.get(choice, "finish_reason")
      : undefined;
  if (typeof choice !== "object" || choice === null || Reflect.get(choice, "index") !== 0)
    broken.push("the choice's index is not 0");
  if (state.finished) broken.push("a chunk with content after the finish reason");
  if (!state.role && delta["role"] !== "assistant") broken.push("the first chunk has no role");
  if (state.role && "role" in delta) broken.push("the role is said twice");
  state.role = true;
  if (Array.isArray(delta["tool_calls"]))
    for (const call of delta["tool_calls"]) fragment(state, call);
  if (finish === undefined) broken.push("finish_reason is missing");
  else if (finish !== null) {
    state.finished = true;
    const known = ["stop", "length", "tool_calls", "content_filter", "function_call"];
    if (!known.includes(String(finish))) broken.push(`unknown finish reason ${String(finish)}`);
    if (finish === "tool_calls" && state.calls.length === 0)
      broken.push("tool_calls without a call");
  }
}

function fragment(state: State, call: unknown): void {
  const { broken, calls } = state;
  const index = typeof call === "object" && call !== null ? Reflect.get(call, "index") : undefined;
  if (!isCount(index) || Number(index) > calls.length)
    return void broken.push("a call's index skips");
  const type = typeof call === "object" && call !== null ? Reflect.get(call, "type") : undefined;
  const id = typeof call === "object" && call !== null ? Reflect.get(call, "id") : undefined;
  const known = calls[Number(index)];
  const inner = sub(call, known?.type === "custom" || type === "custom" ? "custom" : "function");
  const text = inner["arguments"] ?? inner["input"] ?? "";
  if (typeof text !== "string") broken.push("arguments are no string");
  if (known) {
    if (id !== undefined || type !== undefined || inner["name"] !== undefined)
      broken.push("a later fragment repeats id, type or name");
    known.text += String(text);
    return;
  }
  if (typeof id !== "string" || id === "") broken.push("a call without id");
  if (type !== "function" && type !== "custom") broken.push("a call without type");
  if (typeof inner["name"] !== "string" || inner["name"] === "") broken.push("a call without name");
  if (typeof inner["arguments"] !== "string" && typeof inner["input"] !== "string")
    broken.push("a first fragment without arguments");
  calls.push({ type: String(type), text: String(text) });
}
