/**
 * The features of the score: each sorts a request into one of a few bins. None may identify the data set that a
 * prompt comes from, so there are no capitals, colons, quotes, layout habits or word lengths.
 * The names are part of `POST /api/route`, and the order is that of the tables in `weights.ts`.
 */
import { keywordGroupNames, type KeywordGroup } from "./keyword-groups.ts";
import type { RequestSignals } from "./request-signals.ts";
import type { TextScan } from "./text-scan.ts";

/** One feature of the score. */
export interface ScoreFeature {
  readonly name: string;
  /** Names of the bins; the last one has no upper edge. */
  readonly bins: readonly string[];
  /** A higher bin never lowers the tier: the training enforces it. */
  readonly monotone?: boolean;
  /** Whether it predicts the gain of a more expensive model. Most do not: open chat is not predictable. */
  readonly predictsGain?: boolean;
  readonly binOf: (signals: RequestSignals) => number;
}

/** Bin of a count: the number of edges that it exceeds. */
function binAbove(value: number, edges: readonly number[]): number {
  let bin = 0;
  while (bin < edges.length && value > (edges[bin] ?? Infinity)) bin++;
  return bin;
}

function binNames(edges: readonly number[]): string[] {
  return [...edges.map((edge) => `<=${edge}`), `>${edges.at(-1)}`];
}

function countFeature(
  name: string,
  edges: readonly number[],
  count: (signals: RequestSignals) => number,
): ScoreFeature {
  return { name, bins: binNames(edges), binOf: (signals) => binAbove(count(signals), edges) };
}

function textCount(
  name: string,
  edges: readonly number[],
  count: (text: TextScan) => number,
): ScoreFeature {
  return countFeature(name, edges, ({ text }) => count(text));
}

function flag(name: string, test: (signals: RequestSignals) => boolean): ScoreFeature {
  return { name, bins: ["no", "yes"], binOf: (signals) => (test(signals) ? 1 : 0) };
}

function textFlag(name: string, test: (text: TextScan) => boolean): ScoreFeature {
  return flag(name, ({ text }) => test(text));
}

/** A count in one kind of request; the first bin holds all other kinds. */
function countWithin(
  name: string,
  edges: readonly number[],
  { is, of }: { is: (text: TextScan) => boolean; of: (text: TextScan) => number },
): ScoreFeature {
  const binOf = ({ text }: RequestSignals): number =>
    is(text) ? 1 + binAbove(of(text), edges) : 0;
  return { name, bins: ["no", ...binNames(edges)], binOf };
}

// One entry for every name, by construction.
const groupIndexes = Object.fromEntries(
  keywordGroupNames.map((name, index) => [name, index]),
) as Record<KeywordGroup, number>;

function keywords(text: TextScan, group: KeywordGroup): number {
  return text.keywords[groupIndexes[group]] ?? 0;
}

