/**
 * The repair pass of translated requests. Providers demand what clients do not always send: every call answered
 * at once, results first and in call order, ids that are unique, nothing empty.
 */
import { appendAll } from "../lib/lists.ts";
import { shortHash } from "./tool-names.ts";
import type { Block, CallBlock, Message, ResultBlock } from "../core/request.ts";

/** What stands for the result of a call that the history does not answer. */
export const missingResult = "no result recorded";

interface Matches {
  /** The result that answers a call. */
  answers: Map<CallBlock, ResultBlock>;
  /** Results that answer a call. */
  matched: Set<Block>;
  /** For each message with calls: where the last of its results stands. */
  lastResult: Map<Message, number>;
}

/**
 * The conversation as every provider takes it. Neighbours of one role are merged; results stand first in the
 * user message after their calls, in call order; orphan results become user text, unanswered calls get a neutral
 * result; empty text and empty messages are gone; call ids are unique and made of `[A-Za-z0-9_-]`, at most
 * `idLength` long. Instructions keep their place, but for those between a call and its results.
 */
export function normalize(messages: readonly Message[], idLength = 64): Message[] {
  const kept = messages.map(withoutEmpty);
  const matches = match(kept);
  const ids = newIds(kept, idLength);
  const out: Message[] = [];
  for (const message of joinTurns(kept, matches)) {
    if (message.role === "assistant") {
      const results = answers(message.blocks, matches, ids);
      // The turns that were joined are this pass's own.
      if (ids.size > 0) message.blocks = message.blocks.map((block) => renamed(block, ids));
      push(out, message);
      if (results.length > 0) out.push({ role: "user", blocks: results });
    } else push(out, { ...message, blocks: unmatchedBlocks(message.blocks, matches) });
  }
  return out;
}

/** The message itself where nothing in it is empty, as in most. */
function withoutEmpty(message: Message): Message {
  const { role, blocks } = message;
  return blocks.every((block) => saysSomething(block, role))
    ? message
    : withoutEmptyBlocks(message);
}

function saysSomething(block: Block, role: Message["role"]): boolean {
  if (block.kind === "text")
    return !isBlank(block) && !(role === "instruction" && block.text.startsWith(billingLine));
  return !isEmpty(block) && !(block.kind === "result" && block.blocks.some(isEmpty));
}

function withoutEmptyBlocks(message: Message): Message {
  const said = message.role === "instruction" ? message.blocks.map(withoutBilling) : message.blocks;
  const blocks = said.filter((block) => !isEmpty(block)).map(withoutEmptyParts);
  const spoken = blocks.filter((block) => !isBlank(block));
  // Blank text alone is something a user may send; a model's says nothing.
  const all = spoken.length > 0 || message.role === "assistant" ? spoken : blocks;
  return { ...message, blocks: all };
}

const billingLine = "x-anthropic-billing-header:";

/**
 * A line that one client puts at the head of its instructions for its own provider's accounts. It changes from version
 * to version, which would spoil every other provider's prompt cache.
 */
function withoutBilling(block: Block): Block {
  if (block.kind !== "text" || !block.text.startsWith(billingLine)) return block;
  const lineEnd = block.text.indexOf("\n");
  return { ...block, text: lineEnd < 0 ? "" : block.text.slice(lineEnd + 1) };
}

function withoutEmptyParts(block: Block): Block {
  if (block.kind !== "result" || !block.blocks.some(isEmpty)) return block;
  return { ...block, blocks: block.blocks.filter((part) => !isEmpty(part)) };
}

function isEmpty(block: Block): boolean {
  if (block.kind === "text" || block.kind === "refusal") return block.text === "";
  return (
    block.kind === "thinking" &&
    block.text === "" &&
    block.state === undefined &&
    block.redacted !== true
  );
}

function isBlank(block: Block): boolean {
  return block.kind === "text" && !/\S/.test(block.text);
}

/** Calls of one id in one message, of which those from `next` on wait for a result. */
interface WaitingCalls {
  readonly request: Message;
  readonly calls: CallBlock[];
  next: number;
}

/** Pairs each result with the latest unanswered call of its id that stands before it; in one turn, in order. */
function match(messages: readonly Message[]): Matches {
  const matches: Matches = { answers: new Map(), matched: new Set(), lastResult: new Map() };
  const open = new Map<string, WaitingCalls[]>();
  messages.forEach((request, at) => {
    for (const block of request.blocks) {
      if (block.kind === "call") addWaiting(open, block, request);
      else if (block.kind === "result") {
        const found = takeLatest(open.get(block.id) ?? []);
        if (!found) continue;
        matches.answers.set(found.call, block);
        matches.matched.add(block);
        matches.lastResult.set(found.request, at);
      }
    }
  });
  return matches;
}

function addWaiting(open: Map<string, WaitingCalls[]>, call: CallBlock, request: Message): void {
  const waiting = open.get(call.id);
  const latest = waiting?.at(-1);
  if (latest?.request === request) latest.calls.push(call);
  else if (waiting) waiting.push({ request, calls: [call], next: 0 });
  else open.set(call.id, [{ request, calls: [call], next: 0 }]);
}

