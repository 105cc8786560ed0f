/**
 * The features of the additive score: each sorts a request into one of a few bins. Nothing here tells one
 * collection of prompts from another: no capitals, no colons or quotes, no layout habits, no word lengths.
 */
import { cueNames } from "./cues.ts";
import type { Cue } from "./cues.ts";
import type { Scan } from "./scan.ts";

/** What the scorer reads: the scanned ask and the shape of the request round it. */
export interface Signals {
  text: Scan;
  /** Tools offered beyond those that the client always offers. */
  tools: number;
  /** Human messages. */
  asks: number;
  /** Tool calls in the conversation. */
  calls: number;
  images: number;
}

export interface Feature {
  name: string;
  /** Names of the bins; the last one is open. */
  bins: readonly string[];
  /** More of it never asks for less: the tables are fitted under that rule. */
  rising?: boolean;
  /** Whether it says anything about the gain of a dearer model. Most do not: open chat is not predictable. */
  gains?: boolean;
  bin(signals: Signals): number;
}

/** Bin of a count: the number of edges that it exceeds. */
function above(value: number, edges: readonly number[]): number {
  let bin = 0;
  while (bin < edges.length && value > (edges[bin] ?? Infinity)) bin++;
  return bin;
}

function counted(
  name: string,
  edges: readonly number[],
  read: (signals: Signals) => number,
): Feature {
  const bins = [...edges.map((edge) => `<=${edge}`), `>${edges.at(-1)}`];
  return { name, bins, bin: (signals) => above(read(signals), edges) };
}

function flag(name: string, read: (signals: Signals) => boolean): Feature {
  return { name, bins: ["no", "yes"], bin: (signals) => (read(signals) ? 1 : 0) };
}

/** A count in one kind of request; the first bin holds all other kinds. */
function within(
  name: string,
  edges: readonly number[],
  { is, of }: { is: (text: Scan) => boolean; of: (text: Scan) => number },
): Feature {
  const bins = ["no", ...edges.map((edge) => `<=${edge}`), `>${edges.at(-1)}`];
  return { name, bins, bin: ({ text }) => (is(text) ? 1 + above(of(text), edges) : 0) };
}

// One entry for every name, by construction.
const places = Object.fromEntries(cueNames.map((name, index) => [name, index])) as Record<
  Cue,
  number
>;

function cue(text: Scan, name: Cue): number {
  return text.cues[places[name]] ?? 0;
}

/** Cues of which it matters whether there are many. */
const graded = new Set<Cue>([
  "math",
  "code",
  "count",
  "abstract",
  "science",
  "expert",
  "tech",
  "profession",
  "puzzle",
]);

function cueFeature(name: Cue): Feature {
  return counted(`cue.${name}`, graded.has(name) ? [0, 1, 3] : [0], ({ text }) => cue(text, name));
}

const openCues: readonly Cue[] = [
  "code",
  "explain",
  "write",
  "design",
  "analyse",
  "improve",
  "role",
  "debug",
  "puzzle",
];
const hardCues: readonly Cue[] = [
  ...openCues,
  "prove",
  "abstract",
  "math",
  "science",
  "expert",
  "trace",
  "choice",
];

function distinct(text: Scan, names: readonly Cue[]): number {
  let found = 0;
  for (const name of names) if (cue(text, name) > 0) found++;
  return found;
}

const isPlain = (text: Scan): boolean =>
  text.tex < 2 && text.codeMarks < 3 && text.fences === 0 && text.options < 3;

/** Quantities in running words, whatever the language. */
const isWordProblem = (text: Scan): boolean =>
  isPlain(text) &&
  text.numbers >= 2 &&
  text.tokens >= 18 &&
  text.tokens <= 220 &&
  distinct(text, openCues) < 2;

const isMath = (text: Scan): boolean => text.options < 3 && (text.tex > 2 || cue(text, "math") > 1);

const tokens = (text: Scan): number => text.tokens;

const structure: Feature[] = [
  { ...counted("tools", [0, 1, 3, 8, 16], (s) => s.tools), rising: true },
  counted("asks", [1, 2, 4], (s) => s.asks),
  { ...flag("tools.dialogue", (s) => s.tools > 3 && s.asks > 1), rising: true },
  { ...counted("calls", [0, 2, 9], (s) => s.calls), rising: true },
  { ...flag("images", (s) => s.images > 0), rising: true },
];

