/** A client's socket: messages in, frames out, and its end. */
import type { CreateMessage, SocketMessage } from "../../core/socket-format.ts";
import { invalid } from "../../core/problem.ts";
import { CheapMessages, tooManyCheap } from "./cheap-messages.ts";
import { Conversations, type KeptConversation } from "./conversations.ts";
import { Lanes } from "./lanes.ts";
import { closeCodes, SocketOutbox } from "./outbox.ts";
import { connectionLimit, refusalFrame, unknownResponse } from "./refusal.ts";
import { isOver, type SocketAge } from "./retirement.ts";
import { serveMessage, type ServedSocket } from "./serve-message.ts";

/** What a socket is opened with. */
export type OpenedSocket = Omit<ServedSocket, "send" | "refuse" | "closed"> & {
  /** Its key proved to be made here. */
  readonly proven: boolean;
};

/** How often a socket looks whether its time is over, in ms. */
const lookInterval = 1000;
/**
 * Messages and their characters that are dropped unread after a close: they may have been on their way. Each costs the
 * runtime 5 to 10 µs, so a client that ignores the close could keep it busy.
 */
const mostDropped = { messages: 100, characters: 64 * 1024 * 1024 };

/** One of them, from its upgrade to its end. */
export class ClientSocket {
  readonly #socket: WebSocket;
  readonly #opened: OpenedSocket;
  readonly #outbox: SocketOutbox;
  readonly #conversations: Conversations;
  readonly #lanes: Lanes<CreateMessage>;
  readonly #closed = new AbortController();
  readonly #served: ServedSocket;
  readonly #openedAt: number;
  readonly #onEnd: () => void;
  readonly #cheap: CheapMessages;
  readonly #dropped = { messages: 0, characters: 0 };
  #responses = 0;

  /** `onEnd`: called when the connection is gone. */
  constructor(socket: WebSocket, opened: OpenedSocket, onEnd: () => void) {
    const { memory, now } = opened.services;
    this.#socket = socket;
    this.#opened = opened;
    this.#onEnd = onEnd;
    this.#openedAt = now();
    this.#outbox = new SocketOutbox(socket, memory.keeper(), () => this.#end());
    this.#conversations = new Conversations(memory.keeper());
    this.#lanes = new Lanes(memory.keeper());
    this.#cheap = new CheapMessages(now);
    const send = (frame: string): void => this.#outbox.send(frame);
    const refuse = (frame: string, size: number): void => this.#refuse(frame, size);
    this.#served = { ...opened, closed: this.#closed.signal, send, refuse };
  }

  /** From now on messages are taken. */
  listen(): void {
    const socket = this.#socket;
    const timer = setInterval(() => this.#look(), lookInterval);
    this.#closed.signal.addEventListener("abort", () => clearInterval(timer));
    socket.addEventListener("message", ({ data }) => this.#take(data));
    for (const type of ["close", "error"] as const)
      socket.addEventListener(type, () => this.#gone());
    socket.accept();
  }

  #take(data: string | ArrayBuffer): void {
    if (this.#closed.signal.aborted) return this.#drop(sizeOf(data));
    let lane: string | undefined;
    try {
      const message = this.#read(data);
      if (message.kind === "steer")
        this.#outbox.send(this.#opened.format.writeSteerFailed(message));
      if (message.kind !== "create") return this.#countCheap(sizeOf(data));
      lane = message.lane;
      if (this.#isOver()) {
        this.#tellOver(lane);
        return this.#countCheap(sizeOf(data));
      }
      if (this.#lanes.enter(message, this.#conversations.lanes)) this.#serve(message);
    } catch (error) {
      this.#refuse(this.#refusal(error, lane), sizeOf(data));
    }
  }

  /**
   * Ends the connection of a client that goes on sending: the runtime has no other word for it than an error thrown by
   * a listener, behind which it reads no more.
   */
  #drop(size: number): void {
    const dropped = this.#dropped;
    dropped.messages += 1;
    dropped.characters += size;
    if (dropped.messages > mostDropped.messages || dropped.characters > mostDropped.characters)
      throw new Error("The client of a WebSocket that is closed goes on sending.");
  }

  #read(data: string | ArrayBuffer): SocketMessage {
    if (typeof data !== "string")
      throw invalid("message", "must be a text frame, not a binary one");
    return this.#opened.format.readMessage(data);
  }

  /** The lane is held until the last message that waits in it has been served. */
  #serve(message: CreateMessage): void {
    this.#opened.upgrade.waitUntil(this.#serveLane(message));
  }

  async #serveLane(first: CreateMessage): Promise<void> {
    let message: CreateMessage | undefined = first;
    while (message !== undefined) {
      await this.#serveOne(message);
      message = this.#lanes.next(message.lane);
    }
    this.#look();
  }

