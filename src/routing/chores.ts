/** Side tasks that clients give to a model on their own: recognised by the client's own fixed words. */
import type { Message, ModelRequest } from "../core/request.ts";
import type { View } from "./view.ts";

export type Chore =
  | "title"
  | "topic"
  | "summary"
  | "command"
  | "suggestion"
  | "probe"
  | "compaction";

/** Opening words of an instruction, and what they ask for. Lower case. */
const instructions: readonly (readonly [string, Chore])[] = [
  ["generate a concise, sentence-case title", "title"],
  ["generate a short title", "title"],
  ["generate a title for", "title"],
  ["you are a title generator", "title"],
  ["you are coming up with a succinct title", "title"],
  ["analyze if this message indicates a new conversation topic", "topic"],
  ["summarize this coding conversation", "summary"],
  ["you are a helpful ai assistant tasked with summarizing conversations", "compaction"],
  ["your task is to process bash commands", "command"],
  ["extract any file paths that this command", "command"],
  ["you are a helpful assistant that generates short titles", "title"],
  ["you are a conversation summarizer", "summary"],
];

/** Opening words of the last message. */
const asks: readonly (readonly [string, Chore])[] = [
  ["you are performing a context checkpoint compaction", "compaction"],
  ["your task is to create a detailed summary of the conversation so far", "compaction"],
  ["critical: respond with text only. do not call any tools", "compaction"],
  ["provide a detailed prompt for continuing our conversation above", "compaction"],
  ["please write a 5-10 word title", "title"],
  ["generate a title for this conversation", "title"],
  ["generate a short title", "title"],
  ["write a short title for this conversation", "title"],
  ["summarise the following message in one sentence", "summary"],
  ["summarize the following message in one sentence", "summary"],
  ["is the following a new topic?", "topic"],
  ["[suggestion mode:", "suggestion"],
  ["you are generating a short title", "title"],
  [
    "you are a helpful assistant. you will be presented with a user prompt, and your job is to provide a short title",
    "title",
  ],
];

/** Whole asks with which clients test a connection. */
const probes = new Set(["quota", "ping", "count", "test"]);

/** The side task that a request is, if it is one. Compaction may carry tools; the others never do. */
export function choreOf(turn: ModelRequest, view: View): Chore | undefined {
  const asked = opening(asks, lastText(turn));
  if (asked === "compaction") return asked;
  const told = opening(instructions, firstInstruction(turn.messages));
  if (told === "compaction") return told;
  if (view.tools > 0 || view.calls > 0) return undefined;
  if (told !== undefined) return told;
  if (asked !== undefined) return asked;
  return probes.has(view.ask.toLowerCase()) ? "probe" : undefined;
}

/** The instructions are a compaction's own: the conversation was told others. */
export function isToldToCompact(turn: ModelRequest): boolean {
  return opening(instructions, firstInstruction(turn.messages)) === "compaction";
}

function opening(list: readonly (readonly [string, Chore])[], text: string): Chore | undefined {
  const head = text.slice(0, 200).trimStart().toLowerCase();
  return list.find(([words]) => head.startsWith(words))?.[1];
}

/** The first instruction that is not an accounting line of the client. */
function firstInstruction(messages: readonly Message[]): string {
  for (const message of messages.slice(0, 4)) {
    if (message.role !== "instruction") continue;
    for (const block of message.blocks) {
      if (block.kind !== "text") continue;
      const text = block.text.slice(0, 2000).trimStart();
      const lead = text.slice(0, 64).toLowerCase();
      if (
        lead.startsWith("x-anthropic-billing-header") ||
        lead.startsWith("you are claude code, anthropic")
      ) {
        // An older client puts the task behind its name in the same block.
        const rest = text.indexOf("\n");
        if (rest > 0 && rest < 200) return text.slice(rest + 1, rest + 400);
        continue;
      }
      return text.slice(0, 400);
    }
  }
  return "";
}

/** The last text of the last human message: clients append their task behind what they quote. */
function lastText(turn: ModelRequest): string {
  const last = turn.messages.findLast((message) => message.role === "user");
  const block = last?.blocks.findLast((part) => part.kind === "text");
  return block?.kind === "text" ? block.text.slice(0, 400) : "";
}

const smallModel = /(?:^|[-_/.:])(?:haiku|nano|mini|small|tiny|lite|flash)(?:[-_/.:0-9]|$)/i;

/** Whether the name that the client asked for is that of a small model: it wants something cheap. */
export function isSmallModel(name: string): boolean {
  return smallModel.test(name.slice(0, 200));
}
