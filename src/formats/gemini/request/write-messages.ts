/**
 * The conversation as Gemini's `systemInstruction` and `contents`. Neighbours of one role are merged, but results of
 * calls stand alone in theirs: some models count every part beside them as a result too many.
 */
import { clientPaths } from "../../../translation/client-paths.ts";
import { normalize } from "../../../translation/normalize.ts";
import type { Block, Message, ThinkingBlock } from "../../../core/request.ts";
import type { JsonObject } from "../../../lib/json.ts";
import { appendAll, newQueue, type Queue } from "../../../lib/lists.ts";
import { signedPartOf, skipValidation } from "../shared/thought-signature.ts";
import { writeCall, writeResult } from "./write-calls.ts";
import { writeContent } from "./write-content.ts";
import { noteMarks, ownState, type WriteContext } from "../../../translation/write-context.ts";

type Content = { role: "user" | "model"; kind: "talk" | "results"; parts: JsonObject[] };

export interface WrittenMessages {
  /** Texts of the instructions at the head of the conversation. */
  instructions: string[];
  contents: JsonObject[];
}

export function writeMessages(context: WriteContext): WrittenMessages {
  const messages = normalize(context.request.messages);
  const first = messages.findIndex((message) => message.role !== "instruction");
  // Without a single user turn the provider has nothing to answer: the last instruction becomes one.
  const split = first < 0 ? messages.length - 1 : first;
  const list = contentList();
  const instructions = messages.slice(0, split).flatMap((message) => {
    for (const block of message.blocks)
      if (block.kind !== "text") list.add("user", writeContent(block, context));
    return instructionTexts(message, context);
  });
  const calls = new Map<string, string>();
  for (const message of messages.slice(Math.max(split, 0)))
    writeMessage(message, { list, calls }, context);
  return { instructions, contents: finished(list.all, !context.target.traits.mixedTools) };
}

interface ContentList {
  all: Content[];
  add(role: Content["role"], parts: JsonObject[], kind?: Content["kind"]): void;
}

function contentList(): ContentList {
  const all: Content[] = [];
  return {
    all,
    add(role, parts, kind = "talk") {
      if (parts.length === 0) return;
      const last = all.at(-1);
      if (last && last.role === role && last.kind === kind) appendAll(last.parts, parts);
      else all.push({ role, kind, parts: [...parts] });
    },
  };
}

/** A conversation begins with the user, and newer models take none that ends with the model. */
function finished(list: Content[], mayEndWithModel: boolean): JsonObject[] {
  const contents: JsonObject[] = list.map(({ role, parts }) => ({ role, parts }));
  if (list.length === 0) return [userSays(" ")];
  if (list[0]?.role === "model") contents.unshift(userSays("(The conversation begins here.)"));
  if (list.at(-1)?.role === "model" && !mayEndWithModel) contents.push(userSays("(Please go on.)"));
  return contents;
}

function userSays(text: string): JsonObject {
  return { role: "user", parts: [{ text }] };
}

function instructionTexts(message: Message, context: WriteContext): string[] {
  noteSpeaker(message, context);
  return message.blocks.flatMap((block) => {
    noteMarks(block, context);
    return block.kind === "text" ? [block.text] : [];
  });
}

/** Names of participants and phases of messages have no place here. */
function noteSpeaker(message: Message, context: WriteContext): void {
  if (message.name !== undefined) context.dropped.add("messages[].name");
  if (message.phase !== undefined) context.dropped.add("input[].phase");
}

interface Conversation {
  list: ContentList;
  /** Wire name of each call so far, by id: results repeat it. */
  calls: Map<string, string>;
}

function writeMessage(
  message: Message,
  { list, calls }: Conversation,
  context: WriteContext,
): void {
  noteSpeaker(message, context);
  if (message.role === "assistant") {
    for (const block of message.blocks) {
      if (block.kind === "call")
        calls.set(block.id, context.names.toWire(block.name, block.namespace));
    }
    return list.add("model", modelParts(message.blocks, context));
  }
  const beside: JsonObject[] = [];
  for (const block of message.blocks) {
    if (block.kind !== "result") continue;
    const result = writeResult(block, calls.get(block.id) ?? "unknown", context);
    list.add("user", [result.response], "results");
    appendAll(beside, result.beside);
  }
  list.add("user", beside);
  for (const block of message.blocks)
    if (block.kind !== "result") list.add("user", writeContent(block, context));
}

/** Signatures on their way to the part that they came with. */
interface Waiting {
  text?: string;
  readonly calls: Queue<string>;
}

/** An assistant's blocks; signatures that this connection made go back onto their parts. */
function modelParts(blocks: readonly Block[], context: WriteContext): JsonObject[] {
  const parts: JsonObject[] = [];
  const waiting: Waiting = { calls: newQueue() };
  const flush = (): void => {
    if (waiting.text !== undefined) parts.push({ text: "", thoughtSignature: waiting.text });
    delete waiting.text;
  };
  for (const block of blocks) {
    if (block.kind === "text") {
      const written = writeContent(block, context).map((part) => signed(part, waiting.text));
      if (written.length > 0) delete waiting.text;
      appendAll(parts, written);
      continue;
    }
    flush();
    if (block.kind === "thinking") appendAll(parts, thinkingParts(block, waiting, context));
    else if (block.kind === "call") {
      const state = ownState(block.state, block.statePath, context);
      parts.push(signed(writeCall(block, context), state?.data ?? waiting.calls.take()));
    } else appendAll(parts, writeContent(block, context));
  }
  flush();
  return context.target.traits.thoughtSignatures ? withFirstSigned(parts) : parts;
}

function thinkingParts(
  block: ThinkingBlock,
  waiting: Waiting,
  context: WriteContext,
): JsonObject[] {
  const state = ownState(block.state, statePath(block, context), context);
  const place = state && signedPartOf(state);
  const parts: JsonObject[] = [];
  if (block.text !== "") {
    parts.push(
      signed({ text: block.text, thought: true }, place === "thought" ? state?.data : undefined),
    );
  }
  if (!state) return parts;
  if (place === "text") waiting.text = state.data;
  else if (place === "call") waiting.calls.add(state.data);
  else if (place === "empty" || block.text === "")
    parts.push(signed({ text: "", ...(place === "thought" && { thought: true }) }, state.data));
  return parts;
}

/** Where the client keeps the state of a thinking block. */
function statePath(block: ThinkingBlock, context: WriteContext): string {
  if (block.path === "") return "";
  const paths = clientPaths[context.request.format];
  const member = block.redacted === true ? paths.hiddenThinkingState : paths.thinkingState;
  return member === undefined ? block.path : `${block.path}.${member}`;
}

function signed(part: JsonObject, signature: string | undefined): JsonObject {
  return signature === undefined ? part : { ...part, thoughtSignature: signature };
}

/** The provider checks the first call of each step; one that another model made carries the mark that says so. */
function withFirstSigned(parts: JsonObject[]): JsonObject[] {
  const first = parts.findIndex((part) => "functionCall" in part);
  return parts.map((part, at) =>
    at === first && part["thoughtSignature"] === undefined ? signed(part, skipValidation) : part,
  );
}
