/**
 * Replays made-up agent sessions through the router and adds up what they would cost.
 *   npm run eval:sessions [sessions]
 * Requests have the shapes that coding agents send (instructions, a kit of tools, loops of calls and results,
 * growing prefixes, side tasks); prices are the catalogue's; every provider keeps a prefix for five minutes
 * after its last use. "per turn" judges every request by all that it shows, its newest message included, as
 * routers do that see requests and no conversations; "per ask" takes the plan's first model without any state; "session" asks the
 * state of the conversation first, as the gateway does.
 */
import type { ModelRequest } from "../../src/core/request.ts";
import type { SessionState } from "../../src/workspace/contract/session-state.ts";
import { connectionOf } from "../../src/providers/connection/connect.ts";
import type { ListedModel } from "../../src/providers/connection/connection.ts";
import { listed, modelsOf } from "../../src/providers/models/models.ts";
import { usualOutput } from "../../src/routing/cost.ts";
import type { Decision } from "../../src/routing/decision.ts";
import { rankOf } from "../../src/routing/need.ts";
import { planAuto } from "../../src/routing/plan.ts";
import { chooseModel } from "../../src/routing/session.ts";
import type { RoutingEntry } from "../../src/store/config.ts";
import { random } from "./fit.ts";
import { makeSession } from "./session-shapes.ts";
import type { Step } from "./session-shapes.ts";

const count = Number(process.argv[2] ?? 40);
const pricesAt = Date.parse("2026-11-01");
const start = Date.parse("2026-11-02T09:00:00Z");

interface Setup {
  name: string;
  routing: RoutingEntry;
}

/** Usual ways of setting the tiers: one maker, several, and left to the catalogue. */
const setups: Setup[] = [
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

/** What providers hold of one conversation. */
type Caches = Map<string, { tokens: number; at: number }>;

type Policy = "per turn" | "per ask" | "session";

interface Totals {
  usd: number;
  switches: number;
  inLoop: number;
  /** Of these, those where the model could not serve the request any more: its window was full. */
  forced: number;
  requests: number;
  /** Requests answered by a model of a lower tier than the work needed. */
  tooWeak: number;
}

const cacheLife = 5 * 60_000;

const sums = { perTurn: 0, session: 0, chosen: 0 };
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
      `  ${name.padEnd(9)} $${totals.usd.toFixed(2).padStart(8)}  switches ${String(totals.switches).padStart(5)}  inside tool loops ${totals.inLoop} (forced ${totals.forced})  too weak ${totals.tooWeak}`,
    );
  }
  console.log(`  saved     ${(share * 100).toFixed(1)} %`);
  sums.perTurn += perTurn.usd;
  sums.session += session.usd;
  sums.chosen += session.inLoop - session.forced;
}
const saved = (1 - sums.session / sums.perTurn) * 100;
console.log(
  `all: saved ${saved.toFixed(1)} % of per-turn routing, ${sums.chosen} switches inside tool loops but those that a full window forced`,
);

function replay({ routing }: Setup, policy: Policy): Totals {
  const totals: Totals = { usd: 0, switches: 0, inLoop: 0, forced: 0, requests: 0, tooWeak: 0 };
  const next = random(4);
  for (let n = 0; n < count; n++) {
    const steps = makeSession(next, n);
    runSession(steps, { routing, policy, totals });
  }
  return totals;
}

interface Run {
  routing: RoutingEntry;
  policy: Policy;
  totals: Totals;
}

function runSession(steps: readonly Step[], { routing, policy, totals }: Run): void {
  const states = new Map<string, SessionState>();
  const caches: Caches = new Map();
  let now = start;
  for (const step of steps) {
    now += step.pause;
    const decision = decide(step, { routing, policy });
    const state = states.get(decision.sessionKey) ?? null;
    const chosen =
      policy === "session"
        ? chooseModel({ decision, session: state, now, models }).candidates[0]
        : modelOf(decision.candidates[0]);
    if (chosen === undefined) throw new Error("no model was chosen");
    const booked = book(chosen, { caches: step.side ? new Map() : caches, step, now });
    totals.usd += booked.usd;
    totals.requests++;
    if (step.side) continue;
    if (state !== null && state.model !== chosen.id) {
      totals.switches++;
      if (step.inLoop) totals.inLoop++;
      if (step.inLoop && decision.excluded.some(({ id }) => id === state.model)) totals.forced++;
    }
    if ((decision.places[chosen.id] ?? 3) < rankOf(decision.need)) totals.tooWeak++;
    states.set(decision.sessionKey, {
      model: chosen.id,
      tier: decision.tier,
      lastUsed: now,
      cachedTokens: booked.cached,
      inputTokens: step.input,
      turns: (state?.turns ?? 0) + 1,
    });
  }
}

/** Without conversations, a request is as hard as the harder of its ask and what came last. */
function decide(step: Step, { routing, policy }: Pick<Run, "routing" | "policy">): Decision {
  const plan = (turn: ModelRequest): Decision =>
    planAuto({ turn, body: {}, headers: step.headers, harness: { id: "cc", routing }, models });
  const whole = plan(step.turn);
  if (policy !== "per turn" || !step.inLoop) return whole;
  const newest = plan(newestOnly(step.turn));
  return rankOf(newest.need) > rankOf(whole.need)
    ? { ...newest, sessionKey: whole.sessionKey }
    : whole;
}

/** The request as a router without a notion of conversations sees it: its newest message is the ask. */
function newestOnly(turn: ModelRequest): ModelRequest {
  const newest = turn.messages.at(-1);
  const blocks =
    newest?.blocks.flatMap((block) => (block.kind === "result" ? block.blocks : [block])) ?? [];
  const instructions = turn.messages.filter(({ role }) => role === "instruction");
  return { ...turn, messages: [...instructions, { role: "user", blocks }] };
}

function modelOf(id: string | undefined): ListedModel | undefined {
  return models.find((model) => model.id === id);
}

/** The cost of one request, and what the provider read from its cache. */
function book(
  model: ListedModel,
  { caches, step, now }: { caches: Caches; step: Step; now: number },
): { usd: number; cached: number } {
  const { prices } = model.info;
  const input = prices?.input ?? 0;
  const held = caches.get(model.id);
  const cached = held && now - held.at <= cacheLife ? Math.min(held.tokens, step.input) : 0;
  caches.set(model.id, { tokens: step.input, at: now });
  const usd =
    cached * (prices?.cacheRead ?? input) +
    (step.input - cached) * (prices?.cacheWrite ?? input) +
    (step.output ?? usualOutput) * (prices?.output ?? 0);
  return { usd: usd / 1e6, cached };
}
