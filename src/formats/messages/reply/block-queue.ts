/**
 * Puts the blocks of a streamed answer in the order that this format demands: strictly one after another, while readers
 * may have several open at once. An open text or thinking block gives way to whatever comes next; an open call stays
 * until it is complete, and the events of other blocks wait.
 */
import type { ReplyEvent } from "../../../core/events.ts";
import type { ReplyEcho } from "../../../core/format.ts";
import { newQueue } from "../../../lib/lists.ts";
import { callIds } from "./call-ids.ts";
import type { WrittenKinds } from "./stop-reason.ts";
import {
  blockWriter,
  type BlockContext,
  type BlockWriter,
  type WriteEvent,
} from "./write-block.ts";

type OpenEvent = Extract<ReplyEvent, { kind: "open" }>;
type PieceEvent = Extract<ReplyEvent, { kind: "delta" | "state" | "cite" | "close" }>;

/** A block that is not yet written completely. */
interface Entry {
  open: OpenEvent;
  /** Events that wait for the block's turn. */
  waiting: PieceEvent[];
  closed: boolean;
}

/** Writes the blocks of one answer. */
export interface BlockQueue {
  /** The kinds of blocks so far. */
  readonly kinds: WrittenKinds;
  /** The ids of the calls as the client has them, in the order in which they opened. */
  readonly callIds: readonly string[];
  /** `next`: the event right after it, which may be the call's state. */
  open(event: OpenEvent, next: ReplyEvent | undefined): void;
  add(event: PieceEvent): void;
  /** No more events come: writes what waits and closes the open block. */
  finish(): void;
}

/** A queue that writes events of the stream with `write`. */
export function blockQueue(write: WriteEvent, echo: ReplyEcho): BlockQueue {
  const kinds: WrittenKinds = { calls: false, refusal: false };
  const entries = new Map<number, Entry>();
  /** Keys of waiting blocks, in the order of their first event. */
  const queue = newQueue<number>();
  const queued = new Set<number>();
  const enqueue = (key: number): void => {
    queue.add(key);
    queued.add(key);
  };
  let nextIndex = 0;
  const idOf = callIds(echo);
  const written: string[] = [];
  const callId = (id: string): string => {
    const own = idOf(id);
    written.push(own);
    return own;
  };
  const { newId } = echo;
  const context: BlockContext = { write, callId, newId, nextIndex: () => nextIndex++ };
  /** The block that is open on the wire. */
  let current: { key: number; writer: BlockWriter } | undefined;

  const closeCurrent = (): void => {
    current?.writer.close();
    current = undefined;
  };
  const switchTo = (key: number, entry: Entry): BlockWriter => {
    closeCurrent();
    const writer = blockWriter(entry.open.block, context);
    current = { key, writer };
    return writer;
  };
  const start = (key: number, entry: Entry, next: ReplyEvent | undefined): void => {
    const state = next?.kind === "state" && next.key === key ? next.state : undefined;
    switchTo(key, entry).open(state);
  };
  /** Whether the current block must be complete before another one begins. */
  const isOccupied = (): boolean => {
    const entry = current && entries.get(current.key);
    return entry?.open.block.kind === "call" && !entry.closed;
  };
  const writePiece = (key: number, entry: Entry, event: PieceEvent): void => {
    if (event.kind === "close") {
      if (current?.key === key) closeCurrent();
      entries.delete(key);
      return;
    }
    const writer = current?.key === key ? current.writer : switchTo(key, entry);
    if (event.kind === "delta") writer.text(event.text);
    else if (event.kind === "cite") writer.cite(event.citation);
    else writer.state(event.state);
  };
  /** Writes the blocks that wait, in their order, until one of them occupies the wire. */
  const drain = (): void => {
    while (queued.size > 0 && !isOccupied()) {
      const key = queue.take();
      if (key === undefined) return;
      queued.delete(key);
      const entry = entries.get(key);
      if (!entry) continue;
      const { waiting } = entry;
      entry.waiting = [];
      if (hasStart(entry.open)) start(key, entry, waiting[0]);
      for (const event of waiting) writePiece(key, entry, event);
    }
  };
  return {
    kinds,
    callIds: written,
    open(event, next) {
      const { key, block } = event;
      if (block.kind === "call") kinds.calls = true;
      if (block.kind === "refusal") kinds.refusal = true;
      const entry: Entry = { open: event, waiting: [], closed: false };
      entries.set(key, entry);
      if (isOccupied()) enqueue(key);
      else if (hasStart(event)) start(key, entry, next);
    },
    add(event) {
      const { key } = event;
      const entry = entries.get(key);
      if (!entry) return;
      if (event.kind === "close") entry.closed = true;
      const isQueued = queued.has(key);
      if (current?.key !== key && (isOccupied() || isQueued)) {
        if (entry.waiting.length === 0 && !isQueued) enqueue(key);
        entry.waiting.push(event);
        return;
      }
      writePiece(key, entry, event);
      if (event.kind === "close") drain();
    },
    finish() {
      for (const entry of entries.values()) entry.closed = true;
      drain();
      closeCurrent();
    },
  };
}

/** Whether a block is written at its start; the others begin with their first event. */
function hasStart({ block }: OpenEvent): boolean {
  const isSearch = block.kind === "opaque" && block.search !== undefined;
  return block.kind === "call" || block.kind === "media" || isSearch;
}
