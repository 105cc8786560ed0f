/** What each candidate would cost at most, for the budgets of the workspace. */
import type { RequestDescription } from "../../core/format.ts";
import type { ModelInfo } from "../../core/model.ts";
import type { Block } from "../../core/request.ts";
import type { ListedModel } from "../../providers/connection/connection.ts";
import { targetOf } from "../../providers/connection/target.ts";
import { billedPrices } from "../../providers/models/billed-prices.ts";
import { estimateRequest } from "../../tokens/estimate.ts";
import type { ClientRequest } from "../../upstream/client-request.ts";
import type { CandidateEstimate, MostTokens } from "../../workspace/contract/admission.ts";
import { besideOf } from "./beside.ts";
import type { Plan } from "./candidates.ts";
import { pricedMedia, usesReaching } from "./priced-uses.ts";
import { describeSaved } from "./saved-description.ts";

interface Estimated {
  readonly request: ClientRequest;
  /** Saved parameters are merged into requests. */
  readonly mergesParameters: boolean;
}

/** The tokens are counted only where a limit makes them matter. */
export function estimates(
  candidates: readonly ListedModel[],
  { request, mergesParameters }: Estimated,
  held: Pick<Plan, "harness" | "limits" | "directory">,
): CandidateEstimate[] {
  const { harness, limits } = held;
  const { description } = request;
  const limited = limits.length > 0;
  const bounded = holdsBounds(limits);
  const input = limited ? estimateRequest(request.inHub()) : Math.ceil(request.size / 4);
  return candidates.map((model) => {
    const { id, info } = model;
    const prices = billedPrices(model);
    const saved = mergesParameters ? describeSaved(harness, id) : undefined;
    const asked = largestLimit(description, saved);
    const answers = Math.max(description.answers, saved?.answers ?? 1);
    const beside = limited ? besideOf(model, { request, input }, held) : [];
    const serviceTier = saved?.serviceTier ?? description.serviceTier;
    const region = saved?.region ?? description.region;
    const searchContext = saved?.searchContext ?? description.searchContext;
    const naming = { ...held, mergesParameters };
    const toolUses = usesReaching(model, request, naming);
    const media = limited ? pricedMedia(model, request, naming) : [];
    const most = bounded
      ? mostTokensOf(model, {
          input: mostInput(model, request, input),
          asked: raisedLimit(model, asked, request),
          answers,
        })
      : undefined;
    return {
      id,
      input,
      ...(limited && description.addsInput && { addedInput: mostAdded(info, input) }),
      ...(asked !== undefined && { asked: asked * answers }),
      ...(info.maxOutput !== undefined && { modelMax: info.maxOutput * answers }),
      ...(answers > 1 && { answers }),
      ...(serviceTier !== undefined && { serviceTier }),
      ...(region !== undefined && { region }),
      ...(searchContext !== undefined && { searchContext }),
      ...(media.length > 0 && { media }),
      ...(toolUses && { toolUses }),
      ...(prices !== undefined && { prices }),
      ...(beside.length > 0 && { beside }),
      ...(most !== undefined && { most }),
    };
  });
}

/** Whether a limit refuses what may not fit at most. */
export function holdsBounds(limits: Plan["limits"]): boolean {
  return limits.some(({ action, strict }) => action === "block" && strict === "bound");
}

interface Bounded {
  /** Estimated tokens. */
  readonly input: number;
  /** The limit of one answer, if one is set. */
  readonly asked: number | undefined;
  readonly answers: number;
}

/** An estimate of texts is off by less than half; a short request has some tokens of its provider's own. */
const inputMargin = 1.5;
const shortMargin = 16;

/** The most tokens that the model may read and write: where neither the client nor the catalogue says, its whole context. */
export function mostTokensOf(
  { info }: ListedModel,
  { input, asked, answers }: Bounded,
): MostTokens {
  const { contextWindow = usualWindow, maxOutput = Infinity } = info;
  const one = Math.min(asked ?? Infinity, maxOutput);
  const output = Number.isFinite(one) ? one : contextWindow;
  return { input: Math.ceil(input * inputMargin) + shortMargin, output: output * answers };
}

/**
 * Estimated tokens, or more: a relay hands on members that the hub does not have, which its provider may show the model
 * (documents, reasoning of turns before), and a file that is only referred to may fill the context.
 */
function mostInput({ info }: ListedModel, request: ClientRequest, input: number): number {
  const { messages } = request.inHub();
  const { encoded, refers } = filesIn(messages.flatMap(({ blocks }) => blocks));
  if (refers) return Math.max(input, info.contextWindow ?? usualWindow);
  const texts = (request.size - encoded) / charactersOfToken;
  return Math.max(input, texts / inputMargin);
}

const charactersOfToken = 4;

/** Characters of files that the request brings, and whether it refers to others whose length is not known. */
function filesIn(blocks: readonly Block[]): { encoded: number; refers: boolean } {
  let [encoded, refers] = [0, false];
  for (const block of blocks) {
    const file = block.kind === "media" ? block.source : undefined;
    const held = file?.type === "blocks" ? file.blocks : block.kind === "result" && block.blocks;
    if (held) {
      const within = filesIn(held);
      encoded += within.encoded;
      refers ||= within.refers;
    } else if (file?.type === "bytes") encoded += file.data.length;
    else if (file?.type === "url" || file?.type === "file")
      refers ||= block.kind === "media" && block.media !== "image";
  }
  return { encoded, refers };
}

/** A limit that is smaller than the provider allows is raised to that. */
function raisedLimit(
  model: ListedModel,
  asked: number | undefined,
  request: ClientRequest,
): number | undefined {
  if (asked === undefined) return undefined;
  const { format: client } = request.inHub();
  return Math.max(asked, targetOf(model, client, request.description.stream).traits.minOutput);
}

/** Context of a model whose own is not known, in tokens. */
const usualWindow = 128_000;

/** What the provider keeps itself fills the rest of the model's context at most. */
function mostAdded({ contextWindow = usualWindow }: ModelInfo, input: number): number {
  return Math.max(0, contextWindow - input);
}

/** A saved limit replaces the client's. Values under other names reach the provider too, which may follow them. */
function largestLimit(
  asked: RequestDescription,
  saved: RequestDescription | undefined,
): number | undefined {
  const limit = saved?.maxOutput ?? asked.maxOutput;
  const others = [asked.otherMaxOutput ?? 0, saved?.otherMaxOutput ?? 0];
  return limit === undefined ? undefined : Math.max(limit, ...others);
}
