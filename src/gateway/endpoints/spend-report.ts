/** `GET /api/oauth/usage`: how much of their limits of money a key's person has used, as Claude Code shows it. */
import { fullest, type SpendState, usedShare } from "../../core/spend.ts";
import { currentHolder } from "./current-holder.ts";
import { Exchange } from "../exchange.ts";
import { letGo, type Received } from "../received.ts";
import { refuse } from "../refuse.ts";
import type { Services } from "../services.ts";

/** Called with a harness's key, unlike everything else under `/api`. */
export async function handleSpendReport(received: Received, services: Services): Promise<Response> {
  const exchange = new Exchange(received, services);
  try {
    const holder = await currentHolder(received, services);
    const states = await services.workspaces.spend(holder);
    const headers = { ...exchange.headers(), "cache-control": "no-store" };
    return Response.json(spendReport(states), { headers });
  } catch (error) {
    return await refuse(error, exchange);
  } finally {
    letGo(received);
  }
}

const groups = { hour: "hourly", day: "daily", week: "weekly", month: "monthly" } as const;
/** Shares, in percent, from which on a limit is near, and used up. */
const near = 75;
const usedUp = 100;

/** Money in whole cents, shares in whole percents. The fullest limit is the one that the client shows. */
export function spendReport(states: readonly SpendState[]): object {
  const most = fullest(states);
  if (most === undefined) return { extra_usage: unlimited, limits: [] };
  return {
    extra_usage: {
      is_enabled: true,
      monthly_limit: cents(most.limit),
      used_credits: cents(most.used),
      utilization: percentOf(most),
      currency: "USD",
    },
    limits: states.map((state) => limitOf(state, state === most)),
  };
}

function limitOf(state: SpendState, active: boolean): object {
  const percent = percentOf(state);
  return {
    kind: "spend",
    group: groups[state.period],
    percent,
    resets_at: state.resets_at,
    severity: percent >= usedUp ? "critical" : percent >= near ? "warning" : "normal",
    is_active: active,
  };
}

const nothing = { limit: null, used_credits: 0, utilization: null };
const unlimited = {
  is_enabled: true,
  monthly_limit: null,
  used_credits: 0,
  utilization: null,
  currency: "USD",
  daily: nothing,
  weekly: nothing,
};

function percentOf(state: SpendState): number {
  return Math.round(usedShare(state) * 100);
}

function cents(dollars: number): number {
  return Math.round(dollars * 100);
}
