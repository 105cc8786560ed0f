/** `auto`: which tier a request needs and which models may serve it. Pure: no clock, no network, no state. */
import type { JsonObject } from "../lib/json.ts";
import type { ListedModel } from "../providers/connection/connection.ts";
import { choreOf, isSmallModel, isToldToCompact } from "./chores.ts";
import type { Chore } from "./chores.ts";
import { clientOf } from "./clients.ts";
import type { Client } from "./clients.ts";
import { demandsOf, namesItems, refersBack } from "./constraints.ts";
import type { Demands } from "./constraints.ts";
import type { AutoRequest, Decision, Excluded, ModelCost, TierName } from "./decision.ts";
import { ratesOf, stayCost, switchCost } from "./cost.ts";
import { reasonLine, strongest } from "./explain.ts";
import type { Signals } from "./features.ts";
import { intentOf } from "./intent.ts";
import { contentKey, ownKey, sessionKey } from "./key.ts";
import { offsetOf } from "./learning.ts";
import { needOf, rankOf, tierAt } from "./need.ts";
import { score } from "./scorer.ts";
import type { Score } from "./scorer.ts";
import { signalsOf } from "./signals.ts";
import { roughTokens } from "./size.ts";
import { chainFor, listed, longestChain, standingPlaces } from "./tiers.ts";
import type { Chain } from "./tiers.ts";
import { raiseOf, trajectoryOf } from "./trajectory.ts";
import type { Trajectory } from "./trajectory.ts";
import { viewOf } from "./view.ts";
import type { View } from "./view.ts";
import { weights } from "./weights.ts";

/** What the stages found, before models come in. */
interface Judged {
  tier: TierName;
  by: Decision["by"];
  notes: string[];
  confidence: number;
  offset: number;
  scored: Score;
  signals: Signals;
}

interface Seen {
  request: AutoRequest;
  view: View;
  client: Client;
  trajectory: Trajectory;
}

/** Decides. Never throws for what a request contains; an empty `candidates` means that nothing is connected. */
export function planAuto(request: AutoRequest): Decision {
  const view = viewOf(request.turn);
  const client = clientOf(request);
  const seen: Seen = { request, view, client, trajectory: trajectoryOf(request.turn.messages) };
  const judged = judge(seen);
  const inputTokens = roughTokens(request.turn);
  const demands = demandsOf(request, view, inputTokens);
  const excluded: Excluded[] = [];
  const placed = place({ seen, judged, demands, excluded });
  return {
    tier: placed.tier,
    need: judged.tier,
    by: placed.by,
    reason: reasonLine(placed.notes),
    // As the header says it: everybody is told the same number.
    confidence: Math.round(judged.confidence * 1000) / 1000,
    offset: judged.offset,
    score: judged.scored.gain,
    p: judged.scored.p,
    contributions: judged.scored.contributions,
    signals: signalWords(seen, judged, inputTokens),
    candidates: placed.chain.models.slice(0, longestChain).map(({ id }) => id),
    ...standing({ seen, demands: met(demands, placed), excluded, placed }),
    excluded,
    ...namesOf(seen, placed.by),
    movement: movementOf(seen, placed.by),
    held: view.afterResults ? "tool loop" : "kept there",
    opaque: view.opaque,
    named: namesItems(request.turn),
    cacheLife: view.longCache || request.turn.cacheRetention === "24h" ? longCacheLife : cacheLife,
    costs: modelCosts(placed.chain.models, inputTokens),
    notes: placed.notes,
    pace: 1 + view.calls / Math.max(1, view.asks),
    inputTokens,
    maxOutput: request.turn.maxOutput ?? null,
  };
}

