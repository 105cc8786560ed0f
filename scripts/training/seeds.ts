/**
 * Seed examples: hand-written requests of kinds and languages that labelled data sets lack. They are part of every
 * training set and of no evaluation.
 */
import { readFileSync } from "node:fs";
import type { JsonObject } from "../../src/lib/json.ts";
import type { TierName } from "../../src/workspace/contract/outcomes.ts";
import type { LabelledRecord } from "./data.ts";
import { seededRandom } from "./random.ts";

/** A kind of work; every example of it gets the same label. */
interface SeedKind {
  /** Probability of each tier. */
  tiers: Partial<Record<TierName, number>>;
  /** How often an expensive model is expected to succeed where a cheap one fails. */
  gain: number;
  /** Weight of its examples; 1 by default. */
  share?: number;
  /** Variants with different numbers that are made of a text with placeholders. */
  variants?: number;
  /** Numbers of tools: one example is made for each. */
  tools?: readonly number[];
  /** The request follows an earlier exchange. */
  dialogue?: boolean;
}

const kinds: Readonly<Record<string, SeedKind>> = {
  intent: { tiers: { simple: 1 }, gain: 0 },
  bank: { tiers: { simple: 1 }, gain: 0 },
  chat: { tiers: { simple: 1 }, gain: 0 },
  fact: { tiers: { simple: 1 }, gain: 0.03 },
  chore: { tiers: { simple: 1 }, gain: 0.02 },
  word: { tiers: { simple: 0.88, standard: 0.12 }, gain: 0.1, variants: 2 },
  tricky: {
    tiers: { simple: 0.6, standard: 0.3, complex: 0.08, reasoning: 0.02 },
    gain: 0.2,
    variants: 2,
  },
  easycontest: { tiers: { simple: 0.3, standard: 0.4, complex: 0.2, reasoning: 0.1 }, gain: 0.45 },
  contest: { tiers: { standard: 0.15, complex: 0.3, reasoning: 0.55 }, gain: 0.4, variants: 2 },
  proof: { tiers: { reasoning: 1 }, gain: 0.2 },
  edit: { tiers: { simple: 0.75, standard: 0.2, complex: 0.05 }, gain: 0.05 },
  snippet: { tiers: { simple: 0.7, standard: 0.3 }, gain: 0.05, share: 0.3 },
  code: { tiers: { simple: 0.25, standard: 0.6, complex: 0.15 }, gain: 0.15, share: 0.3 },
  exercise: { tiers: { simple: 0.35, standard: 0.5, complex: 0.15 }, gain: 0.1 },
  trace: { tiers: { simple: 0.55, standard: 0.35, complex: 0.1 }, gain: 0.2, share: 3 },
  compete: { tiers: { standard: 0.1, complex: 0.5, reasoning: 0.4 }, gain: 0.3 },
  hard: { tiers: { complex: 1 }, gain: 0.2, share: 1.5 },
  creative: { tiers: { simple: 0.35, standard: 0.4, complex: 0.25 }, gain: 0.1 },
  debug: { tiers: { standard: 0.1, complex: 0.9 }, gain: 0.25 },
  smallpuzzle: {
    tiers: { simple: 0.3, standard: 0.35, complex: 0.25, reasoning: 0.1 },
    gain: 0.35,
  },
  puzzle: { tiers: { standard: 0.05, complex: 0.2, reasoning: 0.75 }, gain: 0.15 },
  easychoice: { tiers: { simple: 0.85, standard: 0.1, complex: 0.05 }, gain: 0.06 },
  calcchoice: { tiers: { simple: 0.4, standard: 0.3, complex: 0.2, reasoning: 0.1 }, gain: 0.25 },
  casechoice: { tiers: { simple: 0.45, standard: 0.3, complex: 0.2, reasoning: 0.05 }, gain: 0.18 },
  hardchoice: { tiers: { simple: 0.25, standard: 0.2, complex: 0.25, reasoning: 0.3 }, gain: 0.15 },
  tool: { tiers: { standard: 1 }, gain: 0.08, share: 1.5, tools: [1, 3, 8, 20] },
  step: { tiers: { simple: 0.1, standard: 0.85, complex: 0.05 }, gain: 0.08, tools: [1] },
  job: { tiers: { complex: 0.95, reasoning: 0.05 }, gain: 0.25, tools: [1] },
  opener: { tiers: { standard: 0.25, complex: 0.75 }, gain: 0.2, tools: [12, 25] },
  agent: { tiers: { complex: 1 }, gain: 0.2, tools: [9, 18, 30], dialogue: true },
};