  async #serveOne(message: CreateMessage): Promise<void> {
    const { continues, lane } = message;
    const before = continues === undefined ? undefined : this.#conversations.find(continues, lane);
    if (continues !== undefined && before === undefined)
      return this.#refuse(
        this.#refusal(unknownResponse(continues, this.#opened.format), lane),
        message.size,
      );
    if (before !== undefined) this.#outbox.read();
    if (message.warmUp && this.#opened.proven) this.#countCheap(message.size);
    if (this.#closed.signal.aborted) return;
    this.#responses += 1;
    const complete: KeptConversation | undefined = await serveMessage(
      message,
      before?.items,
      this.#served,
    );
    if (complete !== undefined && !this.#closed.signal.aborted)
      this.#conversations.keep(lane, complete);
  }

  #refusal(error: unknown, lane: string | undefined): string {
    const { upgrade: received, format } = this.#opened;
    return refusalFrame(error, { received, format, lane });
  }

  #refuse(frame: string, size: number): void {
    this.#outbox.send(frame);
    this.#countCheap(size);
  }

  /**
   * Counts a message that no model was asked for. A key that proves nothing has one try: its client has read why, and
   * needs no socket to hear it again.
   */
  #countCheap(size: number): void {
    const { upgrade: received, format, proven } = this.#opened;
    if (this.#closed.signal.aborted) return;
    if (!proven) return this.#close(closeCodes.refused, "The message was refused.");
    if (!this.#cheap.count(size)) return;
    this.#outbox.send(connectionLimit({ received, format, lane: undefined }, tooManyCheap));
    this.#close(closeCodes.refused, tooManyCheap);
  }

  #tellOver(lane: string | undefined): void {
    const { upgrade: received, format } = this.#opened;
    this.#outbox.send(connectionLimit({ received, format, lane }));
  }

  #age(): SocketAge {
    const { services, proven } = this.#opened;
    return {
      since: this.#openedAt,
      responses: this.#responses,
      proven,
      isFull: this.#outbox.isFull,
      isDraining: services.drain.announced(),
      isHosted: services.sockets.isHosted,
    };
  }

  #isOver(): boolean {
    return isOver(this.#age(), this.#opened.services.now());
  }

  /** A socket whose time is over ends between two responses. */
  #look(): void {
    if (this.#closed.signal.aborted) return;
    this.#conversations.renew();
    if (!this.#isOver()) return;
    for (const { lane } of this.#lanes.clear()) this.#tellOver(lane);
    if (!this.#lanes.isIdle) return;
    this.#tellOver(undefined);
    this.#close(closeCodes.done, "Open a new WebSocket to continue.");
  }

  #close(code: number, reason: string): void {
    this.#outbox.close(code, reason);
    this.#end();
  }

  /** Ends the calls of providers at once, and keeps nothing more. */
  #end(): void {
    if (this.#closed.signal.aborted) return;
    this.#closed.abort();
    this.#lanes.clear();
    this.#conversations.drop();
  }

  /** A socket that was closed here has its connection, and what waits to be read, until the client has gone too. */
  #gone(): void {
    this.#end();
    this.#outbox.close(closeCodes.done, "");
    this.#outbox.gone();
    this.#onEnd();
  }
}

function sizeOf(data: string | ArrayBuffer): number {
  return typeof data === "string" ? data.length : data.byteLength;
}
