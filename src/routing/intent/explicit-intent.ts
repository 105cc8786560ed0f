/** What the client or the human explicitly asked for: deviations from the client's defaults, and the human's own words. */
import type { ModelRequest } from "../../core/request.ts";
import { budgetToEffort } from "../../translation/effort.ts";
import { higherTier } from "../contract/tier.ts";
import { type TierName } from "../../workspace/contract/outcomes.ts";
import { isSaidUnquoted } from "../request/quoted-text.ts";
import type { RoutingView } from "../request/request-view.ts";
import type { ClientProfile } from "./client.ts";
import { isPlanMode } from "./plan-mode.ts";

/** Bounds for the tier that follow from explicit intent. */
export interface TierBounds {
  readonly floor?: TierName;
  readonly cap?: TierName;
  /** What showed the intent, for the explanation. */
  readonly notes: readonly string[];
}

interface IntentInput {
  readonly request: ModelRequest;
  readonly view: RoutingView;
  readonly client: ClientProfile;
  /** The request's role is to plan. */
  readonly plans: boolean;
  /** Saved on the harness; overrides the client's. */
  readonly effort?: string | undefined;
}

const highestEfforts = new Set(["xhigh", "max"]);
const lowestEfforts = new Set(["low", "minimal", "none"]);
/** From this thinking budget on, a client without a default budget asks for much reasoning. */
const largeBudget = 16_000;

/** The bounds of all explicit intents together: the highest floor and the last cap. */
export function explicitIntent(input: IntentInput): TierBounds {
  const found = [
    effortBounds(input),
    budgetBounds(input),
    ultrathinkBounds(input),
    planModeBounds(input),
  ];
  return found.reduce<TierBounds>(combine, { notes: [] });
}

function combine(all: TierBounds, one: TierBounds | undefined): TierBounds {
  if (one === undefined) return all;
  const floor =
    all.floor && one.floor ? higherTier(all.floor, one.floor) : (all.floor ?? one.floor);
  const cap = one.cap ?? all.cap;
  return { ...(floor && { floor }), ...(cap && { cap }), notes: [...all.notes, ...one.notes] };
}

function effortBounds({ request, client, effort: saved }: IntentInput): TierBounds | undefined {
  const stated = saved ?? request.reasoning?.effort ?? switchedOffEffort(request, client);
  const effort = stated?.toLowerCase();
  if (effort === undefined) return undefined;
  if (highestEfforts.has(effort)) return { floor: "reasoning", notes: [`effort=${effort}`] };
  if (lowestEfforts.has(effort)) return { cap: "standard", notes: [`effort=${effort}`] };
  if (effort === "high" && !client.defaultEfforts.includes("high"))
    return { floor: "complex", notes: ["effort=high"] };
  return undefined;
}

/**
 * Formats without an effort `none` switch reasoning off instead. Clients with a default budget do so for small
 * tasks, so there it is no intent.
 */
function switchedOffEffort({ reasoning }: ModelRequest, client: ClientProfile): string | undefined {
  return reasoning?.mode === "off" && client.defaultBudget === undefined ? "none" : undefined;
}

/** A budget counts as the effort that stands for as many tokens, unless an effort is stated as well. */
function budgetBounds({ request, client, effort: saved }: IntentInput): TierBounds | undefined {
  const { budget, effort } = request.reasoning ?? {};
  if (budget === undefined || client.defaultBudget !== undefined) return undefined;
  if (saved !== undefined || effort !== undefined) return undefined;
  if (budget >= largeBudget) return { floor: "complex", notes: ["thinking budget"] };
  return lowestEfforts.has(budgetToEffort(budget))
    ? { cap: "standard", notes: ["thinking budget"] }
    : undefined;
}

/** The keyword of Claude Code for the most thinking; quoted, it does not count. */
function ultrathinkBounds({ view }: IntentInput): TierBounds | undefined {
  return isSaidUnquoted(view.ask, /(?<![\w-])ultrathink(?![\w-])/gi)
    ? { floor: "reasoning", notes: ["ultrathink"] }
    : undefined;
}

/** A subagent may plan too: its client's announcement counts whatever the request is for. */
function planModeBounds({ view, client, plans }: IntentInput): TierBounds | undefined {
  return plans || isPlanMode(view, client) ? { floor: "complex", notes: ["plan mode"] } : undefined;
}
