/** Collects the events of one answer: gives blocks their keys, and closes an open text before the next block opens. */
import type { OpenBlock, ReplyEvent } from "../../../core/events.ts";

/** The owner of a text, refusal or thinking block, which the next block closes. `key` is set while it is open. */
export interface TextOwner {
  key?: number;
}

/** The events of one answer. */
export interface EventCollector {
  add(event: ReplyEvent): void;
  /** Opens a block that its owner closes. Calls may be open side by side. Gives the block's key. */
  open(block: OpenBlock): number;
  /** Opens a block that is closed when another one opens. Gives the block's key. */
  openText(owner: TextOwner, block: OpenBlock): number;
  /** Closes the owner's block if it is open. */
  closeText(owner: TextOwner): void;
  /** The events since the last call. */
  drain(): ReplyEvent[];
}

/** A collector without events. */
export function eventCollector(): EventCollector {
  let events: ReplyEvent[] = [];
  let nextKey = 0;
  let current: TextOwner | undefined;

  const closeText = (owner: TextOwner): void => {
    if (owner.key === undefined) return;
    events.push({ kind: "close", key: owner.key });
    delete owner.key;
    current = undefined;
  };
  const open = (block: OpenBlock): number => {
    if (current) closeText(current);
    const key = nextKey++;
    events.push({ kind: "open", key, block });
    return key;
  };
  return {
    add(event) {
      events.push(event);
    },
    open,
    openText(owner, block) {
      const key = open(block);
      owner.key = key;
      current = owner;
      return key;
    },
    closeText,
    drain() {
      const drained = events;
      events = [];
      return drained;
    },
  };
}
