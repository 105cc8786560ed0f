/**
 * The role of a request in its client. What the client says of it counts first, then the request's form, then the fixed
 * words with which clients ask for tasks that they run on their own.
 */
import type { RequestRoleName } from "../../core/request-role.ts";
import type { Message, ModelRequest } from "../../core/request.ts";
import type { HeaderReader } from "../../lib/header-reader.ts";
import type { RoutingView } from "../request/request-view.ts";
import type { ClientProfile } from "./client.ts";
import { isPlanMode } from "./plan-mode.ts";
import { type FormRole, roleByForm } from "./role-by-form.ts";
import { isStatedSearcher, statedRole } from "./stated-role.ts";

/** Tasks that clients give to a model without being asked. */
export type BackgroundTask =
  | "title"
  | "topic"
  | "summary"
  | "command"
  | "suggestion"
  | "utility"
  | "probe";

/**
 * The role of a request. `side request`: one of which nothing more is known, so that it gets no weak model.
 */
export type RequestRole =
  | {
      readonly kind: Exclude<RequestRoleName, "background">;
      /** An agent that only looks for things: it reads, and changes nothing. */
      readonly searches?: true;
      /** The client asked for a small model through an alias, so it wants little. */
      readonly small?: true;
    }
  | {
      readonly kind: "background";
      readonly task: BackgroundTask | "small model" | "stated" | "side request";
    };

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
  ["you are the component that summarizes internal chat history", "compaction"],
  ["you are a specialized system component responsible for distilling chat history", "compaction"],
];

/** How the instructions of agents begin that work on a delegated task. Lower case. */
const agentWords: readonly (readonly [string, "search" | "plan" | "task"])[] = [
  ["you are a file search specialist", "search"],
  ["you are a codebase search", "search"],
  ["you are a code search", "search"],
  ["you are a software architect and planning specialist", "plan"],
  ["you are an agent for claude code", "task"],
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

/** What a role is read from. */
export interface RoleInput {
  readonly request: ModelRequest;
  readonly headers: HeaderReader;
  readonly view: RoutingView;
  readonly client: ClientProfile;
  /** The name that the client sent, when an alias turned it into `auto`. */
  readonly requestedModel?: string | undefined;
}

/** The role of a request. */
export function requestRole(input: RoleInput): RequestRole {
  const stated = statedRole(input.headers);
  switch (stated) {
    case undefined:
      return roleOfBody(input) ?? unstatedWork(input);
    case "auxiliary":
      return roleOfBody(input) ?? { kind: "background", task: "side request" };
    case "background":
      return { kind: "background", task: taskOfBody(input) ?? "stated" };
    case "main":
    case "subagent":
    case "plan":
      return {
        kind: workKind(input, stated),
        ...(wantsLittle(input) && { small: true }),
        ...(stated === "subagent" && isSearcher(input) && { searches: true }),
      };
    case "compaction":
    case "safety":
      return { kind: stated };
    default:
      return stated satisfies never;
  }
}

/**
 * A client that says nothing of its requests gives its small ones to a small model. One with tools is work all the same:
 * Gemini CLI's router gives whole conversations to a small model.
 */
function unstatedWork(input: RoleInput): RequestRole {
  if (!wantsLittle(input)) return delegatedWork(input) ?? { kind: workKind(input, "main") };
  return input.view.tools > 0
    ? { kind: workKind(input, "main"), small: true }
    : { kind: "background", task: "small model" };
}

/** By the instructions that clients give to agents of their own; undefined for the conversation with the user. */
function delegatedWork({ request }: RoleInput): RequestRole | undefined {
  const agent = agentByInstruction(request);
  if (agent === undefined) return undefined;
  if (agent === "plan") return { kind: "plan" };
  return { kind: "subagent", ...(agent === "search" && { searches: true }) };
}

function agentByInstruction({
  messages,
}: ModelRequest): (typeof agentWords)[number][1] | undefined {
  const head = firstInstruction(messages).slice(0, 200).trimStart().toLowerCase();
  return agentWords.find(([prefix]) => head.startsWith(prefix))?.[1];
}

const readingTool = /^(?:read|view)(?:_?files?)?$/i;
const searchingTool = /^(?:grep|glob|search)/i;
const changingTool = /edit|write|patch|replace|create|insert|delete/i;

/** By its name, its instructions, or its tools: those that read and search, and none that changes a file. */
function isSearcher({ headers, request }: RoleInput): boolean {
  if (isStatedSearcher(headers) || agentByInstruction(request) === "search") return true;
  const names = request.tools.flatMap((tool) => (tool.kind === "hosted" ? [] : tool.name));
  return (
    names.some((name) => readingTool.test(name)) &&
    names.some((name) => searchingTool.test(name)) &&
    !names.some((name) => changingTool.test(name) && !/todo/i.test(name))
  );
}

function workKind(
  { view, client }: RoleInput,
  stated: "main" | "subagent" | "plan",
): "main" | "subagent" | "plan" {
  return stated === "main" && isPlanMode(view, client) ? "plan" : stated;
}

function wantsLittle({ requestedModel }: RoleInput): boolean {
  return requestedModel !== undefined && isSmallModelName(requestedModel);
}

type BodyRole = FormRole | FixedTask;

/** By the form, then by words; undefined where neither shows a role. */
function roleOfBody(input: RoleInput): RequestRole | undefined {
  const found = shownByBody(input);
  if (found === undefined) return undefined;
  return isTask(found) ? { kind: "background", task: found } : { kind: found };
}

function taskOfBody(input: RoleInput): BackgroundTask | undefined {
  const found = shownByBody(input);
  return found !== undefined && isTask(found) ? found : undefined;
}

function shownByBody(input: RoleInput): BodyRole | undefined {
  return roleByForm(input) ?? fixedTask(input.request, input.view);
}

function isTask(found: BodyRole): found is BackgroundTask {
  return found !== "safety" && found !== "compaction";
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
    head.startsWith("you are claude code, anthropic") ||
    head.startsWith("you are a claude agent, built on");
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
