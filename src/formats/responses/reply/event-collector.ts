/** Where readers of items put their events: keys, and the rule that a text is closed before the next block opens. */
import type { OpenBlock, ReplyEvent } from "../../../core/events.ts";

/** A text or reasoning block that may be closed by whatever comes next. */
export interface Soft {
  key?: number;
}

export interface Blocks {
  /** The events since the last call. */
  take(): ReplyEvent[];
  add(event: ReplyEvent): void;
  /** Opens a block that its owner closes. Calls may stand open side by side. */
  open(block: OpenBlock): number;
  /** Opens a block that ends when another one begins. */
  openSoft(owner: Soft, block: OpenBlock): number;
  /** Ends the owner's block, if it stands open. */
  shut(owner: Soft): void;
}

export function blocks(): Blocks {
  let out: ReplyEvent[] = [];
  let nextKey = 0;
  let soft: Soft | undefined;

  const shut = (owner: Soft): void => {
    if (owner.key === undefined) return;
    out.push({ kind: "close", key: owner.key });
    delete owner.key;
    soft = undefined;
  };

  const open = (block: OpenBlock): number => {
    if (soft) shut(soft);
    const key = nextKey++;
    out.push({ kind: "open", key, block });
    return key;
  };

  return {
    take() {
      const events = out;
      out = [];
      return events;
    },
    add(event) {
      out.push(event);
    },
    open,
    openSoft(owner, block) {
      const key = open(block);
      owner.key = key;
      soft = owner;
      return key;
    },
    shut,
  };
}

/** What of the whole was not said yet; nothing when the whole does not continue what was said. */
export function rest(said: string, whole: string): string {
  return whole.startsWith(said) ? whole.slice(said.length) : "";
}
