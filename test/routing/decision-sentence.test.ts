/** Why a model was chosen, in words: one row for every kind of decision. */
import { describe, expect, it } from "vitest";
import type { Block } from "../../src/core/request.ts";
import { problemCodes } from "../../src/core/problem.ts";
import { decisionSentence } from "../../src/routing/explanation/decision-sentence.ts";
import { explainDecision } from "../../src/routing/explanation/explain-decision.ts";
import { wordsOfSignal } from "../../src/routing/explanation/feature-words.ts";
import type { ToldDecision } from "../../src/routing/explanation/told-decision.ts";
import { scoreFeatures } from "../../src/routing/signals/score-features.ts";
import { chooseModel } from "../../src/routing/session/choose-model.ts";
import type { SessionState } from "../../src/workspace/contract/session-state.ts";
import {
  assistant,
  call,
  claudeCode,
  decide,
  headers,
  model,
  modelRequest,
  priced,
  result,
  tierConfig,
  user,
} from "./kit.ts";

const names: Readonly<Record<string, string>> = {
  "lab/small": "Small",
  "lab/medium": "Medium",
  "lab/large": "Large",
  "other/largest": "Largest",
};
const nameOf = (id: string): string => names[id] ?? id;

type Decided = ReturnType<typeof decide>;

interface Logged extends Partial<ToldDecision> {
  readonly session?: SessionState;
  readonly affordable?: readonly string[];
}

/** The decision's sentences as its row in the log has them, answered by its first model unless told otherwise. */
function logged(decision: Decided, { session, affordable, ...more }: Logged = {}): string {
  const chosen = chooseModel({
    decision,
    session: session ?? null,
    now: 1_000_000,
    models: decision.models,
    ...(affordable && { affordable }),
  });
  const asked = chosen.candidates[0]?.id ?? null;
  return decisionSentence(
    {
      format: "chat",
      requestedModel: "auto",
      tier: decision.tier,
      reason: chosen.reason,
      routing: explainDecision(decision),
      attempts: [{ model: asked ?? "", status: 200, outcome: "ok" }],
      model: asked,
      error: null,
      ...more,
    },
    nameOf,
  );
}

/** A request whose client named the model. */
function direct(more: Partial<ToldDecision>): string {
  return decisionSentence(
    {
      format: "chat",
      requestedModel: "lab/small",
      tier: "direct",
      reason: "named by the client",
      routing: undefined,
      attempts: [{ model: "lab/small", status: 200, outcome: "ok" }],
      model: "lab/small",
      error: null,
      ...more,
    },
    nameOf,
  );
}

const ask = (text: string) => modelRequest([user(text)]);
const design = ask(
  "Design a job queue that survives restarts, compare two storage engines and explain the trade-offs in detail.",
);
const proof = ask("Prove that a continuous image of a compact space is compact.");
const hello = ask("hello");
/** An easy ask after one that took a dozen steps. */
const longTalk = modelRequest([
  user("Make the tests pass."),
  ...Array.from({ length: 12 }, (_, at) => [
    assistant(call(`c${at}`)),
    user(result(`c${at}`)),
  ]).flat(),
  assistant("done"),
  user("hello"),
]);
const title = ask("Generate a title for this conversation");
const unset = { harness: { id: "h" } };
const picture: Block = {
  kind: "media",
  media: "image",
  source: { type: "url", url: "https://x.test/a.png" },
  path: "",
};
const failed = (id: string, status: number) => ({ model: id, status, outcome: "failed" }) as const;
const answered = (id: string) => ({ model: id, status: 200, outcome: "ok" }) as const;

const warm: SessionState = {
  model: "lab/large",
  tier: "complex",
  lastUsed: 999_000,
  cachedTokens: 48_000,
  inputTokens: 50_000,
  turns: 3,
};

