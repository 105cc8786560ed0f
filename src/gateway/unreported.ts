/**
 * What an answer is booked at where its provider did not say: the client left, the stream was cut, or no usage came.
 * Leaving must not pay: what was set aside at admission counts as far as the provider may have billed it unseen.
 */
import { largerCounts, type ToolUses, type Usage } from "../core/usage.ts";
import { estimateRequest } from "../tokens/estimate.ts";
import type { ClientRequest } from "../upstream/client-request.ts";
import type { Prepared } from "../upstream/upstream.ts";
import type { CandidateEstimate } from "../workspace/contract/admission.ts";
import { expectedOutput } from "../workspace/rules/budget.ts";
import {
  type BillingTerms,
  isTokenCount,
  termsFactor,
  type TokenGuess,
} from "../workspace/rules/sums/cost.ts";
import { usesAsAsked } from "../workspace/rules/sums/fees.ts";
import type { Decided } from "./choose.ts";
import type { Answered } from "./outcome.ts";
import { estimatedOutput } from "./totals.ts";

/** Tokens of the request, with what the provider may have added to it. */
export function unreportedInput({ decided, answer }: Answered): number {
  return estimatedInput(decided.request) + addedInput(answer.prepared.model.id, decided);
}

function estimatedInput(request: ClientRequest): number {
  const { operation: asked } = request;
  if (asked !== undefined) return asked.inputTokens() ?? 0;
  try {
    return estimateRequest(request.inHub());
  } catch {
    // A relay hands on what only its provider can read.
    return Math.ceil(request.size / 4);
  }
}

/** Output tokens of an answer without a final count: those that were seen, or more that may be hidden. */
export function unreportedOutput(outcome: Answered): number {
  const { totals } = outcome;
  const { output } = totals.usage;
  const seen = Math.max(isTokenCount(output) ? output : 0, estimatedOutput(totals));
  const { answer, decided } = outcome;
  return mayHide(outcome) ? Math.max(seen, setAsideFor(answer.prepared.model.id, decided)) : seen;
}

/** What a failed attempt is expected to have used, where its provider did not say. */
export function expectedUse(model: string, decided: Decided): TokenGuess {
  const input = estimateFor(model, decided)?.input ?? 0;
  return { input: input + addedInput(model, decided), output: setAsideFor(model, decided) };
}

/** What the price of a call depends on, by what was reported; where nothing was, the dearest that was asked for. */
export function billingTerms(reported: Usage, model: string, decided: Decided): BillingTerms {
  const estimate = estimateFor(model, decided);
  const asked = estimate === undefined ? {} : askedTerms(estimate);
  const serviceTier = reported.serviceTier?.toLowerCase() ?? asked.serviceTier;
  const region = reported.region ?? asked.region;
  const searchContext = reported.searchContext ?? asked.searchContext;
  return {
    ...(serviceTier !== undefined && { serviceTier }),
    ...(region !== undefined && { region }),
    ...(searchContext !== undefined && { searchContext }),
    toolUses: usesOf(reported, estimate),
  };
}

/** An answer that was cut may have used what it did not come to tell. */
function usesOf(reported: Usage, estimate: CandidateEstimate | undefined): ToolUses {
  const { toolUses: asked, prices } = estimate ?? {};
  const uses = usesAsAsked(reported.toolUses, asked, prices);
  return reported.output === undefined && asked !== undefined ? largerCounts(uses, asked) : uses;
}

/** As the request asks for it, if that is not cheaper than the usual. */
function askedTerms({ prices, serviceTier, region, ...asked }: CandidateEstimate): BillingTerms {
  const { toolUses, searchContext } = asked;
  const isDear = (terms: BillingTerms): boolean => termsFactor(prices, terms) >= 1;
  return {
    ...(serviceTier !== undefined && isDear({ serviceTier }) && { serviceTier }),
    ...(region !== undefined && isDear({ region }) && { region }),
    ...(toolUses && { toolUses }),
    ...(searchContext !== undefined && { searchContext }),
  };
}

/** An object of the version before does not tell what it set aside. */
function setAsideFor(model: string, decided: Decided): number {
  const told = decided.admission.setAside?.[model];
  if (told !== undefined) return told;
  const estimate = estimateFor(model, decided);
  return estimate === undefined ? 0 : expectedOutput(estimate, undefined).tokens;
}

/** Input that was set aside for what the provider keeps itself. */
function addedInput(model: string, { admission }: Decided): number {
  return admission.addedInput?.[model] ?? 0;
}

function estimateFor(model: string, { plan }: Decided): CandidateEstimate | undefined {
  return plan.estimates.find(({ id }) => id === model);
}

/** Whether more may be billed than the text that passed: reasoning, more answers, media, work after the response. */
function mayHide({ decided, answer, end }: Answered): boolean {
  const { operation: asked } = decided.request;
  if (asked !== undefined) {
    // Nobody counts the tokens of a sound that came whole.
    const { output, answer: form } = asked.operation;
    return output === "uncounted" && (end.kind !== "done" || form === "media");
  }
  const { id, info } = answer.prepared.model;
  const { outputModalities = ["text"] } = info;
  const { answers = 1 } = estimateFor(id, decided) ?? {};
  return (
    decided.request.description.deferred === true ||
    answers > 1 ||
    outputModalities.some((modality) => modality !== "text") ||
    mayReason(answer.prepared)
  );
}

/** The configuration's word counts first. The catalogue's lists of features are not complete, so its traits count too. */
function mayReason({ model, target }: Prepared): boolean {
  const { entry } = model.connection;
  const configured = entry.models?.find(({ id }) => id === model.info.id)?.capabilities?.features;
  if (configured !== undefined) return configured.includes("reasoning");
  return model.info.features?.includes("reasoning") === true || target.traits.reasoning !== "none";
}
