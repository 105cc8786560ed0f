/** What each kind of provider refuses in a conversation, from the protocols' descriptions: every broken rule by name. */
import type { FormatName } from "../../src/core/format-name.ts";
import { list, object, text, type Loose } from "./loose.ts";

export function brokenRules(format: FormatName, body: Loose): string[] {
  return [...new Set(checkers[format](body))];
}

const checkers: Record<FormatName, (body: Loose) => string[]> = {
  chat: checkChat,
  responses: checkResponses,
  messages: checkMessages,
  gemini: checkGemini,
};

const isId = (value: unknown, longest: number): boolean =>
  typeof value === "string" && value !== "" && value.length <= longest;

function checkChat(body: Loose): string[] {
  const broken: string[] = [];
  const messages = list(body["messages"]);
  if (messages.length === 0) broken.push("no messages");
  let waiting: string[] = [];
  for (const message of messages) {
    const { role } = message;
    if (role === "tool") {
      const id = text(message["tool_call_id"]);
      if (!waiting.includes(id)) broken.push("a tool message without its call before it");
      if (typeof message["content"] !== "string" && !Array.isArray(message["content"]))
        broken.push("a tool message without content");
      waiting = waiting.filter((one) => one !== id);
      continue;
    }
    if (waiting.length > 0) broken.push("a call is not answered at once");
    const ids = list(message["tool_calls"]).map((call) => text(call["id"]));
    if (ids.some((id) => !isId(id, 64)) || new Set(ids).size < ids.length) broken.push("call ids");
    if (
      role === "assistant" &&
      ids.length === 0 &&
      isEmpty(message["content"]) &&
      isEmpty(message["refusal"])
    )
      broken.push("an assistant who says nothing");
    if (role === "user" && message["content"] === undefined) broken.push("a user without content");
    waiting = ids;
  }
  if (waiting.length > 0) broken.push("the last calls are not answered");
  return broken;
}

function isEmpty(content: unknown): boolean {
  return (
    content === undefined ||
    content === null ||
    content === "" ||
    (Array.isArray(content) && content.length === 0)
  );
}

function checkResponses(body: Loose): string[] {
  const broken: string[] = [];
  const open = new Map<string, boolean>();
  for (const item of list(body["input"])) {
    const id = text(item["call_id"]);
    if (item["type"] === "function_call") {
      if (open.has(id) || !isId(id, 64)) broken.push("call ids");
      open.set(id, false);
    } else if (item["type"] === "function_call_output") {
      if (open.get(id) !== false) broken.push("an output without its call");
      open.set(id, true);
    } else if (list(item["content"]).some((part) => partIsWrong(item["role"], part["type"])))
      broken.push("a part of the wrong type");
  }
  if ([...open.values()].includes(false)) broken.push("a call without output");
  return broken;
}

function partIsWrong(role: unknown, type: unknown): boolean {
  const output = type === "output_text" || type === "refusal";
  return role === "assistant" ? !output : output;
}

function checkMessages(body: Loose): string[] {
  const broken: string[] = [];
  const messages = list(body["messages"]);
  if (messages[0]?.["role"] !== "user") broken.push("the first message is not the user's");
  const used = new Set<string>();
  let waiting: string[] = [];
  let before: unknown;
  for (const message of messages) {
    if (message["role"] === before) broken.push("two messages of one role");
    before = message["role"];
    const parts =
      typeof message["content"] === "string"
        ? [{ type: "text", text: message["content"] }]
        : list(message["content"]);
    if (parts.length === 0) broken.push("an empty message");
    if (parts.some((part) => part["type"] === "text" && text(part["text"]).trim() === ""))
      broken.push("a blank text block");
    const answered = parts
      .filter((part) => part["type"] === "tool_result")
      .map((part) => text(part["tool_use_id"]));
    const kinds = parts.map((part) => part["type"] === "tool_result");
    if (kinds.lastIndexOf(true) >= answered.length) broken.push("something before the results");
    if (answered.toSorted().join() !== waiting.toSorted().join())
      broken.push("results do not fit the calls before them");
    waiting = parts.filter((part) => part["type"] === "tool_use").map((part) => text(part["id"]));
    for (const id of waiting) {
      if (used.has(id) || !/^[a-zA-Z0-9_-]+$/.test(id)) broken.push("call ids");
      used.add(id);
    }
  }
  if (waiting.length > 0) broken.push("the last calls are not answered");
  return broken;
}

function checkGemini(body: Loose): string[] {
  const broken: string[] = [];
  const contents = list(body["contents"]);
  if (contents[0]?.["role"] !== "user") broken.push("the first content is not the user's");
  if (contents.at(-1)?.["role"] !== "user") broken.push("the last content is not the user's");
  let waiting: string[] = [];
  for (const content of contents) {
    const parts = list(content["parts"]);
    if (parts.length === 0) broken.push("an empty content");
    if (content["role"] !== "user" && content["role"] !== "model") broken.push("an unknown role");
    const answers = parts
      .filter((part) => "functionResponse" in part)
      .map((part) => text(object(part["functionResponse"])["name"]));
    if (answers.join() !== waiting.join())
      broken.push("responses do not fit the calls before them");
    if (answers.length > 0 && answers.length < parts.length)
      broken.push("something beside the responses");
    waiting = parts
      .filter((part) => "functionCall" in part)
      .map((part) => text(object(part["functionCall"])["name"]));
    const responses = parts.map((part) => object(part["functionResponse"])["response"]);
    if (responses.some((response) => Array.isArray(response)))
      broken.push("a response that is no object");
  }
  if (waiting.length > 0) broken.push("the last calls are not answered");
  return broken;
}