describe("a decision of auto says", () => {
  it.each<readonly [kind: string, sentence: string, expected: string]>([
    [
      "tier, confidence and signals, and the first of a chain",
      logged(decide(design)),
      "Complex (79%): design, open-ended work and analysis. Large is the first of your complex models.",
    ],
    [
      "the cheapest model strong enough",
      logged(decide(hello, unset)),
      "Simple (95%): a short question and small talk. Small is the cheapest model strong enough.",
    ],
    [
      "that eco saves",
      logged(decide(proof, { harness: { id: "h", routing: { quality: "eco" } } })),
      "Complex to save cost (reasoning is likelier, 77%): a proof and university mathematics. Medium is the cheapest model strong enough.",
    ],
    [
      "what the client asked for",
      logged(decide(design, { harness: { id: "h", effort: "low", routing: tierConfig } })),
      "Standard at most: the client asked for low effort (by itself it looks complex, 79%). Medium is the first of your standard models.",
    ],
    [
      "that work failed and went up",
      logged(
        decide(
          modelRequest([
            user("what's the weather like tomorrow"),
            ...["a", "b", "c"].flatMap((id) => [assistant(call(id)), user(result(id, "no", true))]),
          ]),
        ),
      ),
      "Simple (88%): a short question. Medium took over; Small is the first of your simple models. Went up to a stronger model: the last three tool calls failed.",
    ],
    [
      "that work was stuck, in rows of the versions that raised the tier",
      logged(decide(hello), {
        routing: {
          tier: "standard",
          reason: "tier=standard; by=scorer@3; failing=3 repeating=1: +1",
          p: [0.88, 0.1, 0.02, 0],
          candidates: ["lab/medium"],
        },
        attempts: [answered("lab/medium")],
        model: "lab/medium",
      }),
      "Standard, a tier up because the work is stuck: 3 of the last tool results failed (by itself it looks simple, 88%). Medium is the first of your standard models.",
    ],
    [
      "where an agent's work begins",
      logged(
        decide(ask("The login test fails on CI with a timeout, find out why and fix it."), {
          headers: headers(claudeCode),
        }),
      ),
      "Standard: agents begin here, and failing work goes up (by itself it looks complex, 63%). Medium is the first of your standard models.",
    ],
    [
      "which background task it is",
      logged(decide(title)),
      "Simple (95%): background task (a title). Small is the first of your simple models.",
    ],
    [
      "that it is a compaction",
      logged(decide(ask("You are performing a context checkpoint compaction"))),
      "Standard (95%): the conversation is summarized to go on (compaction). Medium is the first of your standard models.",
    ],
    [
      "that an alias stands for a small model",
      logged(decide(hello, { requestedModel: "claude-haiku" })),
      "Simple (95%): the client asked for a small model. Small is the first of your simple models.",
    ],
    [
      "that routing is off",
      logged(decide(design, { harness: { id: "h", routing: { auto: false } } })),
      "Automatic routing is off: the default tier serves everything. Small is the cheapest model strong enough.",
    ],
    [
      "which header rule matched",
      logged(
        decide(design, {
          headers: headers({ "x-job": "n" }),
          harness: {
            id: "h",
            routing: {
              headers: [{ name: "nightly", header: "x-job", value: "n", models: ["lab/small"] }],
            },
          },
        }),
      ),
      "The header rule “nightly” (x-job) decided. Small is the rule's first model.",
    ],
    [
      "that a role has models of its own",
      logged(
        decide(design, {
          headers: headers({ "x-claude-code-request-class": "subagent" }),
          harness: { id: "h", routing: { roles: { subagent: { models: ["lab/medium"] } } } },
        }),
      ),
      "Complex (79%): design, open-ended work and analysis. Medium is the first of your models for subagents.",
    ],
    [
      "which is the only model able to",
      logged(
        decide(modelRequest([user("What is on it?", picture)]), {
          ...unset,
          models: [
            model("lab/small", { ...priced(1, 2), inputModalities: ["text"] }),
            model("lab/large", { ...priced(3, 15), inputModalities: ["text", "image"] }),
          ],
        }),
      ),
      "Simple (85%): a short question. Large is the only model able to serve this (it needs images); 1 model excluded: no image input.",
    ],
    [
      "that the conversation switched",
      logged(decide(longTalk), { session: warm }),
      "Simple (96%): a short question and small talk. Small is the first of your simple models. Switched: staying would cost $0.34 more, cache included.",
    ],
    [
      "that it stayed, and what switching would have cost",
      logged(decide(ask("what's the weather like tomorrow")), {
        reason: "tier=simple; session=stay(48k warm, stay $0.043 vs $0.063); by=scorer@3",
        attempts: [answered("lab/large")],
        model: "lab/large",
      }),
      "Simple (88%): a short question. Large has the conversation; Small is the first of your simple models. Stayed: switching would cost $0.020 more (48k tokens are cached there).",
    ],
    [
      "that the right model has the conversation",
      logged(decide(design), { session: warm }),
      "Complex (79%): design, open-ended work and analysis. Large is the first of your complex models. Stayed: 48k tokens of the conversation are cached there.",
    ],
    [
      "that the right model has the conversation, of which nothing is cached",
      logged(decide(design), { session: { ...warm, cachedTokens: 0, turns: 4 } }),
      "Complex (79%): design, open-ended work and analysis. Large is the first of your complex models. Stayed: it is still the right model.",
    ],
    [
      "that the conversation's model was too weak",
      logged(decide(design), { session: { ...warm, model: "lab/small" } }),
      "Complex (79%): design, open-ended work and analysis. Large is the first of your complex models. Switched: the conversation's model was too weak for this.",
    ],
    [
      "that a limit forbids the first choice",
      logged(decide(design), { affordable: ["lab/small"] }),
      "Complex (79%): design, open-ended work and analysis. Large is the first of your complex models but is over budget, so Small was used.",
    ],
    [
      "which model failed, and what was asked beside the answer",
      logged(decide(design), {
        attempts: [
          failed("lab/large", 429),
          answered("other/largest"),
          { ...answered("lab/small"), side: true },
        ],
        model: "other/largest",
      }),
      "Complex (79%): design, open-ended work and analysis. Large is the first of your complex models. Large failed (429), so Largest answered; 1 extra call went to Small.",
    ],
  ])("%s", (_kind, sentence, expected) => {
    expect(sentence).toBe(expected);
  });
});

