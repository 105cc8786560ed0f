/** The conversation as it grows while the items of a request are read. */
import type {
  Block,
  CallBlock,
  Message,
  OpaqueState,
  ResultBlock,
  Tool,
} from "../../../core/request.ts";
import { appendAll } from "../../../lib/lists.ts";

export interface Conversation {
  /** Types of client-run tools that are offered as functions. */
  readonly clientTools: ReadonlySet<string>;
  readonly messages: Message[];
  /** Tools that items brought along. */
  readonly tools: Tool[];
  /** Item id -> call id, for outputs that name the item. */
  readonly callIds: Map<string, string>;
  /** Searches for tools that carry no call id, in order. */
  readonly searches: string[];
  /** State of the call that comes next. */
  waiting?: WaitingState;
}

/** State of a call, and where the client keeps it. */
export interface WaitingState {
  readonly state: OpaqueState;
  readonly path: string;
}

export function newConversation(clientTools: ReadonlySet<string>): Conversation {
  return { clientTools, messages: [], tools: [], callIds: new Map(), searches: [] };
}

/** What the model said: one assistant message with what came before it, unless the phases differ. */
export function addSpeech(
  blocks: Block[],
  phase: string | undefined,
  conversation: Conversation,
): void {
  const last = conversation.messages.at(-1);
  if (
    last?.role === "assistant" &&
    (last.phase === phase || (last.phase === undefined && isUnspoken(last)))
  ) {
    appendAll(last.blocks, blocks);
    if (phase !== undefined) last.phase = phase;
  } else
    conversation.messages.push({
      role: "assistant",
      blocks,
      ...(phase !== undefined && { phase }),
    });
}

function isUnspoken({ blocks }: Message): boolean {
  return blocks.every((block) => block.kind === "thinking" || block.kind === "opaque");
}

/** A block of the model, in the assistant message that is open. */
export function addToAssistant(block: Block, conversation: Conversation): void {
  const last = conversation.messages.at(-1);
  if (last?.role === "assistant") last.blocks.push(block);
  else conversation.messages.push({ role: "assistant", blocks: [block] });
}

/** A result; neighbours share a message. */
export function addResult(block: ResultBlock, conversation: Conversation): void {
  const last = conversation.messages.at(-1);
  // A message holds nothing but results, or none: its first block tells.
  if (last?.role === "user" && (last.blocks[0]?.kind ?? "result") === "result")
    last.blocks.push(block);
  else conversation.messages.push({ role: "user", blocks: [block] });
}

/** A call takes the state that stands in the item right before it. */
export function addCall(call: CallBlock, conversation: Conversation): void {
  const blocks = conversation.messages.at(-1)?.blocks;
  const before = blocks?.at(-1);
  if (
    conversation.waiting &&
    before?.kind === "thinking" &&
    before.state === conversation.waiting.state
  ) {
    if (before.text === "") blocks?.pop();
    else delete before.state;
    giveState(call, conversation.waiting);
  }
  delete conversation.waiting;
  addToAssistant(call, conversation);
}

/** Puts the state to its call, in place; false when the block is no call. */
export function giveState(block: Block | undefined, given: WaitingState | undefined): boolean {
  if (block?.kind !== "call" || !given) return false;
  block.state = given.state;
  block.statePath = given.path;
  return true;
}
