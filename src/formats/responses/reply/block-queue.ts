/** Blocks one after another: what belongs to another block than the open one waits until that one is closed. */
import type { OpenBlock, ReplyEvent } from "../../../core/events.ts";
import type { OpaqueState } from "../../../core/request.ts";

export type BlockEvent = Extract<ReplyEvent, { key: number }>;
export type PieceEvent = Exclude<BlockEvent, { kind: "open" }>;

export interface BlockSink {
  /** `state`: that of a call, where it is known when the call begins. */
  open(block: OpenBlock, state: OpaqueState | undefined): void;
  /** A piece of the block that was opened last. */
  piece(event: PieceEvent): void;
}

export interface InOrder {
  /** `later`: the events of this batch, to look for the state of a call; `at`: where in them the event stands. */
  take(event: BlockEvent, later: readonly ReplyEvent[], at: number): void;
}

export function inOrder(sink: BlockSink): InOrder {
  const waiting = new Map<number, BlockEvent[]>();
  let current: number | undefined;

  const drain = (): void => {
    const next = waiting.entries().next();
    if (current !== undefined || next.done === true) return;
    const [key, events] = next.value;
    waiting.delete(key);
    // The close among them, if it came, drains on.
    events.forEach((event, at) => take(event, events, at));
  };

  const hold = (event: BlockEvent): void => {
    const held = waiting.get(event.key);
    if (held) held.push(event);
    else if (event.kind === "open") waiting.set(event.key, [event]);
  };

  const take: InOrder["take"] = (event, later, at) => {
    const mine = event.kind === "open" ? current === undefined : current === event.key;
    if (!mine) return hold(event);
    if (event.kind === "open") {
      current = event.key;
      sink.open(event.block, callState(event, later, at));
      return;
    }
    sink.piece(event);
    if (event.kind !== "close") return;
    current = undefined;
    drain();
  };

  return { take };
}

function callState(
  open: Extract<BlockEvent, { kind: "open" }>,
  later: readonly ReplyEvent[],
  at: number,
): OpaqueState | undefined {
  if (open.block.kind !== "call") return undefined;
  for (let i = at + 1; i < later.length; i++) {
    const event = later[i];
    if (event?.kind === "state" && event.key === open.key) return event.state;
    if (event?.kind === "close" && event.key === open.key) return undefined;
  }
  return undefined;
}
