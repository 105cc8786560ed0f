/** What a request requires of a model, and why a model cannot serve it. Unknown abilities exclude no model. */
import type { ListedModel } from "../../providers/connection/connection.ts";
import type { RoutingInput } from "../contract/input.ts";
import { searchNeed } from "../../translation/web-search.ts";
import type { RoutingView } from "../request/request-view.ts";

/** What a model must be able to do to serve a request. */
export interface Requirements {
  readonly tools: boolean;
  readonly images: boolean;
  readonly documents: boolean;
  readonly audio: boolean;
  /** Output that follows a JSON schema. */
  readonly schemaOutput: boolean;
  /** A response or conversation that the provider stored. */
  readonly storedResponses: boolean;
  /** A search of the web that the client insists on. */
  readonly webSearch: boolean;
  readonly supportOf?: RoutingInput["supportOf"];
  /** Estimated input tokens, with a margin. */
  readonly inputTokens: number;
  /** Output tokens that must fit into the context window beside the input. */
  readonly outputTokens: number;
}

/** The requirements of a plain chat request. */
export const noRequirements: Requirements = {
  tools: false,
  images: false,
  documents: false,
  audio: false,
  schemaOutput: false,
  storedResponses: false,
  webSearch: false,
  inputTokens: 0,
  outputTokens: 0,
};

/** Covers the error of the token estimate. */
const inputMargin = 1.1;
/** Where the client sets no output limit. */
const typicalAnswerTokens = 1024;

/** What a request requires. */
export function requirementsOf(
  { request, supportOf }: Pick<RoutingInput, "request" | "supportOf">,
  view: RoutingView,
  inputTokens: number,
): Requirements {
  return {
    tools: view.tools > 0 && request.choice?.type !== "none",
    images: view.images > 0,
    documents: view.documents > 0,
    audio: view.audio > 0,
    schemaOutput: request.output?.type === "schema",
    storedResponses:
      request.previousResponseId !== undefined || (request.responsesOnly?.length ?? 0) > 0,
    webSearch: searchNeed(request) === "required",
    supportOf,
    inputTokens: Math.ceil(inputTokens * inputMargin),
    outputTokens: request.maxOutput ?? typicalAnswerTokens,
  };
}

/** Why a model cannot serve a request; undefined when it can, or when its abilities are unknown. */
export function exclusionReason(
  model: ListedModel,
  requirements: Requirements,
): string | undefined {
  return (
    nonChatReason(model) ??
    missingCapability(model, requirements) ??
    requestSpecificReason(model, requirements)
  );
}

/** Why a model is no chat model. The same for every request. */
export function nonChatReason({ info }: ListedModel): string | undefined {
  const { outputModalities, supportedEndpoints: endpoints } = info;
  if (outputModalities && !outputModalities.includes("text")) return "no text output";
  const isChat =
    endpoints && endpoints.length > 0
      ? endpoints.some((endpoint) => chatEndpoints.test(endpoint))
      : !otherPurposes.test(info.id);
  return isChat ? undefined : "not a chat model";
}

const otherPurposes =
  /embed|whisper|tts|transcri|dall-e|moderation|rerank|realtime|gpt-image|imagen|sora|veo-|speech|guard/i;
const chatEndpoints = /chat|responses|messages|generate_?content|completions/i;

/** Which capability a chat model lacks. The same for all requests with the same `capabilityBits`. */
export function missingCapability(
  { info }: ListedModel,
  requirements: Requirements,
): string | undefined {
  const { inputModalities: inputs, features } = info;
  if (requirements.tools && features && !features.includes("tools")) return "no tools";
  if (requirements.images && inputs && !inputs.includes("image")) return "no images";
  if (requirements.audio && inputs && !inputs.includes("audio")) return "no audio";
  if (requirements.documents && inputs && !inputs.some((kind) => documentInputs.has(kind)))
    return "no documents";
  return undefined;
}

/** Modalities in which a document can be sent; a page can be sent as an image. */
const documentInputs = new Set(["file", "pdf", "document", "image"]);

/** Why a model cannot serve this very request: stored responses, the output schema, the length. */
export function requestSpecificReason(
  model: ListedModel,
  requirements: Requirements,
): string | undefined {
  return unsupportedReason(model, requirements) ?? lengthReason(model, requirements);
}

function unsupportedReason(
  model: ListedModel,
  { storedResponses, schemaOutput, webSearch, supportOf }: Requirements,
): string | undefined {
  if (schemaOutput && model.info.structured === false) return "no structured output";
  if (supportOf === undefined || !(storedResponses || schemaOutput || webSearch)) return undefined;
  const support = supportOf(model);
  if (storedResponses && !support.storedResponses) return "keeps no earlier responses";
  if (webSearch && !support.webSearch) return "no web search";
  return schemaOutput && !support.schemaOutput ? "no structured output" : undefined;
}

function lengthReason(
  { info }: ListedModel,
  { inputTokens, outputTokens }: Requirements,
): string | undefined {
  const { contextWindow } = info;
  if (contextWindow === undefined) return undefined;
  const needed = inputTokens + Math.min(outputTokens, info.maxOutput ?? outputTokens);
  return needed > contextWindow ? `context ${needed} > ${contextWindow}` : undefined;
}

/** Requirements that many requests share, as bits: the key under which suitable models are cached. */
export function capabilityBits(requirements: Requirements): number {
  const { tools, images, documents, audio } = requirements;
  const flags = [tools, images, documents, audio, isLong(requirements)];
  return flags.reduce((bits, flag, at) => (flag ? bits | (1 << at) : bits), 0);
}

/** From this length on, an unknown context window is a risk. */
function isLong({ inputTokens }: Requirements): boolean {
  return inputTokens > 30_000;
}

/** Requirements of which it is unknown whether the model meets them. */
export function unknownCapabilities({ info }: ListedModel, requirements: Requirements): number {
  const { tools, images, audio, documents } = requirements;
  let unknown = 0;
  if (tools && !info.features) unknown++;
  if ((images || audio || documents) && !info.inputModalities) unknown++;
  if (info.contextWindow === undefined && isLong(requirements)) unknown++;
  return unknown;
}

/** The requirements by the names that reasons use, e.g. `tools+images`. */
export function namedRequirements(requirements: Requirements): string {
  const { tools, images, documents, audio, schemaOutput: structured } = requirements;
  return Object.entries({ tools, images, documents, audio, structured })
    .flatMap(([name, isRequired]) => (isRequired ? name : []))
    .join("+");
}
