/**
 * How often times of each length were seen, as short text: a letter a bucket, then how often where that is more than
 * once, like `A3CD12`. Two texts joined are the sum of both: SQL adds histograms up without reading them.
 */

/** Every printable character of ASCII that is no digit, one a bucket. */
const letters = Array.from({ length: 94 }, (_none, index) =>
  String.fromCharCode(33 + index),
).filter((letter) => letter < "0" || letter > "9");
const bucketOfCode = new Uint8Array(128);
letters.forEach((letter, index) => (bucketOfCode[letter.charCodeAt(0)] = index));
/** First millisecond of each bucket; the last one is at most 1.2 times that. They reach to three hours. */
const starts = bucketStarts();
/** Joined texts are worth shortening from this length on: they hold hundreds of times. */
const longest = 600;

/** Times that this share of all others does not exceed: half of them, 95 %, 99 %. */
export interface Percentiles {
  p50: number;
  p95: number;
  p99: number;
}

function bucketStarts(): number[] {
  const found: number[] = [];
  for (let at = 0; found.length < letters.length; at = Math.floor(at * 1.2) + 1) found.push(at);
  return found;
}

/** The histogram of one time in milliseconds; empty without a time. */
export function histogramOf(time: number | null): string {
  if (time === null || !(time >= 0)) return "";
  let [bucket, above] = [0, starts.length];
  while (above - bucket > 1) {
    const middle = (bucket + above) >> 1;
    if ((starts[middle] ?? 0) <= time) bucket = middle;
    else above = middle;
  }
  return letters[bucket] ?? "";
}

/** Whether the histogram should be written anew in fewer characters. */
export function isLong(histogram: string): boolean {
  return histogram.length > longest;
}

/** The same histogram with each bucket once. */
export function shortened(histogram: string): string {
  const parts = Array.from(countsOf(histogram), (times, index) =>
    times === 0 ? "" : `${letters[index] ?? ""}${times === 1 ? "" : times}`,
  );
  return parts.join("");
}

/** The sum of two. */
export function addHistograms(one: string, other: string): string {
  const both = one + other;
  return isLong(both) ? shortened(both) : both;
}

/** By nearest rank, in ms, at most a tenth off; null without a time. */
export function percentilesOf(histogram: string): Percentiles | null {
  if (histogram === "") return null;
  const counts = countsOf(histogram);
  let total = 0;
  for (const times of counts) total += times;
  const at = (share: number): number => middleOf(bucketAt(counts, Math.ceil(share * total)));
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

/** How many times each bucket has. */
function countsOf(histogram: string): Float64Array {
  const counts = new Float64Array(letters.length);
  for (let at = 0; at < histogram.length;) {
    const bucket = bucketOfCode[histogram.charCodeAt(at)] ?? 0;
    let times = 0;
    for (at += 1; isDigit(histogram.charCodeAt(at)); at += 1)
      times = times * 10 + histogram.charCodeAt(at) - 48;
    counts[bucket] = (counts[bucket] ?? 0) + (times === 0 ? 1 : times);
  }
  return counts;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function bucketAt(counts: Float64Array, rank: number): number {
  let bucket = 0;
  for (let seen = counts[0] ?? 0; seen < rank; seen += counts[bucket] ?? 0) bucket += 1;
  return bucket;
}

/** The time that is as far from the bucket's first as from its last, as a ratio. */
function middleOf(bucket: number): number {
  const first = starts[bucket] ?? 0;
  const last = Math.max(first, (starts[bucket + 1] ?? first + 1) - 1);
  return Math.round(Math.sqrt(first * last) * 10) / 10;
}
