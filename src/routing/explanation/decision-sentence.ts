/** A routing decision in at most three plain sentences, made from what the log keeps of it. Pure. */
import { isOperation, type OperationName } from "../../core/operation-name.ts";
import { type ProblemCode, problemCodes } from "../../core/problem.ts";
import { failureWords, sessionWords, sideWords } from "./course-words.ts";
import { readNotes } from "./decision-notes.ts";
import { modelSentence } from "./model-words.ts";
import { tierSentence } from "./tier-words.ts";
import type { NameOf, ToldDecision, ToldRouting } from "./told-decision.ts";

/** The part of an id behind its connection: a name where nobody knows a better one. */
export function bareName(id: string): string {
  return id.slice(id.indexOf("/") + 1);
}

/** Why a request went to its model, or to none. `known`: display names where they are known. */
export function decisionSentence(told: ToldDecision, known: NameOf = bareName): string {
  const { routing } = told;
  const nameOf = distinctNames(told, known);
  if (told.attempts.length === 0 && told.model === null) return refusal(told);
  const beginning = routing === undefined ? named(told, nameOf) : decided(told, routing, nameOf);
  const { session, budget } = readNotes(told.reason ?? "");
  const course = [
    budgetWords(budget),
    sessionWords(session),
    failureWords(told, nameOf),
    sideWords(told.attempts, nameOf),
  ].filter((part) => part !== undefined);
  return [...beginning, ...(course.length === 0 ? [] : [`${course.join("; ")}.`])].join(" ");
}

function budgetWords(budget: string | undefined): string | undefined {
  return budget === undefined
    ? undefined
    : `Saving: ${budget} of the conversation's budget is spent`;
}

/** Models of one name are told apart by their connections. */
function distinctNames({ attempts, routing, model }: ToldDecision, known: NameOf): NameOf {
  const ids = [...attempts.map((attempt) => attempt.model), model, routing?.candidates?.[0]];
  return (id) => {
    const name = known(id);
    const isShared = ids.some(
      (other) => typeof other === "string" && other !== id && known(other) === name,
    );
    return isShared ? `${name} (${id.slice(0, Math.max(0, id.indexOf("/")))})` : name;
  };
}

/** What kind of request it is, and why this model. */
function decided(told: ToldDecision, routing: ToldRouting, nameOf: NameOf): string[] {
  // The decision's own line has more room for notes than that of the response.
  const own = readNotes(routing.reason ?? told.reason ?? "");
  const { session, beyondBudget, unpriced, budget } = readNotes(told.reason ?? "");
  const notes = { ...own, session, beyondBudget, unpriced, budget };
  const asked = firstAsked(told) ?? routing.candidates?.[0];
  const kind = exceptionalKind(told, own.all) ?? tierSentence(routing, own);
  const model = asked && modelSentence({ routing, notes, nameOf, asked });
  return [kind, model].filter((sentence) => sentence !== undefined && sentence !== "") as string[];
}

/** What decided in the score's place. */
function exceptionalKind({ tier }: ToldDecision, notes: readonly string[]): string | undefined {
  const header = notes.find((note) => note.startsWith("by=rule: header "));
  if (header !== undefined)
    return `The header rule “${tier}” (${header.slice("by=rule: header ".length)}) decided.`;
  return notes.includes("by=routing is off")
    ? "Automatic routing is off: the default tier serves everything."
    : undefined;
}

function firstAsked({ attempts, model }: ToldDecision): string | undefined {
  return attempts.find(({ side }) => side !== true)?.model ?? model ?? undefined;
}

const operationWords: Readonly<Record<OperationName, string>> = {
  embeddings: "embeddings",
  images: "images",
  image_edits: "an edited image",
  speech: "speech",
  transcriptions: "a transcription",
  translations: "a translation of speech",
  completions: "a text completion",
  moderations: "a moderation",
  rerank: "a ranking",
};

/** The client named the model, by its own name or by one that leads to it. */
function named(told: ToldDecision, nameOf: NameOf): string[] {
  const { format, requestedModel, tier } = told;
  const asked = firstAsked(told);
  if (asked === undefined) return [];
  if (tier !== "direct") return [olderRow(told, nameOf(asked))];
  const purpose = isOperation(format) ? ` for ${operationWords[format]}` : "";
  return isSameModel(requestedModel, asked)
    ? [`The client named ${nameOf(asked)}${purpose}.`]
    : [`The client named ${requestedModel}${purpose}, which leads to ${nameOf(asked)} here.`];
}

/** Such a row has no decision beside its tier. */
function olderRow({ model, tier }: ToldDecision, name: string): string {
  const kind = tier === null ? "request" : `${tier} tier`;
  return model === null ? `${name} was asked for the ${kind}.` : `${name} served the ${kind}.`;
}

function isSameModel(requested: string, id: string): boolean {
  return id === requested || id.endsWith(`/${requested}`);
}

const refusalWords: Readonly<Record<ProblemCode, string>> = {
  M001: "the key was missing",
  M002: "the key was empty",
  M003: "the key was malformed",
  M004: "the key had expired",
  M005: "the key is not known",
  M100: "the provider refused its credential",
  M101: "no provider is connected",
  M200: "limit reached",
  M201: "too many requests in the workspace",
  M202: "too many requests from one address",
  M203: "too many requests at once",
  M204: "the monthly quota was used up",
  M300: "the request was invalid",
  M301: "the path is unknown",
  M302: "no connected provider serves the requested model",
  M303: "the provider's address is private",
  M304: "this key may not use it",
  M305: "its price is unknown",
  M500: "the gateway failed",
  M501: "the gateway was overloaded",
};

function refusal({ error, blockedBy, left }: ToldDecision): string {
  if (left === true) return "No model: the client left before one was asked.";
  const code = Object.values(problemCodes).find((known) => error?.startsWith(`${known}: `));
  if (code === undefined) return "No model was asked.";
  // The holder's own limit is the usual one, and variants call the holder by different names.
  const isOther = blockedBy !== undefined && blockedBy !== "harness";
  const whose = code === problemCodes.limitReached && isOther ? ` of the ${blockedBy}` : "";
  return `No model: ${refusalWords[code]}${whose} (${code}).`;
}