function namesOf(
  { request, view, client }: Seen,
  by: Decision["by"],
): Pick<Decision, "sessionKey" | "alsoKnownAs"> {
  const key = sessionKey(request, view);
  // Side tasks share no prefix with the conversation: they neither read nor move its state.
  if (by === "housekeeping") return { sessionKey: `${key}:side`, alsoKnownAs: [] };
  if (by === "compaction" && isToldToCompact(request.turn))
    return { sessionKey: contentKey(request, view), alsoKnownAs: [] };
  // Only a request that goes on from a stored answer has another key than its own.
  const own = request.turn.previousResponseId === undefined ? [] : [ownKey(request, view)];
  const content = client.name === "unknown" ? [] : [contentKey(request, view)];
  return { sessionKey: key, alsoKnownAs: [...own, ...content] };
}

/** Most providers keep a prefix five minutes after its last use; clients may pay for an hour. */
const cacheLife = 5 * 60_000;
const longCacheLife = 60 * 60_000;

function modelCosts(models: readonly ListedModel[], inputTokens: number): ModelCost[] {
  return models.flatMap((model) => {
    const rates = ratesOf(model);
    const span = { prefix: inputTokens, fresh: 0, turns: 1 };
    return rates
      ? [{ id: model.id, stay: stayCost(rates, span), switch: switchCost(rates, span) }]
      : [];
  });
}

function judge(seen: Seen): Judged {
  const { request, view, client } = seen;
  const signals = signalsOf(view, client);
  const scored = score(signals);
  const chore = choreOf(request.turn, view);
  if (chore !== undefined && chore !== "compaction") return chores(chore, { scored, signals });
  if (request.requested !== undefined && isSmallModel(request.requested))
    return chores("small model", { scored, signals });
  const judged = scoredTier(seen, { scored, signals });
  return chore === "compaction"
    ? { ...judged, by: "compaction", notes: ["compaction", ...judged.notes] }
    : judged;
}

function chores(
  what: Chore | "small model",
  { scored, signals }: Pick<Judged, "scored" | "signals">,
): Judged {
  return {
    tier: "simple",
    by: "housekeeping",
    notes: [`by=${what}`],
    confidence: 0.95,
    offset: 0,
    scored,
    signals,
  };
}

function scoredTier(seen: Seen, { scored, signals }: Pick<Judged, "scored" | "signals">): Judged {
  const { request, view, client, trajectory } = seen;
  const routing = request.harness.routing;
  const offset = routing?.learning === true ? offsetOf(request.outcomes) : 0;
  const quality = routing?.quality ?? "balanced";
  const need = needOf(scored.p, quality, offset);
  const notes = [`by=scorer@${weights.version}`, ...strongest(scored.contributions, need.tier)];
  if (need.leaned) notes.push("unsure: leaned up");
  if (offset !== 0) notes.push(`learned=+${offset.toFixed(3)}`);
  const raise = raiseOf(trajectory);
  if (raise > 0) notes.push(`failing=${trajectory.failures} repeating=${trajectory.repeats}: +1`);
  const intent = intentOf({ turn: request.turn, view, client, effort: request.harness.effort });
  const base = { confidence: need.confidence, offset, scored, signals };
  const tier = bounded(tierAt(rankOf(need.tier) + raise), intent);
  const moved = tier !== tierAt(rankOf(need.tier) + raise);
  const intentNotes =
    moved && intent.floor !== undefined && intent.floor === tier
      ? [`floor=${tier} (${intent.notes.join(", ")})`]
      : moved
        ? [`cap=${tier} (${intent.notes.join(", ")})`]
        : [];
  return { ...base, tier, by: moved ? "intent" : "scorer", notes: [...intentNotes, ...notes] };
}

/** A floor wins over a cap: who asks for both gets the stronger model. */
function bounded(tier: TierName, { floor, cap }: { floor?: TierName; cap?: TierName }): TierName {
  const capped = cap !== undefined && rankOf(tier) > rankOf(cap) ? cap : tier;
  return floor !== undefined && rankOf(capped) < rankOf(floor) ? floor : capped;
}

interface Placed {
  tier: string;
  by: Decision["by"];
  chain: Chain;
  notes: string[];
}

