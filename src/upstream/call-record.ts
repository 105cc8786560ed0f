/** A call that the gateway made by itself for an answer, as it is booked. */
import type { ToolUses, Usage } from "../core/usage.ts";
import { elapsed } from "../lib/clock.ts";
import type { ListedModel } from "../providers/connection/connection.ts";
import { billedPrices } from "../providers/models/billed-prices.ts";
import type { AttemptRecord } from "../workspace/contract/request-record.ts";
import { bookedUsage, costOf, type TokenGuess } from "../workspace/rules/sums/cost.ts";

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
  const { serviceTier, toolUses }: Pick<Usage, "serviceTier" | "toolUses"> =
    usage ?? (call.toolUses === undefined ? {} : { toolUses: call.toolUses });
  const cost = costOf(booked, billedPrices(model), {
    ...(serviceTier !== undefined && { serviceTier }),
    ...(toolUses !== undefined && { toolUses }),
  });
  const known = cost === null ? {} : { cost };
  const ms = elapsed(begun, Date.now());
  return { model: model.id, status, ms, begun, usage: booked, ...known, outcome: "ok" };
}
