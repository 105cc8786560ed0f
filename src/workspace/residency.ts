/** Which workspaces' objects are in memory, as far as this isolate's calls tell, and how many may be. */
import { Problem, problemCodes } from "../core/problem.ts";
import type { Clock } from "../lib/clock.ts";

/** The runtime evicts an object 10 s after its last call (workerd.capnp); the rest is for what the object still writes. */
const residence = 15_000;
/** Milliseconds in which a workspace's further calls are not noted again. */
const precision = 1000;
const retryAfter = 10;

/** The workspaces that were called lately. */
export class Residency {
  /** When each was called last; the longest ago comes first. */
  readonly #calls = new Map<string, number>();
  readonly #most: number;
  readonly #now: Clock;

  /** `most`: objects that may be in memory at once. */
  constructor(most: number, now: Clock) {
    this.#most = most;
    this.#now = now;
  }

  /** Whether the workspace may be called: it is in memory already, or one more has room there. */
  hasRoom(workspace: string): boolean {
    this.#forgetEvicted();
    return this.#calls.has(workspace) || this.#calls.size < this.#most;
  }

  /** Notes a call. */
  note(workspace: string): void {
    if (this.#isNoted(workspace)) return;
    this.#calls.delete(workspace);
    this.#calls.set(workspace, this.#now());
  }

  /** Notes a call that may be refused. Throws M501. */
  enter(workspace: string): void {
    if (this.#isNoted(workspace)) return;
    if (!this.hasRoom(workspace))
      throw new Problem(
        problemCodes.overloaded,
        `Too many workspaces are in use. Try again in ${retryAfter} s.`,
        { headers: { "Retry-After": String(retryAfter) } },
      );
    this.note(workspace);
  }

  #isNoted(workspace: string): boolean {
    const at = this.#calls.get(workspace);
    return at !== undefined && this.#now() - at < precision;
  }

  #forgetEvicted(): void {
    const oldest = this.#now() - residence - precision;
    for (const [workspace, at] of this.#calls) {
      if (at > oldest) return;
      this.#calls.delete(workspace);
    }
  }
}