interface Placing {
  seen: Seen;
  judged: Judged;
  demands: Demands;
  excluded: Excluded[];
}

/** Models for the tier: a header rule first, then the switch `auto`, then the tier itself. */
function place({ seen, judged, demands, excluded }: Placing): Placed {
  const { request } = seen;
  const { models, harness } = request;
  const input = { models, routing: harness.routing, demands, excluded, resolve: request.resolve };
  const rule = harness.routing?.headers?.find(
    ({ header, value }) => headerOf(request, header) === value,
  );
  if (rule !== undefined) {
    const chain = listed(input, rule.models);
    if (chain.models.length > 0)
      return {
        tier: rule.name,
        by: "rule",
        chain,
        notes: [`tier=${rule.name}`, `by=rule: header ${rule.header}`],
      };
  }
  if (harness.routing?.auto === false) {
    const chain = chainFor({ ...input, tier: "default" });
    return {
      tier: "default",
      by: "off",
      chain,
      notes: ["tier=default", "by=routing is off", `models=${chain.why}`],
    };
  }
  const chain = chainFor({ ...input, tier: judged.tier });
  const passed = rule === undefined ? [] : [`rule=${rule.name} has no model for this`];
  const notes = [`tier=${judged.tier}`, ...passed, ...judged.notes];
  if (chain.origin === "filled" || chain.why !== "configured") notes.push(`models=${chain.why}`);
  const needs = demandWords(demands);
  if (needs !== "") notes.push(`needs=${needs}`);
  return { tier: judged.tier, by: judged.by, chain, notes };
}

/** A rule may name a header that no request can have. */
function headerOf({ headers }: AutoRequest, name: string): string | null {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) ? headers.get(name) : null;
}

function demandWords(demands: Demands): string {
  const names = ["tools", "images", "documents", "audio", "structured"] as const;
  return names.filter((name) => demands[name]).join("+");
}

/** The demands that the chain meets. */
function met(demands: Demands, { chain }: Placed): Demands {
  return chain.loose === true ? { ...demands, structured: false } : demands;
}

/** Other models at which the conversation may stay, with the tier that each serves. */
type Standing = Omit<Placing, "judged"> & { placed: Placed };

function standing({
  seen,
  demands,
  excluded,
  placed,
}: Standing): Pick<Decision, "stayable" | "places" | "found"> {
  const { models: chain } = placed.chain;
  if (placed.by === "rule" || placed.by === "off" || placed.by === "housekeeping")
    return { stayable: [], places: {}, found: chain };
  const { models, harness, resolve } = seen.request;
  const places = standingPlaces({ models, routing: harness.routing, demands, excluded, resolve });
  const used = new Set(chain.map(({ id }) => id));
  const others = places.models.filter(({ id }) => !used.has(id));
  return {
    stayable: others.map(({ id }) => id),
    places: Object.fromEntries(places.ranks),
    found: [...chain, ...others],
  };
}

function movementOf({ view, request }: Seen, by: Decision["by"]): Decision["movement"] {
  switch (by) {
    case "rule":
    case "off":
    case "housekeeping":
      return "fixed";
    case "compaction":
      return "inherit";
    case "scorer":
    case "intent":
      return view.afterResults || refersBack(request.turn) ? "held" : "free";
    default:
      return by satisfies never;
  }
}

/** What was seen, as plain data. */
function signalWords(
  { view, client, trajectory }: Seen,
  { signals }: Judged,
  inputTokens: number,
): JsonObject {
  const { text } = signals;
  return {
    client: client.name,
    input_tokens: inputTokens,
    ask_characters: view.ask.length,
    ask_tokens: Math.round(text.tokens),
    asks: view.asks,
    tools: view.tools,
    calls: view.calls,
    images: view.images,
    after_results: view.afterResults,
    failures: trajectory.failures,
    repeats: trajectory.repeats,
  };
}
