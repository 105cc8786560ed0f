/** What the features of the score are in words that a person understands: one row a feature. */
import { keywordGroupNames, type KeywordGroup } from "../signals/keyword-groups.ts";

/** What a bin says of the request; undefined where it says nothing worth telling. */
type BinWords = (bin: string) => string | undefined;

/** In every bin but the one of requests that have nothing of it. */
function has(words: string): BinWords {
  return (bin) => (bin === "no" || bin === "<=0" ? undefined : words);
}

/** By the size that the bin holds at most; a bin without an upper edge holds more than any. */
function sized(
  ...steps: readonly (readonly [most: number, words: string | undefined])[]
): BinWords {
  return (bin) => {
    const most = bin.startsWith("<=") ? Number(bin.slice(2)) : Infinity;
    return steps.find(([step]) => most <= step)?.[1];
  };
}

type CountedGroup = Exclude<KeywordGroup, "urge">;

/** What a request is about that has keywords of a group. */
const groupWords: Readonly<Record<CountedGroup, string>> = {
  prove: "a proof",
  abstract: "university mathematics",
  math: "mathematics",
  count: "everyday quantities",
  explain: "an explanation",
  write: "writing",
  translate: "a translation",
  code: "software",
  debug: "debugging",
  improve: "improving something",
  design: "design",
  analyse: "analysis",
  daily: "an everyday task",
  service: "a customer's question",
  chat: "small talk",
  chore: "a chore such as a title or summary",
  puzzle: "a logic puzzle",
  choice: "multiple choice",
  science: "science",
  expert: "professional knowledge",
  trace: "what a program prints",
  role: "a role to play or a list to make",
  tech: "technical systems",
  profession: "business or research",
  lookup: "a lookup",
  sequel: "several steps",
};

const ofGroups = keywordGroupNames
  .filter((name): name is CountedGroup => name !== "urge")
  .map((name) => [`cue.${name}`, has(groupWords[name])] as const);

const featureWords: ReadonlyMap<string, BinWords> = new Map([
  ...ofGroups,
  ["tools", has("tools")],
  ["tools.dialogue", has("a dialogue with tools")],
  ["asks", sized([1, undefined], [Infinity, "a longer conversation"])],
  ["calls", has("tool calls so far")],
  ["images", has("images")],
  [
    "tokens",
    sized(
      [16, "a short question"],
      [42, "a short text"],
      [220, undefined],
      [Infinity, "a long text"],
    ),
  ],
  ["numbers", has("numbers")],
  ["digits", sized([2, undefined], [Infinity, "large numbers"])],
  ["operators", has("calculations")],
  ["tex", has("formulas")],
  ["codemarks", has("code")],
  ["fences", has("code blocks")],
  ["lines", sized([12, undefined], [Infinity, "many lines"])],
  ["items", has("a list")],
  ["options", has("options to choose from")],
  ["variables", has("variables")],
  ["identifiers", has("names from code")],
  ["short.plain", has("a short question")],
  ["short.daily", has("a short question")],
  ["wordproblem", has("a word problem")],
  ["wordproblem.count", has("a word problem")],
  ["wordproblem.size", has("a word problem")],
  ["math.formula", has("formulas")],
  ["math.heavy", has("much mathematics")],
  ["math.load", has("much mathematics")],
  ["math.lines", has("mathematics")],
  ["proof.formal", has("a proof")],
  ["opening.chore", has("a chore such as a title or summary")],
  ["opening.translate", has("a translation")],
  ["opening.prove", has("a proof")],
  ["choice", has("multiple choice")],
  ["choice.science", has("multiple choice")],
  ["choice.quantity", has("options full of numbers")],
  ["code.broken", has("broken code")],
  ["code.long", has("long code")],
  ["open", has("open-ended work")],
  ["puzzle.facts", has("a puzzle with many facts")],
  ["puzzle.size", has("a logic puzzle")],
]);

/** What a feature's bin says of a request; undefined where that is the absence of something, or the feature is not known. */
export function wordsOfSignal(feature: string, bin: string): string | undefined {
  return featureWords.get(feature)?.(bin);
}
