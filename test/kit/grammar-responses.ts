/** The grammar of Responses events. */
import {
  isCount,
  isJson,
  parsed,
  sub,
  wireEvents,
  type GrammarOptions,
  type Verdict,
} from "./grammar-reading.ts";

type Loose = Record<string, unknown>;

interface Part {
  kind: string;
  /** `content_index` or `summary_index`. */
  index: number;
  text: string;
  /** The part's text event said it is done. */
  done: boolean;
}

interface Item {
  id: string;
  type: string;
  part: Part | undefined;
  parts: number;
  /** Arguments or freeform input so far. */
  input: string;
  inputDone: boolean;
}

interface State {
  broken: string[];
  seen: number;
  sequence: number;
  item: Item | undefined;
  done: Loose[];
  ended: Verdict["ended"];
}

/** Events of a text inside a part: which kind of part they need and where the text stands. */
const textEvents: Record<string, { part: string; done: boolean; value: string }> = {
  "response.output_text.delta": { part: "output_text", done: false, value: "delta" },
  "response.output_text.done": { part: "output_text", done: true, value: "text" },
  "response.refusal.delta": { part: "refusal", done: false, value: "delta" },
  "response.refusal.done": { part: "refusal", done: true, value: "refusal" },
  "response.reasoning_summary_text.delta": { part: "summary_text", done: false, value: "delta" },
  "response.reasoning_summary_text.done": { part: "summary_text", done: true, value: "text" },
  "response.reasoning_text.delta": { part: "reasoning_text", done: false, value: "delta" },
  "response.reasoning_text.done": { part: "reasoning_text", done: true, value: "text" },
};

const inputEvents: Record<string, { item: string; done: boolean; value: string }> = {
  "response.function_call_arguments.delta": { item: "function_call", done: false, value: "delta" },
  "response.function_call_arguments.done": {
    item: "function_call",
    done: true,
    value: "arguments",
  },
  "response.custom_tool_call_input.delta": {
    item: "custom_tool_call",
    done: false,
    value: "delta",
  },
  "response.custom_tool_call_input.done": { item: "custom_tool_call", done: true, value: "input" },
};

const terminals: Record<string, string> = {
  "response.completed": "completed",
  "response.incomplete": "incomplete",
  "response.failed": "failed",
};

export function checkResponses(text: string, _options: GrammarOptions): Verdict {
  const broken: string[] = [];
  const state: State = { broken, seen: 0, sequence: 0, item: undefined, done: [], ended: "open" };
  for (const { event, data } of wireEvents(text, broken)) {
    const body = parsed(data, broken);
    const type = String(body["type"]);
    if (event !== type) broken.push(`event line ${event} is not the type ${type}`);
    if (state.ended !== "open") broken.push("something after the end");
    if (body["sequence_number"] !== state.sequence)
      broken.push(
        `sequence number ${String(body["sequence_number"])} instead of ${state.sequence}`,
      );
    state.sequence++;
    step(state, type, body);
  }
  return { ended: state.ended, broken };
}

function step(state: State, type: string, body: Loose): void {
  const { broken } = state;
  if (type === "keepalive") return;
  if (type in terminals) return terminal(state, type, sub(body, "response"));
  state.seen++;
  if (state.seen <= 2) return opening(state, type, sub(body, "response"));
  if (type in textEvents) return textEvent(state, type, body);
  if (type in inputEvents) return inputEvent(state, type, body);
  switch (type) {
    case "response.output_item.added":
      return added(state, body);
    case "response.output_item.done":
      return itemDone(state, body);
    case "response.content_part.added":
    case "response.reasoning_summary_part.added":
      return partAdded(state, type, body);
    case "response.content_part.done":
    case "response.reasoning_summary_part.done":
      return partDone(state, body);
    case "response.output_text.annotation.added":
      if (state.item?.part?.kind !== "output_text") broken.push("an annotation outside a text");
      return;
    case "response.web_search_call.in_progress":
    case "response.web_search_call.searching":
    case "response.web_search_call.completed":
      if (state.item?.type !== "web_search_call") broken.push(`${type} outside a search`);
      if (state.item?.id !== body["item_id"]) broken.push(`${type} of another item`);
      return;
    default:
      broken.push(`unknown event ${type}`);
  }
}

function opening(state: State, type: string, response: Loose): void {
  const wanted = state.seen === 1 ? "response.created" : "response.in_progress";
  if (type !== wanted) state.broken.push(`${type} where ${wanted} belongs`);
  if (response["status"] !== "in_progress")
    state.broken.push("the response does not begin in progress");
  if (!Array.isArray(response["output"]) || response["output"].length > 0)
    state.broken.push("the response begins with output");
}

function added(state: State, body: Loose): void {
  const { broken } = state;
  const item = sub(body, "item");
  if (state.item) broken.push("an item opens inside another");
  if (body["output_index"] !== state.done.length) broken.push("an output_index skips");
  if (typeof item["id"] !== "string" || item["id"] === "") broken.push("an item without id");
  if (Array.isArray(item["content"]) && item["content"].length > 0)
    broken.push("an item opens with content");
  const type = String(item["type"]);
  if (
    type.endsWith("_call") &&
    (typeof item["call_id"] !== "string" || typeof item["name"] !== "string")
  ) {
    if (type === "function_call" || type === "custom_tool_call")
      broken.push("a call opens without call_id or name");
  }
  state.item = {
    id: String(item["id"]),
    type,
    part: undefined,
    parts: 0,
    input: "",
    inputDone: false,
  };
}

