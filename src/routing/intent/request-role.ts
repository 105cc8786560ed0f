/**
 * The role of a request in its client: the main work, compaction, or a background task that the client runs on its
 * own. Background tasks are recognized by the fixed words with which clients ask for them.
 */
import type { Message, ModelRequest } from "../../core/request.ts";
import type { RoutingView } from "../request/request-view.ts";

/** Tasks that clients give to a model without being asked. */
export type BackgroundTask = "title" | "topic" | "summary" | "command" | "suggestion" | "probe";

/** The role of a request. `small model`: the client asked for a small model through an alias, so it wants little. */
export type RequestRole =
  | { readonly kind: "main" }
  | { readonly kind: "compaction" }
  | { readonly kind: "background"; readonly task: BackgroundTask | "small model" };

type FixedTask = BackgroundTask | "compaction";
type FixedWords = readonly (readonly [string, FixedTask])[];

/** How an instruction begins that asks for a task. Lower case. */
const instructionWords: FixedWords = [
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

/** How the last text of the last user message begins. Lower case. */
const askWords: FixedWords = [
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
const probeAsks = new Set(["quota", "ping", "count", "test"]);

/** The role of a request; `requestedModel` is the name that the client sent, when an alias turned it into `auto`. */
export function requestRole(
  request: ModelRequest,
  view: RoutingView,
  requestedModel?: string,
): RequestRole {
  const task = fixedTask(request, view);
  if (task !== undefined && task !== "compaction") return { kind: "background", task };
  if (requestedModel !== undefined && isSmallModelName(requestedModel))
    return { kind: "background", task: "small model" };
  return { kind: task ?? "main" };
}

/** Compaction may carry tools; the other tasks never do. */
function fixedTask(request: ModelRequest, view: RoutingView): FixedTask | undefined {
  const asked = taskAskedBy(askWords, lastUserText(request));
  if (asked === "compaction") return asked;
  const instructed = taskAskedBy(instructionWords, firstInstruction(request.messages));
  if (instructed === "compaction") return instructed;
  if (view.tools > 0 || view.calls > 0) return undefined;
  return instructed ?? asked ?? (probeAsks.has(view.ask.toLowerCase()) ? "probe" : undefined);
}

/** Whether the instructions ask for compaction, so that they differ from those of the conversation. */
export function hasCompactionInstruction({ messages }: ModelRequest): boolean {
  return taskAskedBy(instructionWords, firstInstruction(messages)) === "compaction";
}

function taskAskedBy(words: FixedWords, text: string): FixedTask | undefined {
  const head = text.slice(0, 200).trimStart().toLowerCase();
  return words.find(([prefix]) => head.startsWith(prefix))?.[1];
}

/** Characters of a text that are read. */
const readLength = 400;

/** The first instruction behind the client's billing line and introduction. */
function firstInstruction(messages: readonly Message[]): string {
  for (const { role, blocks } of messages.slice(0, 4)) {
    if (role !== "instruction") continue;
    for (const block of blocks) {
      const text = block.kind === "text" ? instructionText(block.text) : undefined;
      if (text !== undefined) return text;
    }
  }
  return "";
}

/** Undefined for a billing line or introduction without a task. */
function instructionText(whole: string): string | undefined {
  const text = whole.slice(0, 2000).trimStart();
  const head = text.slice(0, 64).toLowerCase();
  const isPreface =
    head.startsWith("x-anthropic-billing-header") ||
    head.startsWith("you are claude code, anthropic");
  if (!isPreface) return text.slice(0, readLength);
  // Older versions of Claude Code put the task after the introduction in the same block.
  const lineEnd = text.indexOf("\n");
  return lineEnd > 0 && lineEnd < 200 ? text.slice(lineEnd + 1, lineEnd + readLength) : undefined;
}

/** The last text of the last user message: clients append their task to what they quote. */
function lastUserText({ messages }: ModelRequest): string {
  const last = messages.findLast((message) => message.role === "user");
  const block = last?.blocks.findLast((part) => part.kind === "text");
  return block?.kind === "text" ? block.text.slice(0, readLength) : "";
}

const smallModelName = /(?:^|[-_/.:])(?:haiku|nano|mini|small|tiny|lite|flash)(?:[-_/.:0-9]|$)/i;

function isSmallModelName(name: string): boolean {
  return smallModelName.test(name.slice(0, 200));
}