describe("a request that names its model says", () => {
  it.each<readonly [kind: string, sentence: string, expected: string]>([
    ["so", direct({}), "The client named Small."],
    [
      "what its name leads to",
      direct({ requestedModel: "gpt-4o" }),
      "The client named gpt-4o, which leads to Small here.",
    ],
    [
      "what it asked for",
      direct({ format: "embeddings" }),
      "The client named Small for embeddings.",
    ],
    [
      "which fallback answered",
      direct({
        attempts: [failed("lab/small", 500), answered("lab/large")],
        model: "lab/large",
      }),
      "The client named Small. Small failed (500), so Large answered.",
    ],
    [
      "by which connection, where two serve it",
      decisionSentence({
        format: "chat",
        requestedModel: "one/m",
        tier: "direct",
        reason: null,
        routing: undefined,
        attempts: [failed("one/m", 500), answered("two/m")],
        model: "two/m",
        error: null,
      }),
      "The client named m (one). m (one) failed (500), so m (two) answered.",
    ],
    [
      "that the model was asked again",
      direct({ attempts: [failed("lab/small", 503), answered("lab/small")] }),
      "The client named Small. Small failed (503), so Small answered when asked again.",
    ],
    [
      "that nobody answered",
      direct({ attempts: [failed("lab/small", 500), failed("lab/large", 502)], model: null }),
      "The client named Small. No answer: Small failed (500) and Large failed (502).",
    ],
    [
      "that nobody answered, in a row that keeps no decision",
      direct({ tier: "simple", attempts: [failed("lab/small", 500)], model: null }),
      "Small was asked for the simple tier. No answer: Small failed (500).",
    ],
    [
      "that the answer broke off",
      direct({ attempts: [failed("lab/small", 502)] }),
      "The client named Small. The answer broke off: Small failed (502).",
    ],
    [
      "that the client left",
      direct({ attempts: [{ model: "lab/small", status: 499, outcome: "neutral" }], left: true }),
      "The client named Small. The client left before the end.",
    ],
  ])("%s", (_kind, sentence, expected) => {
    expect(sentence).toBe(expected);
  });
});

describe("a refused request", () => {
  const none = { attempts: [], model: null, tier: null, reason: null } as const;

  it("says whose limit was reached", () => {
    expect(direct({ ...none, error: "M200: used up", blockedBy: "key" })).toBe(
      "No model: limit reached of the key (M200).",
    );
    expect(direct({ ...none, error: "M200: used up", blockedBy: "harness" })).toBe(
      "No model: limit reached (M200).",
    );
  });

  it.each(Object.values(problemCodes))("of code %s says why in words", (code) => {
    expect(direct({ ...none, error: `${code}: whatever` })).toMatch(
      new RegExp(`^No model: [a-z' ]+ \\(${code}\\)\\.$`),
    );
  });

  it("says no more than it knows", () => {
    expect(direct({ ...none, error: null })).toBe("No model was asked.");
    expect(direct({ ...none, error: null, left: true })).toMatch(/client left/);
  });
});

describe("words", () => {
  it.each(scoreFeatures.map(({ name, bins }) => [name, bins] as const))(
    "are there for the feature %s",
    (name, bins) => {
      expect(bins.some((bin) => wordsOfSignal(name, bin) !== undefined)).toBe(true);
      const texts = bins.map((bin) => wordsOfSignal(name, bin) ?? "");
      for (const text of texts) expect(text).not.toMatch(/cue|[_.=]/);
    },
  );

  it("are at most three sentences, whatever the row holds", () => {
    const rows: Partial<ToldDecision>[] = [
      { routing: {}, reason: null, tier: "simple" },
      { routing: { tier: "simple", candidates: [] }, model: undefined, attempts: [] },
      { routing: { tier: "no such", reason: "; ; =(", p: [], contributions: [] } },
      { tier: null, reason: "x".repeat(400) },
    ];
    for (const row of rows) expect(direct(row).split(/\. /).length).toBeLessThanOrEqual(3);
  });
});