const shape: Feature[] = [
  counted("tokens", [6, 10, 16, 26, 42, 70, 120, 220, 450], ({ text }) => text.tokens),
  counted("numbers", [0, 1, 2, 4, 8], ({ text }) => text.numbers),
  counted("digits", [2, 4], ({ text }) => text.longestNumber),
  counted("operators", [0, 2, 6], ({ text }) => text.operators),
  counted("tex", [0, 2, 6, 14], ({ text }) => text.tex),
  counted("codemarks", [0, 2, 8, 24], ({ text }) => text.codeMarks),
  counted("fences", [0, 2], ({ text }) => text.fences),
  counted("lines", [1, 4, 12, 30], ({ text }) => text.lines),
  counted("items", [0, 2, 6], ({ text }) => text.items),
  counted("options", [0, 2, 5], ({ text }) => text.options),
  counted("variables", [0, 1, 4], ({ text }) => text.variables),
  counted("identifiers", [0, 1, 5], ({ text }) => text.identifiers),
];

const combined: Feature[] = [
  flag(
    "short.plain",
    ({ text }) => text.tokens <= 16 && isPlain(text) && distinct(text, hardCues) === 0,
  ),
  flag(
    "short.daily",
    ({ text }) =>
      text.tokens <= 26 &&
      isPlain(text) &&
      cue(text, "daily") + cue(text, "service") + cue(text, "chat") > 0,
  ),
  flag("wordproblem", ({ text }) => isWordProblem(text)),
  flag("wordproblem.count", ({ text }) => isWordProblem(text) && cue(text, "count") > 0),
  flag("math.formula", ({ text }) => text.tex > 2 && cue(text, "prove") === 0),
  flag("math.heavy", ({ text }) => cue(text, "math") > 1 && (text.tex > 0 || text.variables > 1)),
  flag(
    "proof.formal",
    ({ text }) =>
      cue(text, "prove") > 0 && (text.tex > 0 || cue(text, "math") + cue(text, "abstract") > 0),
  ),
  ...(["chore", "translate", "prove"] as const).map((name) =>
    flag(`opening.${name}`, ({ text }) => (text.opening[places[name]] ?? 0) > 0),
  ),
  flag("choice", ({ text }) => text.options >= 3 || cue(text, "choice") > 0),
  flag(
    "choice.science",
    ({ text }) => text.options >= 3 && cue(text, "science") + cue(text, "math") > 0,
  ),
  flag(
    "code.broken",
    ({ text }) => cue(text, "debug") > 0 && (cue(text, "code") > 0 || text.codeMarks > 2),
  ),
  flag("code.long", ({ text }) => text.codeMarks > 8 && text.tokens > 220),
  counted("open", [0, 1, 2, 3], ({ text }) => distinct(text, openCues)),
  flag("puzzle.facts", ({ text }) => cue(text, "puzzle") > 0 && text.items + text.lines > 4),
  // How much there is of it says different things of different kinds of work.
  within("puzzle.size", [70, 130, 220], { is: (text) => cue(text, "puzzle") > 0, of: tokens }),
  within("wordproblem.size", [35, 50, 70, 100], { is: isWordProblem, of: tokens }),
  within("math.load", [2, 8, 16, 28], {
    is: isMath,
    of: ({ tex, operators, variables }) => tex + operators + variables,
  }),
  within("math.lines", [1, 3], { is: isMath, of: ({ lines }) => lines }),
  flag(
    "choice.quantity",
    ({ text }) => text.options >= 3 && text.numbers > 4 && text.operators + text.numbers > 6,
  ),
];

/** Few, so that what one pair of models happened to show does not pass for a rule. */
const gaining = new Set([
  "numbers",
  "options",
  "identifiers",
  "cue.count",
  "cue.code",
  "cue.abstract",
  "cue.puzzle",
  "cue.trace",
  "cue.expert",
  "cue.analyse",
  "cue.debug",
  "math.load",
  "math.lines",
  "wordproblem.count",
  "wordproblem.size",
  "puzzle.size",
  "choice.quantity",
]);

export const features: readonly Feature[] = [
  ...structure,
  ...shape,
  ...cueNames.filter((name) => name !== "urge").map(cueFeature),
  ...combined,
].map((feature) => ({ ...feature, gains: gaining.has(feature.name) }));

/** Cells of all tables together. */
export const cellCount = features.reduce((sum, feature) => sum + feature.bins.length, 0);

/** The bin of every feature, in the order of `features`. */
export function binsOf(signals: Signals): Uint8Array {
  const bins = new Uint8Array(features.length);
  for (let at = 0; at < bins.length; at++) bins[at] = features[at]?.bin(signals) ?? 0;
  return bins;
}
