/** A call that the gateway made by itself for an answer, as it is booked. */
import type { ToolUses, Usage } from "../core/usage.ts";
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
  readonly toolUses?: ToolUses | undefined;
}

/** What it used, by its provider's word or by the guess. */
export function callRecord(call: MadeCall): AttemptRecord {
  const { model, begun, status, usage, guess } = call;
  const booked = bookedUsage(usage, guess);
  const prices = billedPrices(model);
  const reported = usage ?? {};
  const { serviceTier, region, searchContext } = reported;
  const toolUses = usage === undefined ? call.toolUses : usage.toolUses;
  const { cost } = billOf({
    reported,
    usage: booked,
    terms: {
      ...(serviceTier !== undefined && { serviceTier }),
      ...(region !== undefined && { region }),
      ...(searchContext !== undefined && { searchContext }),
      ...(toolUses !== undefined && { toolUses }),
    },
    complete: usage !== undefined,
    // What its provider ran besides is charged like itself.
    pricesOf: () => prices,
  });
  const known = cost === null ? {} : { cost };
  const ms = Date.now() - begun;
  return { model: model.id, status, ms, begun, usage: booked, ...known, outcome: "ok" };
}
