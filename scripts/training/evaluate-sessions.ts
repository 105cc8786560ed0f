/**
 * Routes simulated agent sessions and adds up what they would cost.
 *   npm run eval:sessions [sessions]
 * Requests have the shapes of coding agents (instructions, tools, tool loops, growing prefixes, background requests);
 * prices are the catalogue's; every provider caches a prefix for five minutes after its last use.
 * "per turn" assesses every request by its newest message too, as routers do that know no conversations;
 * "per ask" takes the plan's first model without session state; "session" applies session affinity, as the
 * gateway does.
 */
import type { ModelRequest } from "../../src/core/request.ts";
import type { SessionState } from "../../src/workspace/contract/session-state.ts";
import { connectionOf } from "../../src/providers/connection/connection.ts";
import type { ListedModel } from "../../src/providers/connection/connection.ts";
import { listed, modelsOf } from "../../src/providers/models/models.ts";
import type { RoutingDecision } from "../../src/routing/contract/decision.ts";
import { tierRank } from "../../src/routing/contract/tier.ts";
import { planAuto } from "../../src/routing/plan.ts";
import { chooseModel } from "../../src/routing/session/choose-model.ts";
import type { RoutingEntry } from "../../src/store/config.ts";
import { seededRandom } from "./random.ts";
import { simulateSession, type SessionStep } from "./simulated-sessions.ts";

const sessionCount = Number(process.argv[2] ?? 40);
const pricesAt = Date.parse("2026-11-01");
const start = Date.parse("2026-11-02T09:00:00Z");

interface TierSetup {
  name: string;
  routing: RoutingEntry;
}

/** Common ways to configure the tiers: one provider, several, and none. */
const setups: readonly TierSetup[] = [
  {
    name: "one provider",
    routing: {
      tiers: {
        simple: ["anthropic/claude-haiku-4-5"],
        standard: ["anthropic/claude-haiku-4-5"],
        complex: ["anthropic/claude-sonnet-4-6"],
        reasoning: ["anthropic/claude-opus-4-8"],
      },
    },
  },
  {
    name: "two providers",
    routing: {
      tiers: {
        simple: ["openai/gpt-5-nano"],
        standard: ["openai/gpt-5-mini"],
        complex: ["anthropic/claude-sonnet-4-6"],
        reasoning: ["anthropic/claude-opus-4-8"],
      },
    },
  },
  { name: "filled from the catalogue", routing: {} },
];

const models = ["anthropic", "openai"].flatMap((kind) => {
  const connection = connectionOf({ id: kind, kind, api_key: "sk-test" });
  return modelsOf(connection, undefined, pricesAt).map((info) => listed(connection, info));
});

/** What providers have cached of one conversation, by model. */
type PrefixCaches = Map<string, { tokens: number; at: number }>;

type RoutingPolicy = "per turn" | "per ask" | "session";

interface SessionTotals {
  usd: number;
  switches: number;
  /** Switches inside of tool loops. */
  inToolLoop: number;
  /** Those of them where the context window of the model was full. */
  forced: number;
  requests: number;
  /** Requests answered by a model of a lower tier than needed. */
  tooWeak: number;
}

const cacheLifetimeMs = 5 * 60_000;

const all = { perTurn: 0, session: 0, chosen: 0 };
for (const setup of setups) {
  const perTurn = replay(setup, "per turn");
  const perAsk = replay(setup, "per ask");
  const session = replay(setup, "session");
  const share = 1 - session.usd / perTurn.usd;
  console.log(`${setup.name}: ${session.requests} requests`);
  for (const [name, totals] of [
    ["per turn", perTurn],
    ["per ask", perAsk],
    ["session", session],
  ] as const) {
    console.log(
      `  ${name.padEnd(9)} $${totals.usd.toFixed(2).padStart(8)}  switches ${String(totals.switches).padStart(5)}  inside tool loops ${totals.inToolLoop} (forced ${totals.forced})  too weak ${totals.tooWeak}`,
    );
  }
  console.log(`  saved     ${(share * 100).toFixed(1)} %`);
  all.perTurn += perTurn.usd;
  all.session += session.usd;
  all.chosen += session.inToolLoop - session.forced;
}
const saved = (1 - all.session / all.perTurn) * 100;
console.log(
  `all: saved ${saved.toFixed(1)} % of per-turn routing, ${all.chosen} switches inside tool loops but those that a full window forced`,
);

