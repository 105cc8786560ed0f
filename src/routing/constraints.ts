/** Which models can serve a request at all, and why the others cannot. What is unknown of a model is no obstacle. */
import type { ModelRequest } from "../core/request.ts";
import type { ListedModel } from "../providers/connection/connection.ts";
import type { AutoRequest } from "./decision.ts";
import type { View } from "./view.ts";

export interface Demands {
  tools: boolean;
  images: boolean;
  documents: boolean;
  audio: boolean;
  structured: boolean;
  /** It goes on from something that its provider keeps. */
  refers: boolean;
  speech?: AutoRequest["speech"] | undefined;
  /** Estimated input tokens, with a margin. */
  input: number;
  /** Output tokens that must fit beside them. */
  output: number;
}

/** Estimates err: the input is taken this much larger. */
const margin = 1.1;
/** Room for an answer where the client sets no limit. */
const usualAnswer = 1024;

/** What a request demands of a model. */
export function demandsOf(
  { turn, speech }: Pick<AutoRequest, "turn" | "speech">,
  view: View,
  inputTokens: number,
): Demands {
  return {
    tools: view.tools > 0 && turn.choice?.type !== "none",
    images: view.images > 0,
    documents: view.documents > 0,
    audio: view.audio > 0,
    structured: turn.output?.type === "schema",
    refers: turn.previousResponseId !== undefined || (turn.responsesOnly?.length ?? 0) > 0,
    speech,
    input: Math.ceil(inputTokens * margin),
    output: turn.maxOutput ?? usualAnswer,
  };
}

/** Whether a request goes on from an answer or a conversation that its provider keeps. */
export function refersBack({ previousResponseId, responsesOnly }: ModelRequest): boolean {
  return previousResponseId !== undefined || responsesOnly?.includes("conversation") === true;
}

/** Whether items of the conversation are named by their ids: readers leave those out as a whole. */
export function namesItems({ unsupported }: ModelRequest): boolean {
  return unsupported.includes("input[]");
}

/** Why a model cannot serve it, or undefined when it can or nobody knows. */
export function obstacle(model: ListedModel, demands: Demands): string | undefined {
  return kindObstacle(model) ?? demandObstacle(model, demands) ?? ownObstacle(model, demands);
}

/** Why a model can serve no chat at all. The same for every request. */
export function kindObstacle({ info }: ListedModel): string | undefined {
  const { outputModalities: writes, supportedEndpoints: endpoints } = info;
  if (writes && !writes.includes("text")) return "no text output";
  const talks =
    endpoints && endpoints.length > 0
      ? endpoints.some((endpoint) => chatEndpoints.test(endpoint))
      : !otherKinds.test(info.id);
  return talks ? undefined : "not a chat model";
}

const otherKinds =
  /embed|whisper|tts|transcri|dall-e|moderation|rerank|realtime|gpt-image|imagen|sora|veo-|speech|guard/i;
const chatEndpoints = /chat|responses|messages|generate_?content|completions/i;

/** Why a chat model cannot serve requests of this kind. Depends on what `demandBits` tells apart, no more. */
export function demandObstacle({ info }: ListedModel, demands: Demands): string | undefined {
  const { inputModalities: reads, features } = info;
  if (demands.tools && features && !features.includes("tools")) return "no tools";
  if (demands.images && reads && !reads.includes("image")) return "no images";
  if (demands.audio && reads && !reads.includes("audio")) return "no audio";
  if (demands.documents && reads && !reads.some((kind) => documentKinds.has(kind)))
    return "no documents";
  return undefined;
}

/** Why a model cannot serve this very request: what it refers to, its schema, its length. */
export function ownObstacle(model: ListedModel, demands: Demands): string | undefined {
  return speechObstacle(model, demands) ?? lengthObstacle(model, demands);
}

function speechObstacle(
  model: ListedModel,
  { refers, structured, speech }: Demands,
): string | undefined {
  if (structured && model.info.structured === false) return "no structured output";
  if (speech === undefined || !(refers || structured)) return undefined;
  const known = speech(model);
  if (refers && !known.refers) return "keeps no earlier responses";
  return structured && !known.schemas ? "no structured output" : undefined;
}

/** Why a request is too long for a model. */
function lengthObstacle({ info }: ListedModel, demands: Demands): string | undefined {
  const { contextWindow } = info;
  if (contextWindow === undefined) return undefined;
  const needed = demands.input + Math.min(demands.output, info.maxOutput ?? demands.output);
  return needed > contextWindow ? `context ${needed} > ${contextWindow}` : undefined;
}

/** Requests with the same bits can be served by the same models, but for `ownObstacle`. */
export function demandBits(demands: Demands): number {
  const flags = [demands.tools, demands.images, demands.documents, demands.audio, isLong(demands)];
  return flags.reduce((bits, flag, at) => (flag ? bits | (1 << at) : bits), 0);
}

/** From here on an unknown window is a risk. */
function isLong({ input }: Demands): boolean {
  return input > 30_000;
}

/** Images count: a page can be shown as one. */
const documentKinds = new Set(["file", "pdf", "document", "image"]);

/** How many of the demands the model is not known to meet: known ones go before unknown ones. */
export function unknowns({ info }: ListedModel, demands: Demands): number {
  let count = 0;
  if (demands.tools && !info.features) count++;
  if ((demands.images || demands.audio || demands.documents) && !info.inputModalities) count++;
  if (info.contextWindow === undefined && isLong(demands)) count++;
  return count;
}