const files = [
  "english.txt",
  "europe.txt",
  "world.txt",
  "more.txt",
  "tools.txt",
  "choice.txt",
  "open.txt",
  "maths.txt",
  "plain.txt",
  "exercises.txt",
];

/** All examples, each with its most likely tier and the whole distribution. */
export function seedRecords(): LabelledRecord[] {
  const next = seededRandom(11);
  return files.flatMap((file) => {
    let lang = "en";
    return readFileSync(`scripts/training/seeds/${file}`, "utf8")
      .split("\n")
      .flatMap((line, at) => {
        if (line.startsWith("== ")) lang = line.slice(3);
        if (line === "" || line.startsWith("#") || line.startsWith("==")) return [];
        return recordsOf(line, { id: `${file}:${at}`, lang, next });
      });
  });
}

function recordsOf(
  line: string,
  { id, lang, next }: { id: string; lang: string; next: () => number },
): LabelledRecord[] {
  const blank = line.indexOf(" ");
  const name = line.slice(0, blank);
  const kind = kinds[name];
  if (kind === undefined) throw new Error(`${id}: no kind ${name}`);
  const text = line.slice(blank + 1).replaceAll("\\n", "\n");
  const counts = kind.tools ?? [0];
  const copies = text.includes("{a}") ? (kind.variants ?? 1) : 1;
  return counts.flatMap((tools) =>
    Array.from({ length: copies }, (_, copy) => ({
      id: `seed/${id}/${tools}/${copy}`,
      source: `seed-${name}`,
      lang,
      request: bodyOf(withNumbers(text, next), { tools, dialogue: kind.dialogue === true }),
      tier: mostLikely(kind.tiers),
      gain: kind.gain,
      share: kind.share ?? 1,
      likely: (["simple", "standard", "complex", "reasoning"] as const).map(
        (tier) => kind.tiers[tier] ?? 0,
      ),
    })),
  );
}

function mostLikely(shares: SeedKind["tiers"]): TierName {
  const sorted = Object.entries(shares).sort((a, b) => b[1] - a[1]);
  // The keys are tiers by the type of the record.
  return sorted[0]?.[0] as TierName;
}

/** Replaces `{a}`, `{b}`, `{c}` by numbers with a > b > c, so that word problems stay sensible. */
function withNumbers(text: string, next: () => number): string {
  const c = 2 + Math.floor(next() * 6);
  const b = c + 1 + Math.floor(next() * 9);
  const a = b + 2 + Math.floor(next() * 40);
  return text
    .replaceAll("{a}", String(a))
    .replaceAll("{b}", String(b))
    .replaceAll("{c}", String(c));
}

function bodyOf(
  text: string,
  { tools, dialogue }: { tools: number; dialogue: boolean },
): JsonObject {
  const before = dialogue
    ? [
        { role: "user", content: "Please log me in first." },
        { role: "assistant", content: "Done." },
      ]
    : [];
  return {
    model: "auto",
    messages: [...before, { role: "user", content: text }],
    ...(tools > 0 && {
      tools: Array.from({ length: tools }, (_, at) => ({
        type: "function",
        function: { name: `tool_${at}` },
      })),
    }),
  };
}
