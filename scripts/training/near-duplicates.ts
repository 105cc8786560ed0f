/** Finds requests that share most of their wording: judged on such a request, a fit has seen the answer. */
import { asArray, asObject, asString, type JsonObject } from "../../src/lib/json.ts";
import type { Sample } from "./examples.ts";

/** Words of a run. Requests are compared by the runs of words that they share. */
const runLength = 4;
/** Shared runs that two requests need, and their share of the shorter request's runs. */
const minShared = 3;
const minShare = 0.6;

/** The judged samples that share no more than common phrases with any of the others. */
export function withoutNearDuplicates(
  judged: readonly Sample[],
  others: readonly Sample[],
): Sample[] {
  const index = new Map<string, number[]>();
  const sizes = others.map((other, at) => {
    const runs = runsOf(other);
    for (const run of runs) {
      const holders = index.get(run);
      if (holders) holders.push(at);
      else index.set(run, [at]);
    }
    return runs.size;
  });
  return judged.filter((sample) => {
    const runs = runsOf(sample);
    return ![...sharedRuns(runs, index)].some(([at, shared]) =>
      isNear(shared, runs.size, sizes[at] ?? 0),
    );
  });
}

/** Whether requests with `size` and `other` runs, of which some are shared, are nearly the same. */
function isNear(shared: number, size: number, other: number): boolean {
  if (shared === size && shared === other) return true;
  return shared >= Math.max(minShared, minShare * Math.min(size, other));
}

/** How many runs are shared with each of the indexed requests. */
function sharedRuns(
  runs: ReadonlySet<string>,
  index: ReadonlyMap<string, readonly number[]>,
): Map<number, number> {
  const shared = new Map<number, number>();
  for (const run of runs)
    for (const at of index.get(run) ?? []) shared.set(at, (shared.get(at) ?? 0) + 1);
  return shared;
}

const runsBySample = new WeakMap<Sample, ReadonlySet<string>>();

function runsOf(sample: Sample): ReadonlySet<string> {
  const known = runsBySample.get(sample);
  if (known !== undefined) return known;
  const runs = runsIn(wordsOf(humanText(sample.record.request)));
  runsBySample.set(sample, runs);
  return runs;
}

function runsIn(words: readonly string[]): Set<string> {
  const length = Math.min(runLength, words.length);
  const runs = new Set<string>();
  for (let at = 0; at + length <= words.length; at++)
    runs.add(words.slice(at, at + length).join(" "));
  return runs;
}

/** Words in lower case, all numbers alike; each character of a script without spaces is a word. */
function wordsOf(text: string): string[] {
  const plain = text.toLowerCase().replaceAll(/\p{N}+(?:[.,]\p{N}+)*/gu, "0");
  return (
    plain.match(
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{M}]+|0/gu,
    ) ?? []
  );
}

function humanText(request: JsonObject): string {
  const messages = asArray(request["messages"]).map((message) => asObject(message));
  return messages
    .filter((message) => message?.["role"] === "user")
    .map((message) => asString(message?.["content"]) ?? "")
    .join("\n");
}
