/** A call that the gateway made by itself for an answer, as it is booked. */
import { largerCounts, type ToolUses, type Usage } from "../core/usage.ts";
import { elapsed } from "../lib/clock.ts";
import type { ListedModel } from "../providers/connection/connection.ts";
import { billedPrices } from "../providers/models/billed-prices.ts";
import type { AttemptRecord } from "../workspace/contract/request-record.ts";
import { billOf } from "../workspace/rules/sums/bill.ts";
import { bookedUsage, type TokenGuess } from "../workspace/rules/sums/cost.ts";

export interface MadeCall {
  readonly model: ListedModel;
  /** Epoch ms. */
  readonly begun: number;
  readonly status: number;
  /** As its provider reported it; missing: it said nothing at all. */
  readonly usage?: Usage;
  /** What it is taken to have used where nobody says. */
  readonly guess: TokenGuess;
  /** Uses of its provider's tools that are expected at most. */
  readonly toolUses?: ToolUses | undefined;
  /** Its provider may bill more than it reported. */
  readonly unreported?: true | undefined;
}

/** What it used, by its provider's word or by the guess. */
export function callRecord(call: MadeCall): AttemptRecord {
  const { model, begun, status, usage, guess } = call;
  const complete = usage !== undefined && call.unreported !== true;
  const booked = bookedUsage(usage, guess);
  const prices = billedPrices(model);
  const reported = usage ?? {};
  const { serviceTier, region, searchContext } = reported;
  const toolUses = complete
    ? reported.toolUses
    : largerCounts(reported.toolUses ?? {}, call.toolUses ?? {});
  const { cost, unpriced } = billOf({
    reported,
    usage: booked,
    terms: {
      ...(serviceTier !== undefined && { serviceTier }),
      ...(region !== undefined && { region }),
      ...(searchContext !== undefined && { searchContext }),
      ...(toolUses !== undefined && { toolUses }),
    },
    complete,
    // What its provider ran besides is charged like itself.
    pricesOf: () => prices,
  });
  const known = { ...(cost !== null && { cost }), ...(unpriced && { unpriced }) };
  const ms = elapsed(begun, Date.now());
  return { model: model.id, status, ms, begun, usage: booked, ...known, outcome: "ok" };
}
