/**
 * How much of the suites with very many cases runs: all of it with `TEST_SCOPE=full` (CI sets it), otherwise a
 * fifth that the run's seed picks. A sample is part of the whole, so that whatever it finds fails in CI too.
 */
import { random } from "./random.ts";

const share = 1 / 5;

export interface Sample {
  scope: "full" | "sample";
  /** Picks the sampled cases; `TEST_SEED` sets it. */
  seed: number;
}

/** What the environment asks for: `TEST_SCOPE`, else everything in CI; `TEST_SEED`, else a seed of this run. */
export function sampleOf(environment: NodeJS.ProcessEnv): Sample {
  const inCi = environment["CI"] !== undefined && environment["CI"] !== "";
  const scope = environment["TEST_SCOPE"] ?? (inCi ? "full" : "sample");
  if (scope !== "full" && scope !== "sample")
    throw new Error(`TEST_SCOPE is "full" or "sample", not ${JSON.stringify(scope)}`);
  const seed = Number(environment["TEST_SEED"] ?? Math.floor(Math.random() * 1_000_000));
  if (!Number.isSafeInteger(seed)) throw new Error("TEST_SEED is a whole number");
  return { scope, seed };
}

/** The environment that hands a sample on to the processes that run the tests. */
export function environmentOf({ scope, seed }: Sample): Record<string, string> {
  return { TEST_SCOPE: scope, TEST_SEED: String(seed) };
}

const { scope, seed } = sampleOf(process.env);

/** The seeds 0 to `count - 1` of a law, or the run's sample of them. `LAW_FACTOR=20` has twenty times as many. */
export function seeds(count: number): number[] {
  const factor = Number(process.env["LAW_FACTOR"] ?? 1);
  return sampled(Array.from({ length: Math.ceil(count * factor) }, (_, index) => index));
}

/** The list, or the run's sample of it, at least one, in the list's order. */
export function sampled<T>(list: readonly T[]): T[] {
  if (scope === "full") return [...list];
  const picked = new Set(shuffledIndexes(list.length).slice(0, Math.ceil(list.length * share)));
  return list.filter((_, index) => picked.has(index));
}

function shuffledIndexes(length: number): number[] {
  const rng = random(seed);
  return Array.from({ length }, (_, index) => ({ index, place: rng.next() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ index }) => index);
}
