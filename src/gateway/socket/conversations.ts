/** What a socket keeps between its messages: of each lane the newest complete response, with the conversation up to it. */
import type { ConversationItems } from "../../core/socket-format.ts";
import type { KeptMemory } from "../isolate/memory-budget.ts";

/** A response that a message may go on from. */
export interface KeptConversation {
  /** The response's id, as the client was told it. */
  readonly id: string;
  readonly items: ConversationItems;
}

/** Bytes that one socket may keep. A client that names what was dropped sends everything again. */
const mostKept = 32 * 1024 * 1024;

/** The conversations of one socket. */
export class Conversations {
  readonly #memory: KeptMemory;
  readonly #byLane = new Map<string | undefined, KeptConversation>();
  #bytes = 0;

  constructor(memory: KeptMemory) {
    this.#memory = memory;
  }

  /** The lanes that keep one. */
  get lanes(): ReadonlySet<string | undefined> {
    return new Set(this.#byLane.keys());
  }

  /** The response by its id: the lane's own, or that of another, from which this lane forks. */
  find(id: string, lane: string | undefined): KeptConversation | undefined {
    const own = this.#byLane.get(lane);
    if (own?.id === id) return own;
    return [...this.#byLane.values()].findLast((other) => other.id === id);
  }

  /** Takes the place of the lane's response before; dropped where there is no room for it. */
  keep(lane: string | undefined, conversation: KeptConversation): void {
    this.#forget(lane);
    const bytes = this.#bytes + conversation.items.length;
    if (bytes > mostKept || !this.#memory.keep(bytes)) return;
    this.#bytes = bytes;
    this.#byLane.set(lane, conversation);
  }

  /** They are still wanted. */
  renew(): void {
    this.#memory.keep(this.#bytes);
  }

  /** The socket is closed. */
  drop(): void {
    this.#byLane.clear();
    this.#bytes = 0;
    this.#memory.release();
  }

  #forget(lane: string | undefined): void {
    const before = this.#byLane.get(lane);
    if (before === undefined) return;
    this.#bytes -= before.items.length;
    this.#byLane.delete(lane);
    this.#memory.keep(this.#bytes);
  }
}
