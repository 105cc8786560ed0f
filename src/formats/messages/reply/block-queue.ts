/**
 * Blocks of a streamed answer in the order that this dialect demands: strictly one after another. Readers may
 * have several open at once. Text and thinking give way at once to whatever comes next; a call holds its place
 * until it is complete, and what comes meanwhile waits.
 */
import type { ReplyEcho } from "../../../core/format.ts";
import type { ReplyEvent } from "../../../core/events.ts";
import { callIds } from "./call-ids.ts";
import type { Spoken } from "./stop-reason.ts";
import { wireBlock, type BlockSink, type WireBlock } from "./write-block.ts";

type OpenEvent = Extract<ReplyEvent, { kind: "open" }>;
type BlockEvent = Extract<ReplyEvent, { kind: "delta" | "state" | "cite" | "close" }>;

interface Entry {
  open: OpenEvent;
  /** Events that wait for the block's turn. */
  waiting: BlockEvent[];
  closed: boolean;
}

export interface BlockWriter {
  readonly spoken: Spoken;
  /** `next`: the event right behind it, which may be the call's state. */
  open(event: OpenEvent, next: ReplyEvent | undefined): void;
  take(event: BlockEvent): void;
  finish(): void;
}

export function blockWriter(sink: BlockSink, echo: ReplyEcho): BlockWriter {
  const spoken: Spoken = { calls: false, refusal: false };
  const ids = callIds(echo);
  const entries = new Map<number, Entry>();
  /** Keys in the order in which they want the wire; the first has it. */
  const queue: number[] = [];
  let nextIndex = 0;
  let wire: { key: number; block: WireBlock } | undefined;

  const release = (): void => {
    wire?.block.close();
    wire = undefined;
  };
  const begin = (key: number, entry: Entry): WireBlock => {
    release();
    const block = wireBlock(entry.open.block, { sink, ids, index: () => nextIndex++ });
    wire = { key, block };
    return block;
  };
  /** Whether the block that has the wire may not be interrupted. */
  const isHeld = (): boolean => {
    const entry = wire && entries.get(wire.key);
    return entry?.open.block.kind === "call" && !entry.closed;
  };
  const say = (key: number, entry: Entry, event: BlockEvent): void => {
    if (event.kind === "close") {
      if (wire?.key === key) release();
      entries.delete(key);
      return;
    }
    const block = wire?.key === key ? wire.block : begin(key, entry);
    if (event.kind === "delta") block.text(event.text);
    else if (event.kind === "cite") block.cite(event.citation);
    else block.state(event.state);
  };
  /** Lets those that waited speak, in their order, until one of them holds the wire again. */
  const drain = (): void => {
    while (queue.length > 0 && !isHeld()) {
      const key = queue.shift();
      const entry = key === undefined ? undefined : entries.get(key);
      if (key === undefined || !entry) continue;
      const { waiting } = entry;
      entry.waiting = [];
      if (needsStart(entry.open)) start(key, entry, waiting[0]);
      for (const event of waiting) say(key, entry, event);
    }
  };
  const start = (key: number, entry: Entry, next: ReplyEvent | undefined): void => {
    const state = next?.kind === "state" && next.key === key ? next.state : undefined;
    begin(key, entry).open(state);
  };
  return {
    spoken,
    open(event, next) {
      const { key, block } = event;
      if (block.kind === "call") spoken.calls = true;
      if (block.kind === "refusal") spoken.refusal = true;
      const entry: Entry = { open: event, waiting: [], closed: false };
      entries.set(key, entry);
      if (isHeld()) queue.push(key);
      else if (needsStart(event)) start(key, entry, next);
    },
    take(event) {
      const entry = entries.get(event.key);
      if (!entry) return;
      if (event.kind === "close") entry.closed = true;
      if (wire?.key !== event.key && (isHeld() || queue.includes(event.key))) {
        if (entry.waiting.length === 0 && !queue.includes(event.key)) queue.push(event.key);
        entry.waiting.push(event);
        return;
      }
      say(event.key, entry, event);
      if (event.kind === "close") drain();
    },
    finish() {
      for (const entry of entries.values()) entry.closed = true;
      drain();
      release();
    },
  };
}

/** The others begin with their first words. */
function needsStart({ block }: OpenEvent): boolean {
  return block.kind === "call" || block.kind === "media";
}
