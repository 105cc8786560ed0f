/** Calls that the gateway may make for an answer besides the client's own, and what they may cost. */
import { usesOfTool } from "../../core/usage.ts";
import type { ListedModel } from "../../providers/connection/connection.ts";
import { targetOf } from "../../providers/connection/target.ts";
import { billedPrices } from "../../providers/models/billed-prices.ts";
import type { ClientRequest } from "../../upstream/client-request.ts";
import { longestVerdict } from "../../upstream/judge.ts";
import { judgeable } from "../../upstream/safeguards.ts";
import { longestReport, searchesOfCall } from "../../upstream/search/ask-searcher.ts";
import { moreTurns } from "../../upstream/search/search-loop.ts";
import { mostHeldSearches } from "../../upstream/search/web-search.ts";
import type { BesideEstimate } from "../../workspace/contract/admission.ts";
import type { Plan } from "./candidates.ts";
import { isSearchServed, judgeOf, searcherOf } from "./side-models.ts";

/** Tokens that a search is expected to add to the searching model's input, and its findings to the answering model's. */
const searchedTokens = 10_000;
const foundTokens = 6_000;
/** Tokens that a turn which wants searches is expected to write. */
const turnTokens = 1_000;
/** Tokens of a judge's instructions, and of the most that it is shown of the request and the answer. */
const orderTokens = 700;
const mostShown = 9_000;
const mostJudged = 16_000;

interface Asked {
  readonly request: ClientRequest;
  /** Estimated tokens. */
  readonly input: number;
}

/** For one candidate; empty if it needs no extra calls. */
export function besideOf(
  model: ListedModel,
  asked: Asked,
  plan: Pick<Plan, "harness" | "directory">,
): BesideEstimate[] {
  return [...searchesOf(model, asked, plan), ...judgementOf(model, asked, plan)];
}

function searchesOf(
  model: ListedModel,
  { request, input }: Asked,
  plan: Pick<Plan, "harness" | "directory">,
): BesideEstimate[] {
  const { description } = request;
  const uses = usesOfTool(description.toolUses, "webSearch");
  const searcher = uses === undefined ? undefined : searcherOf(plan);
  if (uses === undefined || !isSearchServed(plan)) return [];
  if (targetOf(model, request.inHub().format, description.stream).traits.webSearch) return [];
  const times = Math.min(mostHeldSearches, uses);
  const turns = times + moreTurns - 1;
  const found = (foundTokens * times * (times + 1)) / 2 + foundTokens * times * (moreTurns - 1);
  const more = { times: turns, input: input + Math.ceil(found / turns), output: turnTokens };
  const goingOn = { ...estimateOf(model), ...more };
  // An endpoint of the user's own is not billed here.
  if (searcher === undefined) return [goingOn];
  const search = {
    ...estimateOf(searcher),
    times,
    input: searchedTokens,
    output: longestReport,
    toolUses: { webSearch: searchesOfCall },
  };
  return [search, goingOn];
}

function judgementOf(
  model: ListedModel,
  { request, input }: Asked,
  plan: Pick<Plan, "harness" | "directory">,
): BesideEstimate[] {
  const { description } = request;
  const isAsked = description.safeguards?.includes(judgeable) === true;
  const judge = isAsked ? judgeOf(plan) : undefined;
  if (judge === undefined || judgesItself(model, request)) return [];
  const judged = Math.min(mostJudged, description.maxOutput ?? mostJudged);
  const shown = orderTokens + Math.min(mostShown, input) + judged;
  return [{ ...estimateOf(judge), times: 1, input: shown, output: longestVerdict }];
}

/** The maker's own service gives the verdicts. */
function judgesItself(model: ListedModel, { description, inHub }: ClientRequest): boolean {
  const { format: client } = inHub();
  const { format, traits } = targetOf(model, client, description.stream);
  return format === client && traits.makersOwn;
}

function estimateOf(model: ListedModel): Pick<BesideEstimate, "id" | "prices"> {
  const prices = billedPrices(model);
  return { id: model.id, ...(prices !== undefined && { prices }) };
}
