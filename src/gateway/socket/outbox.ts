/**
 * Frames on their way to the client. The runtime takes every frame at once and never says how many wait for a client
 * that does not read, so what may still be unread is counted here: a client that goes on from a response has read it.
 */
import type { KeptMemory } from "../isolate/memory-budget.ts";

/** Characters that may be unread before the socket is cut, and those behind which it takes no further message. */
const mostUnread = 64 * 1024 * 1024;
const fullUnread = 32 * 1024 * 1024;
/** Beyond so many they count among what the isolate's memory holds: most clients have read long since what they got. */
const usualUnread = 4 * 1024 * 1024;

/** Codes of RFC 6455 with which a socket is closed. */
export const closeCodes = { done: 1000, refused: 1008, unread: 1013 } as const;

/** What is sent to one client. */
export class SocketOutbox {
  readonly #socket: WebSocket;
  readonly #memory: KeptMemory;
  readonly #onCut: () => void;
  #unread = 0;
  #closed = false;

  /** `onCut`: called when a client that does not read is given up. */
  constructor(socket: WebSocket, memory: KeptMemory, onCut: () => void) {
    this.#socket = socket;
    this.#memory = memory;
    this.#onCut = onCut;
  }

  /** So much may be unread that the client should come with another socket. */
  get isFull(): boolean {
    return this.#unread > fullUnread;
  }

  /** Sends a frame. Nothing happens once the socket is closed. */
  send(frame: string): void {
    if (this.#closed || frame === "") return;
    this.#unread += frame.length;
    if (this.#unread > mostUnread || !this.#hasRoom()) return this.#cut();
    try {
      this.#socket.send(frame);
    } catch {
      // The client has gone; the close event follows.
      this.#closed = true;
    }
  }

  /** The client has read what was sent. */
  read(): void {
    this.#unread = 0;
    this.#memory.release();
  }

  /** The connection is gone, with everything that waited for it. */
  gone(): void {
    this.#closed = true;
    this.#memory.release();
  }

  #hasRoom(): boolean {
    return this.#unread <= usualUnread || this.#memory.keep(this.#unread);
  }

  #cut(): void {
    this.close(closeCodes.unread, "Too many unread messages.");
    this.#onCut();
  }

  /** Also answers the client's own close. It may be called again. */
  close(code: number, reason: string): void {
    this.#closed = true;
    try {
      this.#socket.close(code, reason);
    } catch {
      // Closed already.
    }
  }
}
