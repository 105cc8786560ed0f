/** What one call of a provider is booked at: the provider's own word where it has one, otherwise prices by kind and fees. */
import type { Prices } from "../../../core/model.ts";
import type { Usage, UsageStep } from "../../../core/usage.ts";
import type { BookedUsage } from "../../contract/request-record.ts";
import { addMoney, type BillingTerms, costOf, costOfSteps, toDollars, toPico } from "./cost.ts";
import { feeOf } from "./fees.ts";

/** What a call used, and what its price depends on. */
export interface BilledCall {
  readonly reported: Usage;
  /** The same, made consistent. */
  readonly usage: BookedUsage;
  readonly terms: BillingTerms;
  /** The provider's last word came: nothing of the call can be missing. */
  readonly complete: boolean;
  /** Of a model that its provider ran, by the provider's id; undefined: the one that was asked. */
  pricesOf(model: string | undefined): Prices | undefined;
}

/** The cost, and whether something was used whose price is not known. */
export interface Bill {
  /** USD; null: the model's price is unknown. */
  readonly cost: number | null;
  readonly unpriced: boolean;
}

/** Of a dearer call the report is a mistake. USD. */
const mostCost = 100_000;

/** What is known of a call's cost. */
export function billOf(call: BilledCall): Bill {
  const { reported, complete, pricesOf, terms } = call;
  const prices = pricesOf(undefined);
  if (prices?.free === "subscription") return { cost: 0, unpriced: false };
  const stated = statedCost(reported);
  const charged = stated !== undefined && complete ? null : chargedCost(call);
  if (stated !== undefined) return { cost: Math.max(stated, charged ?? 0), unpriced: false };
  const unknownTools = Object.entries(terms.toolUses ?? {}).some(
    ([use, times = 0]) => times > 0 && feeOf(prices, use) === undefined,
  );
  const beside = costBeside(reported.beside ?? [], call);
  return {
    cost: charged === null ? null : addMoney(charged, beside ?? 0),
    unpriced: charged === null || unknownTools || beside === null,
  };
}

function statedCost({ cost }: Usage): number | undefined {
  const isCredible = cost !== undefined && cost >= 0 && cost <= mostCost;
  return isCredible ? toDollars(toPico(cost)) : undefined;
}

function chargedCost({ reported, usage, terms, pricesOf }: BilledCall): number | null {
  const { audioSeconds, media, steps } = reported;
  if (audioSeconds !== undefined) return costOfAudio(audioSeconds, pricesOf(undefined));
  if (steps !== undefined && !usage.estimated) return costOfSteps(steps, pricesOf, terms);
  return costOf(usage, pricesOf(undefined), { ...terms, ...(media && { media }) });
}

/** Each in the prices of its own model; a step that says nothing had nothing. */
function costBeside(steps: readonly UsageStep[], { pricesOf }: BilledCall): number | null {
  return steps.length === 0 ? 0 : costOfSteps(steps, (model) => withoutFees(pricesOf(model)), {});
}

/** Fees belong to the answer, and are charged with it. */
function withoutFees(prices: Prices | undefined): Prices | undefined {
  if (prices === undefined) return undefined;
  const { toolUses: _, answers: __, ...ofTokens } = prices;
  return ofTokens;
}

const secondsOfHour = 3600;
/** A longer report is a provider's mistake. */
const mostSeconds = 1_000_000;

function costOfAudio(seconds: number, prices: Prices | undefined): number | null {
  const hour = prices?.audioHour;
  if (hour !== undefined && seconds >= 0 && seconds <= mostSeconds)
    return toDollars(toPico((seconds / secondsOfHour) * hour));
  const free = prices?.input === 0 && prices.output === 0;
  return free ? 0 : null;
}