/** Groups of which it matters how many keywords there are. */
const graded = new Set<KeywordGroup>([
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

function keywordFeature(group: KeywordGroup): ScoreFeature {
  const edges = graded.has(group) ? [0, 1, 3] : [0];
  return textCount(`cue.${group}`, edges, (text) => keywords(text, group));
}

/** Groups of open-ended work. */
const openEndedGroups: readonly KeywordGroup[] = [
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
/** Groups that speak against a short question being simple. */
const hardGroups: readonly KeywordGroup[] = [
  ...openEndedGroups,
  "prove",
  "abstract",
  "math",
  "science",
  "expert",
  "trace",
  "choice",
];

/** Groups of which the text has a keyword. */
function groupsIn(text: TextScan, groups: readonly KeywordGroup[]): number {
  let found = 0;
  for (const group of groups) if (keywords(text, group) > 0) found++;
  return found;
}

const isPlain = (text: TextScan): boolean =>
  text.tex < 2 && text.codeMarks < 3 && text.fences === 0 && text.options < 3;

/** A calculation in prose, whatever the language. */
const isWordProblem = (text: TextScan): boolean =>
  isPlain(text) &&
  text.numbers >= 2 &&
  text.tokens >= 18 &&
  text.tokens <= 220 &&
  groupsIn(text, openEndedGroups) < 2;

const isMath = (text: TextScan): boolean =>
  text.options < 3 && (text.tex > 2 || keywords(text, "math") > 1);

const tokenCount = (text: TextScan): number => text.tokens;

const structureFeatures: readonly ScoreFeature[] = [
  { ...countFeature("tools", [0, 1, 3, 8, 16], (s) => s.tools), monotone: true },
  countFeature("asks", [1, 2, 4], (s) => s.asks),
  { ...flag("tools.dialogue", (s) => s.tools > 3 && s.asks > 1), monotone: true },
  { ...countFeature("calls", [0, 2, 9], (s) => s.calls), monotone: true },
  { ...flag("images", (s) => s.images > 0), monotone: true },
];

const textFeatures: readonly ScoreFeature[] = [
  textCount("tokens", [6, 10, 16, 26, 42, 70, 120, 220, 450], tokenCount),
  textCount("numbers", [0, 1, 2, 4, 8], (text) => text.numbers),
  textCount("digits", [2, 4], (text) => text.longestNumber),
  textCount("operators", [0, 2, 6], (text) => text.operators),
  textCount("tex", [0, 2, 6, 14], (text) => text.tex),
  textCount("codemarks", [0, 2, 8, 24], (text) => text.codeMarks),
  textCount("fences", [0, 2], (text) => text.fences),
  textCount("lines", [1, 4, 12, 30], (text) => text.lines),
  textCount("items", [0, 2, 6], (text) => text.items),
  textCount("options", [0, 2, 5], (text) => text.options),
  textCount("variables", [0, 1, 4], (text) => text.variables),
  textCount("identifiers", [0, 1, 5], (text) => text.identifiers),
];

const combinedFeatures: readonly ScoreFeature[] = [
  textFlag(
    "short.plain",
    (text) => text.tokens <= 16 && isPlain(text) && groupsIn(text, hardGroups) === 0,
  ),
  textFlag(
    "short.daily",
    (text) =>
      text.tokens <= 26 &&
      isPlain(text) &&
      keywords(text, "daily") + keywords(text, "service") + keywords(text, "chat") > 0,
  ),
  textFlag("wordproblem", isWordProblem),
  textFlag("wordproblem.count", (text) => isWordProblem(text) && keywords(text, "count") > 0),
  textFlag("math.formula", (text) => text.tex > 2 && keywords(text, "prove") === 0),
  textFlag(
    "math.heavy",
    (text) => keywords(text, "math") > 1 && (text.tex > 0 || text.variables > 1),
  ),
  textFlag(
    "proof.formal",
    (text) =>
      keywords(text, "prove") > 0 &&
      (text.tex > 0 || keywords(text, "math") + keywords(text, "abstract") > 0),
  ),
  ...(["chore", "translate", "prove"] as const).map((name) =>
    textFlag(`opening.${name}`, (text) => (text.openingKeywords[groupIndexes[name]] ?? 0) > 0),
  ),
  textFlag("choice", (text) => text.options >= 3 || keywords(text, "choice") > 0),
  textFlag(
    "choice.science",
    (text) => text.options >= 3 && keywords(text, "science") + keywords(text, "math") > 0,
  ),
  textFlag(
    "code.broken",
    (text) => keywords(text, "debug") > 0 && (keywords(text, "code") > 0 || text.codeMarks > 2),
  ),
  textFlag("code.long", (text) => text.codeMarks > 8 && text.tokens > 220),
  textCount("open", [0, 1, 2, 3], (text) => groupsIn(text, openEndedGroups)),
  textFlag("puzzle.facts", (text) => keywords(text, "puzzle") > 0 && text.items + text.lines > 4),
  // The same length means different things for different kinds of work.
  countWithin("puzzle.size", [70, 130, 220], {
    is: (text) => keywords(text, "puzzle") > 0,
    of: tokenCount,
  }),
  countWithin("wordproblem.size", [35, 50, 70, 100], { is: isWordProblem, of: tokenCount }),
  countWithin("math.load", [2, 8, 16, 28], {
    is: isMath,
    of: ({ tex, operators, variables }) => tex + operators + variables,
  }),
  countWithin("math.lines", [1, 3], { is: isMath, of: ({ lines }) => lines }),
  textFlag(
    "choice.quantity",
    (text) => text.options >= 3 && text.numbers > 4 && text.operators + text.numbers > 6,
  ),
];

/**
 * Features that predict the gain: few, so that the chance results of one pair of models are not learned. Questions
 * for a number are not among them: one pair gains much on them, another little.
 */
const gainFeatures = new Set([
  "numbers",
  "options",
  "identifiers",
  "cue.code",
  "cue.abstract",
  "cue.puzzle",
  "cue.trace",
  "cue.expert",
  "cue.analyse",
  "cue.debug",
  "math.load",
  "math.lines",
  "wordproblem.size",
  "puzzle.size",
  "choice.quantity",
]);

/** All features, in the order of the tables. */
export const scoreFeatures: readonly ScoreFeature[] = [
  ...structureFeatures,
  ...textFeatures,
  ...keywordGroupNames.filter((name) => name !== "urge").map(keywordFeature),
  ...combinedFeatures,
].map((feature) => ({ ...feature, predictsGain: gainFeatures.has(feature.name) }));

/** Cells of all tables: one for each bin of each feature. */
export const scoreCellCount = scoreFeatures.reduce((sum, { bins }) => sum + bins.length, 0);

/** The bin of every feature, in the order of `scoreFeatures`. */
export function featureBins(signals: RequestSignals): Uint8Array {
  const bins = new Uint8Array(scoreFeatures.length);
  scoreFeatures.forEach(({ binOf }, at) => {
    bins[at] = binOf(signals);
  });
  return bins;
}
