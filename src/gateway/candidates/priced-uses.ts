/** What of a request its model's provider charges besides text, and what of it has no known price. */
import type { ClientFormatName } from "../../core/format-name.ts";
import type { OutputKind, RequestDescription } from "../../core/format.ts";
import { unknownPrice } from "../../core/problem.ts";
import type { Block } from "../../core/request.ts";
import { largerCounts, type MediaKind, type ToolUses } from "../../core/usage.ts";
import type { ListedModel } from "../../providers/connection/connection.ts";
import { targetOf } from "../../providers/connection/target.ts";
import { billedPrices } from "../../providers/models/billed-prices.ts";
import type { ClientRequest } from "../../upstream/client-request.ts";
import { isStrict } from "../../workspace/rules/budget.ts";
import { ratesFor } from "../../workspace/rules/sums/cost.ts";
import { feeOf, pluginPrefix } from "../../workspace/rules/sums/fees.ts";
import { besideOf } from "./beside.ts";
import type { Plan } from "./candidates.ts";
import { describeSaved } from "./saved-description.ts";
import { isSearchServed } from "./side-models.ts";

interface Naming extends Pick<Plan, "harness" | "directory"> {
  /** Saved parameters are merged into requests. */
  readonly mergesParameters: boolean;
}

/** Tools that a translated request keeps. */
const translatedTools: ReadonlySet<string> = new Set(["webSearch", "code_execution"]);

/** The uses that reach the provider. Saved parameters reach every one, as they are. */
export function usesReaching(
  model: ListedModel,
  request: ClientRequest,
  naming: Naming,
): ToolUses | undefined {
  const asked = askedReaching(model, request, naming);
  const saved = savedFor(model, request, naming)?.toolUses;
  return saved === undefined ? asked : largerCounts(asked ?? {}, saved);
}

function savedFor(
  { id }: ListedModel,
  { operation }: ClientRequest,
  { harness, mergesParameters }: Naming,
): RequestDescription | undefined {
  const isMerged = mergesParameters && operation === undefined;
  return isMerged ? describeSaved(harness, id) : undefined;
}

/** Another format has few of the client's tools, and the gateway may search itself. */
function askedReaching(
  model: ListedModel,
  request: ClientRequest,
  naming: Naming,
): ToolUses | undefined {
  const { toolUses, stream } = request.description;
  if (toolUses === undefined || request.operation !== undefined) return toolUses;
  const client = clientFormat(request);
  if (client === undefined) return toolUses;
  const { format, traits } = targetOf(model, client, stream);
  const reaching: Record<string, number> = {};
  for (const [use, times = 0] of Object.entries(toolUses)) {
    const [tool = ""] = use.split(":");
    const isSearch = tool === "webSearch" && !traits.webSearch;
    // Variants of a tool are its format's own.
    if (format === client && !(isSearch && isSearchServed(naming))) reaching[use] = times;
    else if (format !== client && !isSearch && translatedTools.has(tool)) reaching[tool] = times;
  }
  return Object.keys(reaching).length === 0 ? undefined : reaching;
}

/** Undefined for a body that only its provider can read: it is relayed as it is. */
function clientFormat(request: ClientRequest): ClientFormatName | undefined {
  try {
    return request.inHub().format;
  } catch {
    return undefined;
  }
}

/** The kinds of tokens that are no text which the request may bring and the answer may hold, as far as they have prices. */
export function pricedMedia(
  model: ListedModel,
  request: ClientRequest,
  naming: Naming,
): readonly MediaKind[] {
  const media = billedPrices(model)?.media;
  if (media === undefined || request.operation !== undefined) return [];
  const kinds: MediaKind[] = outputsOf(model, request, naming).map((kind) => outputKinds[kind]);
  const { inputImage, inputAudio } = media;
  if (inputImage === undefined && inputAudio === undefined) return kinds;
  const { addsInput } = request.description;
  const blocks = request.inHub().messages.flatMap((message) => message.blocks);
  // What the provider keeps itself may hold both.
  if (inputImage !== undefined && (addsInput || holds(blocks, "image"))) kinds.push("inputImage");
  if (inputAudio !== undefined && (addsInput || holds(blocks, "audio"))) kinds.push("inputAudio");
  return kinds;
}

const outputKinds = { image: "outputImage", audio: "outputAudio" } as const;

function holds(blocks: readonly Block[], media: "image" | "audio"): boolean {
  return blocks.some((block) => {
    if (block.kind === "result") return holds(block.blocks, media);
    return block.kind === "media" && block.media === media;
  });
}

/** What the request says, or else the images that the model makes unasked. */
function outputsOf(
  model: ListedModel,
  request: ClientRequest,
  naming: Naming,
): readonly OutputKind[] {
  const outputs = savedFor(model, request, naming)?.outputs ?? request.description.outputs;
  if (outputs !== undefined) return outputs;
  return model.info.outputModalities?.includes("image") === true ? ["image"] : [];
}

interface Held extends Naming, Pick<Plan, "limits"> {}

/** Throws M305 that names what of the request has no known price with this model, where a strict limit wants it known. */
export function refuseUnpriced(model: ListedModel, request: ClientRequest, held: Held): void {
  const what = held.limits.some(isStrict) ? unpricedPart(model, request, held) : undefined;
  if (what !== undefined) throw unknownPrice(what);
}

/** The models with which everything of the request has a known price, where a strict limit wants it known. */
export function pricedModels(
  models: readonly ListedModel[],
  request: ClientRequest,
  held: Held,
): readonly ListedModel[] {
  if (!held.limits.some(isStrict)) return models;
  return models.filter((model) => unpricedPart(model, request, held) === undefined);
}

function unpricedPart(
  model: ListedModel,
  request: ClientRequest,
  naming: Naming,
): string | undefined {
  const prices = billedPrices(model);
  const { operation, description } = request;
  const hasRates = ratesFor(prices, 0) !== undefined;
  if (!hasRates && (operation === undefined || prices?.audioHour === undefined)) return model.id;
  if (operation !== undefined) return undefined;
  const uses = Object.keys(usesReaching(model, request, naming) ?? {});
  const tool = uses.find((use) => feeOf(prices, use) === undefined);
  const saved = savedFor(model, request, naming);
  if (tool !== undefined)
    return toolOf(tool, model, { ...saved?.toolNames, ...description.toolNames });
  const output = outputsOf(model, request, naming).find(
    (kind) => prices?.free === undefined && prices?.media?.[outputKinds[kind]] === undefined,
  );
  if (output !== undefined) return `${output} output of ${model.id}`;
  return unpricedBeside(model, request, naming);
}

function toolOf(
  use: string,
  { id }: ListedModel,
  names: Readonly<Record<string, string>> = {},
): string {
  const name = names[use] ?? worded(use);
  return use.startsWith(pluginPrefix) ? `${name} with ${id}` : `the tool ${name} of ${id}`;
}

/** `webSearch` as services write it. */
function worded(use: string): string {
  return use.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** What the gateway itself may ask for the answer. */
function unpricedBeside(
  model: ListedModel,
  request: ClientRequest,
  naming: Naming,
): string | undefined {
  for (const { id, prices, toolUses } of besideOf(model, { request, input: 0 }, naming)) {
    if (ratesFor(prices, 0) === undefined) return id;
    const tool = Object.keys(toolUses ?? {}).find((use) => feeOf(prices, use) === undefined);
    if (tool !== undefined) return `the tool ${worded(tool)} of ${id}`;
  }
  return undefined;
}
