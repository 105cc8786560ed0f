/** Puts the blocks of an answer one after another: events of another block than the open one wait until it is closed. */
import type { OpenBlock, ReplyEvent } from "../../../core/events.ts";
import type { OpaqueState } from "../../../core/request.ts";
import { newQueue } from "../../../lib/lists.ts";

/** An event of a block. */
export type BlockEvent = Extract<ReplyEvent, { key: number }>;

/** An event of an open block. */
export type PieceEvent = Exclude<BlockEvent, { kind: "open" }>;

/** Receives the events of one block after another. */
export interface BlockHandlers {
  /** `state`: that of a call, if it is known when the call begins. */
  onOpen(block: OpenBlock, state: OpaqueState | undefined): void;
  /** A piece of the block that was opened last. */
  onPiece(event: PieceEvent): void;
}

/** Puts the events of one answer's blocks in order. */
export interface BlockQueue {
  /** `batch`: the events that came together, in which a call's state is looked up; `at`: the event's index in it. */
  add(event: BlockEvent, batch: readonly ReplyEvent[], at: number): void;
}

/** An empty queue. */
export function blockQueue({ onOpen, onPiece }: BlockHandlers): BlockQueue {
  const waiting = new Map<number, BlockEvent[]>();
  /** Keys of waiting blocks, in the order of their start. */
  const order = newQueue<number>();
  let current: number | undefined;

  const hold = (event: BlockEvent): void => {
    const held = waiting.get(event.key);
    if (held) held.push(event);
    else if (event.kind === "open") {
      waiting.set(event.key, [event]);
      order.add(event.key);
    }
  };
  const handle: BlockQueue["add"] = (event, batch, at) => {
    const hasTurn = event.kind === "open" ? current === undefined : current === event.key;
    if (!hasTurn) return hold(event);
    if (event.kind === "open") {
      current = event.key;
      onOpen(event.block, stateOfCall(event, batch, at));
      return;
    }
    onPiece(event);
    if (event.kind === "close") current = undefined;
  };
  const takeNext = (): number | undefined => (current === undefined ? order.take() : undefined);
  /** Hands out what waits, block after block, until one of them stays open. */
  const drain = (): void => {
    for (let key = takeNext(); key !== undefined; key = takeNext()) {
      const events = waiting.get(key) ?? [];
      waiting.delete(key);
      events.forEach((event, at) => handle(event, events, at));
    }
  };
  const add: BlockQueue["add"] = (event, batch, at) => {
    handle(event, batch, at);
    if (event.kind === "close") drain();
  };
  return { add };
}

/** The state of a call that opens at index `at` of the batch, if it comes in the same batch. */
function stateOfCall(
  open: Extract<BlockEvent, { kind: "open" }>,
  batch: readonly ReplyEvent[],
  at: number,
): OpaqueState | undefined {
  if (open.block.kind !== "call") return undefined;
  for (let i = at + 1; i < batch.length; i++) {
    const event = batch[i];
    if (event?.kind === "state" && event.key === open.key) return event.state;
    if (event?.kind === "close" && event.key === open.key) return undefined;
  }
  return undefined;
}
