/** Results of references that name their models: no change of routing changes them, so tuning need not play them again. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { SessionResult } from "./session.ts";

/** Results in a file, by what was played. */
export class KeptResults {
  readonly #file: string | undefined;
  readonly #results: Record<string, SessionResult[]>;

  /** Without a file nothing is kept. */
  constructor(file: string | undefined) {
    this.#file = file;
    const text = file !== undefined && existsSync(file) ? readFileSync(file, "utf8") : "{}";
    // Only this class writes it.
    this.#results = JSON.parse(text) as Record<string, SessionResult[]>;
  }

  /** What was played before, or what `play` gives. */
  async of(played: string, play: () => Promise<SessionResult[]>): Promise<SessionResult[]> {
    const kept = this.#results[played];
    if (kept !== undefined) return kept;
    const results = await play();
    this.#results[played] = results;
    if (this.#file !== undefined) writeFileSync(this.#file, JSON.stringify(this.#results));
    return results;
  }
}
