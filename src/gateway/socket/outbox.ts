/**
 * Frames on their way to the client. The runtime takes every frame at once and never says how many wait for a client
 * that does not read, so what may still be unread is counted here: a client that goes on from a response has read it.
 */

/** Characters that may be unread before the socket is cut, and those behind which it takes no further message. */
const mostUnread = 64 * 1024 * 1024;
const fullUnread = 16 * 1024 * 1024;

/** Codes of RFC 6455 with which a socket is closed. */
export const closeCodes = { done: 1000, unwanted: 1008, unread: 1013 } as const;

export class Outbox {
  readonly #socket: WebSocket;
  #unread = 0;
  #closed = false;

  constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  /** So much may be unread that the client should come with another socket. */
  get isFull(): boolean {
    return this.#unread > fullUnread;
  }

  /** Sends a frame. Nothing happens once the socket is closed. */
  send(frame: string): void {
    if (this.#closed || frame === "") return;
    this.#unread += frame.length;
    if (this.#unread > mostUnread) return this.close(closeCodes.unread, "Too much is unread.");
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
