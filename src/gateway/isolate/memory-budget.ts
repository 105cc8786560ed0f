/**
 * How much memory the bodies of running requests may take in one isolate: beyond it the isolate dies, and with it every
 * stream of its neighbours. A body that does not fit is refused (M501) while small ones still pass.
 */
import { Problem, problemCodes } from "../../core/problem.ts";
import type { Clock } from "../../lib/clock.ts";

/** What one request's body takes. */
export interface BodyMemory {
  /** The body has so many bytes by now, inflated. Throws M501 when there is no room for them. */
  grow(bytes: number): void;
  /** The body, which has all its bytes, holds so many JSON values. Throws M501 when there is no room for them, M300 (413) when there never is. */
  holds(values: number): void;
  /** The provider's answer has begun: of all copies only the parsed body is left. */
  sent(): void;
  /** Its provider's whole answer has so many bytes by now, inflated; false when there is no room for them. */
  answers(bytes: number): boolean;
  /** The request is over. It may be called again. */
  release(): void;
}

/** Bytes that are kept between requests. */
export interface KeptMemory {
  /** Keeps so many from now on; false, without a change, if there is no room for them. */
  keep(bytes: number): boolean;
  /** Nothing is kept any more. It may be called again. */
  release(): void;
}

export interface MemoryBudget {
  hold(): BodyMemory;
  /** For what lives longer than a request: its owner must repeat the call within `longestHold`. */
  keeper(): KeptMemory;
  /** Bytes that are held now, and how many may be. */
  usage(): { readonly used: number; readonly size: number };
}

/** Bodies up to this size always pass: what they take together is bounded by the limits of requests. */
const smallBody = 256 * 1024;
/**
 * Copies of a body or of a whole answer that exist at the worst moment: what was parsed, its text, and the bytes of what
 * is sent. Measured: four bodies of 30 MB in flight make the process grow by 2.5 times their size.
 */
const copies = 3;
/** Memory of a value besides its text, in bytes: largest if objects are small and have different names. */
const valueSize = 80;
/** Of the 128 MB that an isolate has on the hosted platform: one body of the largest size, or many of a usual one. */
const hostedBudget = 96 * 1024 * 1024;
/** With `npm start` the process has the machine's memory. */
const ownProcessBudget = 512 * 1024 * 1024;
/** A request that the platform ended runs no code any more: what it took is given back after this time, in ms. */
const longestHold = 20 * 60 * 1000;
/** Seconds after which a refused caller may try again. */
const pause = 5;

/** The budget of this isolate. Only a self-hosted process has a boot id. */
export function bodyMemoryBudget(
  { BOOT_ID }: { readonly BOOT_ID?: string },
  now: Clock,
): MemoryBudget {
  return memoryBudget(BOOT_ID === undefined ? hostedBudget : ownProcessBudget, now);
}

interface Hold {
  bytes: number;
  since: number;
}

/** A budget of so many bytes. */
export function memoryBudget(size: number, now: Clock): MemoryBudget {
  const holds = new Set<Hold>();
  let used = 0;
  const set = (hold: Hold, bytes: number): void => {
    used += bytes - hold.bytes;
    hold.bytes = bytes;
    if (bytes > 0) holds.add(hold);
    else holds.delete(hold);
  };
  const dropOld = (): void => {
    for (const hold of holds) if (now() - hold.since > longestHold) set(hold, 0);
  };
  const hasRoomFor = (hold: Hold, bytes: number): boolean => {
    const more = bytes - hold.bytes;
    if (used + more > size) dropOld();
    return used + more <= size;
  };
  const keep = (hold: Hold, bytes: number): boolean => {
    if (bytes > hold.bytes && !hasRoomFor(hold, bytes)) return false;
    set(hold, bytes);
    return true;
  };
  return {
    usage: () => ({ used, size }),
    keeper() {
      const hold: Hold = { bytes: 0, since: now() };
      return {
        keep(bytes) {
          hold.since = now();
          return keep(hold, bytes);
        },
        release: () => set(hold, 0),
      };
    },
    hold() {
      let hold: Hold | undefined;
      let answer: Hold | undefined;
      let body = 0;
      const take = (bytes: number): void => {
        hold ??= { bytes: 0, since: now() };
        // Waiting would not help.
        if (bytes > size) throw tooDense();
        if (!hasRoomFor(hold, bytes)) throw overloaded();
        set(hold, bytes);
      };
      return {
        grow(bytes) {
          if (bytes <= smallBody || bytes <= body) return;
          take(copies * bytes);
          body = bytes;
        },
        holds(values) {
          const parsed = values * valueSize;
          if (parsed <= Math.max(body, smallBody)) return;
          // Many values are written in pieces: their text exists once besides.
          take(Math.max(copies * body, 2 * body + parsed));
          body = Math.max(body, parsed);
        },
        sent() {
          if (hold !== undefined && hold.bytes > body) set(hold, body);
        },
        answers(bytes) {
          if (bytes <= smallBody) return true;
          answer ??= { bytes: 0, since: now() };
          return keep(answer, copies * bytes);
        },
        release() {
          if (hold !== undefined) set(hold, 0);
          if (answer !== undefined) set(answer, 0);
        },
      };
    },
  };
}

function tooDense(): Problem {
  const message = "body: its JSON values need more memory than the gateway has";
  return new Problem(problemCodes.invalidRequest, message, { status: 413 });
}

function overloaded(): Problem {
  return new Problem(
    problemCodes.overloaded,
    `The gateway has no memory for another large request. Try again in ${pause} s.`,
    { headers: { "Retry-After": String(pause) } },
  );
}