function ofItem(state: State, body: Loose): Item | undefined {
  const { item, broken } = state;
  if (!item) broken.push(`${String(body["type"])} outside an item`);
  else {
    if (body["item_id"] !== item.id) broken.push("item_id is not the open item's");
    if (body["output_index"] !== state.done.length)
      broken.push("output_index is not the open item's");
  }
  return item;
}

function partAdded(state: State, type: string, body: Loose): void {
  const item = ofItem(state, body);
  if (!item) return;
  if (item.part) state.broken.push("a part opens inside another");
  const part = sub(body, "part");
  const index =
    type === "response.content_part.added" ? body["content_index"] : body["summary_index"];
  if (index !== item.parts) state.broken.push("a part's index skips");
  if ((part["text"] ?? part["refusal"]) !== "") state.broken.push("a part opens with text");
  item.part = { kind: String(part["type"]), index: Number(index), text: "", done: false };
}

function textEvent(state: State, type: string, body: Loose): void {
  const { broken } = state;
  const part = ofItem(state, body)?.part;
  const rule = textEvents[type];
  if (!rule) return;
  if (!part) return void broken.push(`${type} outside a part`);
  if (part.kind !== rule.part) broken.push(`${type} in a ${part.kind} part`);
  if ((body["content_index"] ?? body["summary_index"]) !== part.index)
    broken.push(`${type} of another part`);
  if (part.done) broken.push(`${type} after the text was done`);
  const value = body[rule.value];
  if (typeof value !== "string") return void broken.push(`${type} without ${rule.value}`);
  if (!rule.done) part.text += value;
  else if (value !== part.text) broken.push(`${type} is not what the deltas said`);
  if (type === "response.output_text.delta" && !Array.isArray(body["logprobs"]))
    broken.push("a text delta without logprobs");
  part.done = rule.done;
}

function partDone(state: State, body: Loose): void {
  const { broken } = state;
  const item = ofItem(state, body);
  const part = item?.part;
  if (!item || !part) return void broken.push("a part is done twice");
  const said = sub(body, "part");
  if (!part.done) broken.push("a part is done before its text");
  if ((said["text"] ?? said["refusal"]) !== part.text)
    broken.push("a done part is not what the deltas said");
  item.part = undefined;
  item.parts++;
}

function inputEvent(state: State, type: string, body: Loose): void {
  const { broken } = state;
  const item = ofItem(state, body);
  const rule = inputEvents[type];
  if (!item || !rule) return;
  if (item.type !== rule.item) broken.push(`${type} in a ${item.type}`);
  if (item.inputDone) broken.push(`${type} after the input was done`);
  const value = body[rule.value];
  if (typeof value !== "string") return void broken.push(`${type} without ${rule.value}`);
  if (!rule.done) item.input += value;
  else if (value !== item.input) broken.push(`${type} is not what the deltas said`);
  item.inputDone = rule.done;
}

function itemDone(state: State, body: Loose): void {
  const { broken, item } = state;
  const done = sub(body, "item");
  if (!item) return void broken.push("an item is done twice");
  if (done["id"] !== item.id || done["type"] !== item.type) broken.push("another item is done");
  if (body["output_index"] !== state.done.length) broken.push("output_index of a done item");
  if (item.part) broken.push("an item is done inside a part");
  const input = item.type === "function_call" ? done["arguments"] : done["input"];
  if (item.type === "function_call" || item.type === "custom_tool_call") {
    if (!item.inputDone || input !== item.input)
      broken.push("a done call is not what the deltas said");
    if (item.type === "function_call" && !isJson(String(input)))
      broken.push("arguments are not JSON");
  }
  if (
    item.type === "message" &&
    (!Array.isArray(done["content"]) || done["content"].length !== item.parts)
  )
    broken.push("a done message has other parts");
  state.item = undefined;
  state.done.push(done);
}

function terminal(state: State, type: string, response: Loose): void {
  const { broken } = state;
  state.ended = type === "response.failed" ? "error" : "normal";
  if (response["status"] !== terminals[type]) broken.push("the terminal event's status is another");
  if (type === "response.failed") {
    const error = sub(response, "error");
    if (typeof error["code"] !== "string" || typeof error["message"] !== "string")
      broken.push("a failure without code or message");
    return;
  }
  if (state.seen < 2) broken.push("an end without a beginning");
  if (state.item) broken.push("an end inside an item");
  if (JSON.stringify(response["output"]) !== JSON.stringify(state.done))
    broken.push("the final output is not the done items");
  const usage = sub(response, "usage");
  for (const name of ["input_tokens", "output_tokens", "total_tokens"])
    if (!isCount(usage[name])) broken.push(`usage.${name} is no count`);
  if (
    type === "response.incomplete" &&
    typeof sub(response, "incomplete_details")["reason"] !== "string"
  )
    broken.push("incomplete without a reason");
}
