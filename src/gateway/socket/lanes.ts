/** The lanes of a socket: one response at a time in each, messages behind it in their order, both within bounds. */
import { Problem, problemCodes } from "../../core/problem.ts";
import type { KeptMemory } from "../isolate/memory-budget.ts";

/** What waits in a lane. */
export interface LaneMessage {
  readonly lane: string | undefined;
  /** Characters. */
  readonly size: number;
}

/** OpenAI's bounds of one socket. */
const mostRunning = 16;
const mostLanes = 32;
/** Messages that wait behind one response, and characters of all that wait. */
const mostWaiting = 16;
const mostWaitingSize = 32 * 1024 * 1024;
/** What a character of a text takes at most, in bytes. */
const characterSize = 2;
/** Seconds after which a refused message may come again. */
const pause = 1;

/** Waiting messages by lane, without the one that is being served. */
export class Lanes<Message extends LaneMessage> {
  readonly #memory: KeptMemory;
  readonly #waiting = new Map<string | undefined, Message[]>();
  #size = 0;

  constructor(memory: KeptMemory) {
    this.#memory = memory;
  }

  get isIdle(): boolean {
    return this.#waiting.size === 0;
  }

  /**
   * Takes the message in: true where its lane is free, so that it is served now. `known`: lanes that keep a response.
   * Throws where there are too many lanes, too many responses, or too much waits.
   */
  enter(message: Message, known: ReadonlySet<string | undefined>): boolean {
    const { lane, size } = message;
    const queue = this.#waiting.get(lane);
    if (queue === undefined) {
      this.#checkNew(lane, known);
      this.#waiting.set(lane, []);
      return true;
    }
    if (queue.length >= mostWaiting || this.#size + size > mostWaitingSize)
      throw busy("lane_full", "Too many messages are waiting for a response.");
    if (!this.#memory.keep(characterSize * (this.#size + size))) throw overloaded();
    this.#size += size;
    queue.push(message);
    return false;
  }

  /** The lane's response has ended: the next message to serve, if one waits. */
  next(lane: string | undefined): Message | undefined {
    const message = this.#waiting.get(lane)?.shift();
    if (message === undefined) this.#waiting.delete(lane);
    else this.#hold(this.#size - message.size);
    return message;
  }

  /** Whatever waits is taken out. */
  clear(): Message[] {
    const messages = [...this.#waiting.values()].flat();
    for (const queue of this.#waiting.values()) queue.length = 0;
    this.#hold(0);
    return messages;
  }

  #hold(size: number): void {
    this.#size = size;
    this.#memory.keep(characterSize * size);
  }

  #checkNew(lane: string | undefined, known: ReadonlySet<string | undefined>): void {
    if (this.#waiting.size >= mostRunning)
      throw busy(limitCode, `At most ${mostRunning} responses run at once over a WebSocket.`);
    const lanes = new Set([...known, ...this.#waiting.keys(), lane].filter(isNamed));
    if (lanes.size <= mostLanes) return;
    const message = `At most ${mostLanes} lanes (stream_id) are possible over a WebSocket.`;
    throw new Problem(problemCodes.invalidRequest, message, { code: limitCode, exact: true });
  }
}

const limitCode = "websocket_stream_limit_reached";
const isNamed = (lane: string | undefined): boolean => lane !== undefined;

function busy(code: string, message: string): Problem {
  return new Problem(problemCodes.concurrency, `${message} Try again in ${pause} s.`, {
    code,
    headers: { "Retry-After": String(pause) },
    exact: true,
  });
}

function overloaded(): Problem {
  const message = `The gateway's memory is full. Try again in ${pause} s.`;
  return new Problem(problemCodes.overloaded, message, {
    headers: { "Retry-After": String(pause) },
  });
}