/** One step a result, however many calls share an id. */
function takeLatest(
  waiting: WaitingCalls[],
): { readonly call: CallBlock; readonly request: Message } | undefined {
  const latest = waiting.at(-1);
  const call = latest?.calls[latest.next];
  if (!latest || !call) return undefined;
  latest.next++;
  if (latest.next === latest.calls.length) waiting.pop();
  return { call, request: latest.request };
}

/**
 * Merges the parts of one assistant turn: neighbours, and what was said between a call and its result with
 * nothing but instructions (or other results) in between.
 */
function joinTurns(messages: readonly Message[], matches: Matches): Message[] {
  const out: Message[] = [];
  /** The open assistant turn: where it stands in `out`, where its last result stands in `messages`. */
  let request: { at: number; until: number } | undefined;
  let answered = false;
  messages.forEach((message, at) => {
    if (message.blocks.length === 0) return;
    if (message.role === "user") {
      if (message.blocks.some((block) => !matches.matched.has(block))) request = undefined;
      else answered = true;
    }
    if (message.role !== "assistant") {
      out.push(message);
      return;
    }
    const until = matches.lastResult.get(message) ?? -1;
    const calls = message.blocks.some((block) => block.kind === "call");
    const head = request && out[request.at];
    const adjacent = request !== undefined && request.at === out.length - 1;
    if (request && head && (adjacent || (request.until > at && !(calls && answered)))) {
      appendAll(head.blocks, message.blocks);
      request = { at: request.at, until: Math.max(request.until, until) };
      return;
    }
    out.push({ ...message, blocks: [...message.blocks] });
    request = { at: out.length - 1, until };
    answered = false;
  });
  return out;
}

/** Adds a message, into the one before it where both are one speaker's. The messages of `out` are this pass's own. */
function push(out: Message[], message: Message): void {
  if (message.blocks.length === 0) return;
  const last = out.at(-1);
  if (!last || !isOneSpeaker(last, message)) {
    out.push(message);
    return;
  }
  if (message.name !== undefined) last.name = message.name;
  appendAll(last.blocks, message.blocks);
}

function isOneSpeaker(last: Message, message: Message): boolean {
  if (last.role !== message.role || message.role === "instruction") return false;
  return last.name === message.name || last.blocks.every((block) => block.kind === "result");
}

function renamed(block: Block, ids: NewIds): Block {
  const id = block.kind === "call" ? ids.get(block) : undefined;
  return block.kind === "call" && id !== undefined ? { ...block, id } : block;
}

/** The results of a turn's calls, in the order of the calls. */
function answers(blocks: readonly Block[], matches: Matches, ids: NewIds): ResultBlock[] {
  const results: ResultBlock[] = [];
  for (const block of blocks) if (block.kind === "call") results.push(answer(block, matches, ids));
  return results;
}

function answer(call: CallBlock, matches: Matches, ids: NewIds): ResultBlock {
  const id = ids.get(call) ?? call.id;
  const result = matches.answers.get(call);
  if (result?.id === id && result.call === call.call) return result;
  if (result) return { ...result, id, call: call.call };
  return {
    kind: "result",
    id,
    call: call.call,
    blocks: [{ kind: "text", text: missingResult }],
    path: "",
  };
}

/** The blocks of a user message or an instruction, without results that were moved to their calls. */
function unmatchedBlocks(blocks: readonly Block[], { matched }: Matches): Block[] {
  const kept: Block[] = [];
  for (const block of blocks) {
    if (block.kind !== "result") kept.push(block);
    else if (!matched.has(block)) appendAll(kept, asText(block));
  }
  return kept;
}

function asText({ id, blocks }: ResultBlock): Block[] {
  const text = `Result of a tool call that is not in this conversation (${id}):`;
  return [{ kind: "text", text }, ...blocks];
}

/** The ids of those calls that can't keep their own. */
type NewIds = ReadonlyMap<CallBlock, string>;

function newIds(messages: readonly Message[], idLength: number): NewIds {
  const taken = new Set<string>();
  const others: { readonly call: CallBlock; readonly at: number }[] = [];
  let at = 0;
  for (const { blocks } of messages)
    for (const block of blocks) {
      if (block.kind !== "call") continue;
      if (isLegalId(block.id, idLength) && !taken.has(block.id)) taken.add(block.id);
      else others.push({ call: block, at });
      at++;
    }
  const ids = new Map<CallBlock, string>();
  for (const { call, at: place } of others) {
    const id = freshId({ id: call.id, at: place, idLength }, taken);
    ids.set(call, id);
    taken.add(id);
  }
  return ids;
}

function isLegalId(id: string, idLength: number): boolean {
  return id.length <= idLength && /^[A-Za-z0-9_-]+$/.test(id);
}

function freshId(call: { id: string; at: number; idLength: number }, taken: Set<string>): string {
  const plain = call.id.replace(/[^A-Za-z0-9_-]/gu, "_");
  if (plain !== "" && plain.length <= call.idLength && !taken.has(plain)) return plain;
  for (let salt = 0; ; salt++) {
    const hash = shortHash(`${call.id}\n${call.at}\n${salt}`);
    const id = `${(plain === "" ? "call" : plain).slice(0, call.idLength - hash.length - 1)}_${hash}`;
    if (!taken.has(id)) return id;
  }
}
