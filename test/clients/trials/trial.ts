/** Something that a program has to get through. */
import type { Bench } from "./bench.ts";

export interface Trial {
  name: string;
  /** It depends on the gateway alone, so one provider format is enough. */
  once?: true;
  /** Returns what was wrong. */
  run(bench: Bench): Promise<string[]>;
}