function replay({ routing }: TierSetup, policy: RoutingPolicy): SessionTotals {
  const totals: SessionTotals = {
    usd: 0,
    switches: 0,
    inToolLoop: 0,
    forced: 0,
    requests: 0,
    tooWeak: 0,
  };
  const next = seededRandom(4);
  for (let n = 0; n < sessionCount; n++) {
    const steps = simulateSession(next, n);
    runSession(steps, { routing, policy, totals });
  }
  return totals;
}

interface ReplayRun {
  routing: RoutingEntry;
  policy: RoutingPolicy;
  totals: SessionTotals;
}

function runSession(steps: readonly SessionStep[], { routing, policy, totals }: ReplayRun): void {
  const states = new Map<string, SessionState>();
  const caches: PrefixCaches = new Map();
  let now = start;
  for (const step of steps) {
    now += step.pauseMs;
    const decision = decide(step, { routing, policy });
    const state = states.get(decision.sessionKey) ?? null;
    const chosen =
      policy === "session"
        ? chooseModel({ decision, session: state, now, models }).candidates[0]
        : modelOf(decision.candidates[0]);
    if (chosen === undefined) throw new Error("no model was chosen");
    const cost = costOf(chosen, { caches: step.background ? new Map() : caches, step, now });
    totals.usd += cost.usd;
    totals.requests++;
    if (step.background) continue;
    if (state !== null && state.model !== chosen.id) {
      totals.switches++;
      if (step.inToolLoop) totals.inToolLoop++;
      if (step.inToolLoop && decision.excluded.some(({ id }) => id === state.model))
        totals.forced++;
    }
    if ((decision.tierRanks[chosen.id] ?? 3) < tierRank(decision.need)) totals.tooWeak++;
    states.set(decision.sessionKey, {
      model: chosen.id,
      tier: decision.tier,
      lastUsed: now,
      cachedTokens: cost.cached,
      inputTokens: step.inputTokens,
      turns: (state?.turns ?? 0) + 1,
    });
  }
}

/** A router that knows no conversations takes the higher tier of the ask and of the newest message. */
function decide(
  step: SessionStep,
  { routing, policy }: Pick<ReplayRun, "routing" | "policy">,
): RoutingDecision {
  const plan = (request: ModelRequest): RoutingDecision =>
    planAuto({ request, headers: step.headers, harness: { id: "cc", routing }, models });
  const whole = plan(step.request);
  if (policy !== "per turn" || !step.inToolLoop) return whole;
  const newest = plan(newestOnly(step.request));
  return tierRank(newest.need) > tierRank(whole.need)
    ? { ...newest, sessionKey: whole.sessionKey }
    : whole;
}

/** The request with its newest message as the only ask. */
function newestOnly(request: ModelRequest): ModelRequest {
  const newest = request.messages.at(-1);
  const blocks =
    newest?.blocks.flatMap((block) => (block.kind === "result" ? block.blocks : [block])) ?? [];
  const instructions = request.messages.filter(({ role }) => role === "instruction");
  return { ...request, messages: [...instructions, { role: "user", blocks }] };
}

function modelOf(id: string | undefined): ListedModel | undefined {
  return models.find((model) => model.id === id);
}

/** The cost of one request, and what the provider read from its cache. */
function costOf(
  model: ListedModel,
  { caches, step, now }: { caches: PrefixCaches; step: SessionStep; now: number },
): { usd: number; cached: number } {
  const { prices } = model.info;
  const input = prices?.input ?? 0;
  const cache = caches.get(model.id);
  const cached =
    cache && now - cache.at <= cacheLifetimeMs ? Math.min(cache.tokens, step.inputTokens) : 0;
  caches.set(model.id, { tokens: step.inputTokens, at: now });
  const usd =
    cached * (prices?.cacheRead ?? input) +
    (step.inputTokens - cached) * (prices?.cacheWrite ?? input) +
    step.outputTokens * (prices?.output ?? 0);
  return { usd: usd / 1e6, cached };
}
