/** Normalized messages as `system` and `messages`: roles in their order, results first, nothing empty. */
import type { JsonObject } from "../../../lib/json.ts";
import { appendAll } from "../../../lib/lists.ts";
import type { Message } from "../../../core/request.ts";
import type { WriteContext } from "../../../translation/write-context.ts";
import type { MessagesWriteContext } from "./write-cache-marks.ts";
import { writeContent } from "./write-content.ts";

export interface WireMessage {
  role: "user" | "assistant" | "system";
  content: JsonObject[];
}

/** Stands where the provider demands a user message and the conversation has none. */
const opening = "(The conversation begins with the assistant.)";
const nothing = "(no content)";

export function writeMessages(
  messages: readonly Message[],
  context: MessagesWriteContext,
): { system: JsonObject[]; messages: WireMessage[] } {
  const system: JsonObject[] = [];
  const out: WireMessage[] = [];
  const asked = messages.some((message) => message.role !== "instruction");
  const leading = leadingCount(messages);
  messages.forEach((message, at) => {
    noteMembers(message, context);
    const content = writeContent(message.blocks, message.role, context);
    if (content.length === 0) return;
    if (at < leading && content.every(isText)) appendAll(system, content);
    else if (message.role === "instruction" && asked) instruct(out, content, context);
    else append(out, message.role === "assistant" ? "assistant" : "user", content);
  });
  if (out[0]?.role === "assistant") out.unshift({ role: "user", content: [textBlock(opening)] });
  trimLast(out);
  if (out.length === 0) out.push({ role: "user", content: [textBlock(nothing)] });
  return { system, messages: out };
}

/** Instructions at the head are the system prompt; when there is nothing else, the last of them is the question. */
function leadingCount(messages: readonly Message[]): number {
  const first = messages.findIndex((message) => message.role !== "instruction");
  return first >= 0 ? first : messages.length - 1;
}

/** An instruction in the middle, at its place: as such where the model takes it, else as marked user text. */
function instruct(out: WireMessage[], content: JsonObject[], context: WriteContext): void {
  const last = out.at(-1);
  if (
    context.target.traits.systemInTurns &&
    last &&
    last.role !== "assistant" &&
    content.every(isText)
  ) {
    out.push({ role: "system", content });
    return;
  }
  append(
    out,
    "user",
    content.map((block) =>
      isText(block) ? { ...block, text: `<system>\n${String(block["text"])}\n</system>` } : block,
    ),
  );
}

/** Neighbours of one role are one turn. */
function append(out: WireMessage[], role: WireMessage["role"], content: JsonObject[]): void {
  const last = out.at(-1);
  if (last?.role === role) appendAll(last.content, content);
  else out.push({ role, content });
}

/** What the model is to continue must not end in whitespace. */
function trimLast(out: WireMessage[]): void {
  const last = out.at(-1);
  const block = last?.content.at(-1);
  if (last?.role !== "assistant" || !block || !isText(block)) return;
  const text = String(block["text"]).trimEnd();
  if (text !== "") block["text"] = text;
}

function noteMembers(message: Message, { request, dropped }: WriteContext): void {
  if (message.name !== undefined) dropped.add("messages[].name");
  if (message.phase !== undefined)
    dropped.add(request.format === "responses" ? "input[].phase" : "messages[].phase");
}

function isText(block: JsonObject): boolean {
  return block["type"] === "text";
}

function textBlock(text: string): JsonObject {
  return { type: "text", text };
}
