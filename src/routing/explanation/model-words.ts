/** Why a decision's first model: cheapest strong enough, first of a chain, the only one able; and which were excluded. */
import type { DecisionNotes } from "./decision-notes.ts";
import { inWords } from "./tier-words.ts";
import type { NameOf, ToldRouting } from "./told-decision.ts";

/** A decision with its notes, and what its sentences need beside them. */
export interface ToldChoice {
  readonly routing: ToldRouting;
  readonly notes: DecisionNotes;
  readonly nameOf: NameOf;
  /** The model that was asked first. */
  readonly asked: string;
}

/** One sentence. */
export function modelSentence(choice: ToldChoice): string {
  const { routing, notes, nameOf, asked } = choice;
  const [planned = asked] = routing.candidates ?? [];
  const why = reasonOf(choice);
  const excluded = exclusions(routing);
  if (asked === planned) return `${nameOf(asked)} is ${why}${excluded}.`;
  if (notes.session?.verdict === "stay")
    return `${nameOf(asked)} has the conversation; ${nameOf(planned)} is ${why}${excluded}.`;
  const instead = notes.beyondBudget === planned ? "is over budget" : "failed lately";
  const price = notes.unpriced === asked ? ", whose price is not known," : "";
  return `${nameOf(planned)} is ${why} but ${instead}, so ${nameOf(asked)}${price} was used${excluded}.`;
}

function reasonOf({ routing, notes }: ToldChoice): string {
  const { models } = notes;
  const tier = routing.tier ?? "";
  if (notes.all.some((note) => note.startsWith("by=rule: "))) return `the rule's first model`;
  if (models === "of the role")
    return chainReason(routing, `models for ${roleWords(routing.role)}`);
  const isListed = models === "configured" || (models === undefined && !notes.full);
  if (isListed) return chainReason(routing, `${tier} models`);
  if (models === undefined) return `the choice for ${tier} requests`;
  return computedReason(models, { routing, notes, tier });
}

/** The harness names the models in an order. */
function chainReason({ candidates = [], excluded = [] }: ToldRouting, chain: string): string {
  if (excluded.length === 0) return `the first of your ${chain}`;
  return candidates.length > 1
    ? `the first of your ${chain} able to serve this`
    : `the only one of your ${chain} able to serve this`;
}

interface ComputedReason {
  readonly routing: ToldRouting;
  readonly notes: DecisionNotes;
  readonly tier: string;
}

/** By the texts that `tier-candidates.ts` writes. */
function computedReason(models: string, { routing, notes, tier }: ComputedReason): string {
  const elsewhere = /^\w+ has no model for this, (\w+) has$/.exec(models)?.[1];
  if (elsewhere !== undefined)
    return `a ${elsewhere} model, because no ${tier} model is able to serve this`;
  if (models.startsWith("most capable there is"))
    return `the strongest available, though rated below ${tier}`;
  if (models.startsWith("no model is known to fit"))
    return "the strongest; no model is known to be able to serve this";
  if (!models.startsWith("cheapest model")) return `the choice for ${tier} requests`;
  if ((routing.candidates ?? []).length === 1 && related(routing).length > 0)
    return `the only model able to serve this${needed(notes)}`;
  if (models.endsWith(", subscription")) return "strong enough and paid by subscription";
  if (models.endsWith(", price unknown")) return "strong enough, at an unknown price";
  return "the cheapest model strong enough";
}

const needWords: Readonly<Record<string, string>> = {
  tools: "tools",
  images: "images",
  documents: "documents",
  audio: "audio",
  structured: "structured output",
};

function needed({ all }: DecisionNotes): string {
  const needs = all.find((note) => note.startsWith("needs="))?.slice("needs=".length);
  if (needs === undefined) return "";
  return ` (it needs ${inWords(needs.split("+").map((name) => needWords[name] ?? name))})`;
}

function roleWords(role: string | undefined): string {
  return (
    { main: "conversations", subagent: "subagents", plan: "planning" }[role ?? ""] ?? `${role}`
  );
}

/** What else was there for conversations. */
function related({ excluded = [] }: ToldRouting) {
  return excluded.filter(({ why }) => why !== "not a chat model" && why !== "no text output");
}

/** Reasons that a sentence names. */
const namedReasons = 2;

function exclusions(routing: ToldRouting): string {
  const all = related(routing);
  if (all.length === 0) return "";
  const counts = new Map<string, number>();
  for (const { why } of all) {
    const words = exclusionWords(why);
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  const reasons = [...counts].sort(([, a], [, b]) => b - a).map(([words]) => words);
  const more = reasons.length > namedReasons ? ", …" : "";
  const named = reasons.slice(0, namedReasons).join(", ");
  return `; ${all.length} ${all.length === 1 ? "model" : "models"} excluded: ${named}${more}`;
}

const reasonWords: Readonly<Record<string, string>> = {
  "no images": "no image input",
  "no audio": "no audio input",
  "no documents": "no document input",
  "keeps no earlier responses": "earlier responses not stored",
  "not listed by any provider, or not allowed here": "not available",
  "beyond the budget": "over budget",
  "price unknown, and not named": "no known price",
};

/** What a reason of an exclusion says to a person. */
export function exclusionWords(why: string): string {
  return why.startsWith("context ") ? "context too small" : (reasonWords[why] ?? why);
}
