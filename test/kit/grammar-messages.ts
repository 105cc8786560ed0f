/** The grammar of Messages events. */
import {
  isCount,
  isJson,
  parsed,
  sub,
  wireEvents,
  type GrammarOptions,
  type Verdict,
} from "./grammar-reading.ts";

interface Block {
  type: string;
  json: string;
  deltas: number;
}

interface State {
  broken: string[];
  started: boolean;
  next: number;
  open: Block | undefined;
  tools: number;
  stop: string | undefined;
  ended: Verdict["ended"];
}

const deltasOf: Record<string, readonly string[]> = {
  text: ["text_delta", "citations_delta"],
  thinking: ["thinking_delta", "signature_delta"],
  tool_use: ["input_json_delta"],
  server_tool_use: ["input_json_delta"],
};

export function checkMessages(text: string, _options: GrammarOptions): Verdict {
  const broken: string[] = [];
  const state: State = {
    broken,
    started: false,
    next: 0,
    open: undefined,
    tools: 0,
    stop: undefined,
    ended: "open",
  };
  for (const { event, data } of wireEvents(text, broken)) {
    const body = parsed(data, broken);
    if (event !== body["type"])
      broken.push(`event line ${event} is not the type ${String(body["type"])}`);
    if (state.ended !== "open") broken.push("something after the end");
    step(state, body);
  }
  return { ended: state.ended, broken };
}

function step(state: State, body: Record<string, unknown>): void {
  const { broken } = state;
  const type = String(body["type"]);
  if (!state.started && !["message_start", "error", "ping"].includes(type))
    broken.push(`${type} before message_start`);
  switch (type) {
    case "ping":
      return;
    case "message_start":
      return start(state, sub(body, "message"));
    case "content_block_start":
      return open(state, body);
    case "content_block_delta":
      return delta(state, body);
    case "content_block_stop":
      return close(state, body);
    case "message_delta":
      return last(state, body);
    case "message_stop":
      state.ended = "normal";
      if (state.stop === undefined) broken.push("message_stop without a stop reason");
      if (state.open) broken.push("message_stop inside a block");
      return;
    case "error": {
      state.ended = "error";
      const error = sub(body, "error");
      if (typeof error["type"] !== "string" || typeof error["message"] !== "string")
        broken.push("an error without type or message");
      if (state.stop !== undefined) broken.push("an error after the stop reason");
      return;
    }
    default:
      broken.push(`unknown event ${type}`);
  }
}

function start(state: State, message: Record<string, unknown>): void {
  const { broken } = state;
  if (state.started) broken.push("message_start twice");
  state.started = true;
  const usage = sub(message, "usage");
  if (message["type"] !== "message" || message["role"] !== "assistant")
    broken.push("message_start without type or role");
  if (typeof message["id"] !== "string" || typeof message["model"] !== "string")
    broken.push("message_start without id or model");
  if (!Array.isArray(message["content"]) || message["content"].length > 0)
    broken.push("message_start with content");
  if (message["stop_reason"] !== null || message["stop_sequence"] !== null)
    broken.push("message_start with a stop reason");
  if (!isCount(usage["input_tokens"]) || !isCount(usage["output_tokens"]))
    broken.push("message_start without usage");
}

function open(state: State, body: Record<string, unknown>): void {
  const { broken } = state;
  if (state.open) broken.push("a block opens inside another");
  if (state.stop !== undefined) broken.push("a block after the stop reason");
  if (body["index"] !== state.next)
    broken.push(`block index ${String(body["index"])} instead of ${state.next}`);
  const block = sub(body, "content_block");
  const type = String(block["type"]);
  state.open = { type, json: "", deltas: 0 };
  if (type === "text" && block["text"] !== "") broken.push("a text block opens with text");
  if (type === "thinking" && (block["thinking"] !== "" || block["signature"] !== ""))
    broken.push("a thinking block opens with content");
  if (type === "redacted_thinking" && typeof block["data"] !== "string")
    broken.push("redacted_thinking without data");
  if (type !== "tool_use") return;
  state.tools++;
  if (typeof block["id"] !== "string" || !/^[a-zA-Z0-9_-]+$/.test(block["id"]))
    broken.push("tool_use with an illegal id");
  if (typeof block["name"] !== "string" || block["name"] === "")
    broken.push("tool_use without name");
  if (JSON.stringify(block["input"]) !== "{}") broken.push("tool_use opens with input");
}

function delta(state: State, body: Record<string, unknown>): void {
  const { broken } = state;
  if (!state.open) return void broken.push("a delta outside a block");
  if (body["index"] !== state.next) broken.push("a delta of another block");
  const change = sub(body, "delta");
  const type = String(change["type"]);
  if (!(deltasOf[state.open.type] ?? []).includes(type))
    broken.push(`${type} in a ${state.open.type} block`);
  if (type === "input_json_delta") state.open.json += String(change["partial_json"]);
  state.open.deltas++;
}

function close(state: State, body: Record<string, unknown>): void {
  const { broken, open: block } = state;
  if (!block) return void broken.push("a block closes twice");
  if (body["index"] !== state.next) broken.push("another block closes");
  if (block.type === "text" && block.deltas === 0) broken.push("an empty text block");
  if (block.type === "tool_use" && block.json !== "" && !isJson(block.json))
    broken.push("tool input is not JSON");
  state.open = undefined;
  state.next++;
}

function last(state: State, body: Record<string, unknown>): void {
  const { broken } = state;
  const change = sub(body, "delta");
  if (state.open) broken.push("message_delta inside a block");
  if (!isCount(sub(body, "usage")["output_tokens"]))
    broken.push("message_delta without output_tokens");
  if (typeof change["stop_reason"] !== "string")
    return void broken.push("message_delta without a stop reason");
  if (state.stop !== undefined) broken.push("a second stop reason");
  state.stop = change["stop_reason"];
  if (!("stop_sequence" in change)) broken.push("message_delta without stop_sequence");
  if (state.stop === "tool_use" && state.tools === 0) broken.push("tool_use without a call");
}
