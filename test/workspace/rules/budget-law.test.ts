/** Whatever requests ask for and providers bill within that, ten at once never overrun a limit that blocks. */
import { expect, it } from "vitest";
import type { Prices } from "../../../src/core/model.ts";
import type { CandidateEstimate } from "../../../src/workspace/contract/admission.ts";
import { decide } from "../../../src/workspace/rules/admission.ts";
import { bookedUsage, costOf } from "../../../src/workspace/rules/sums/cost.ts";
import { settleRequest } from "../../../src/workspace/rules/settlement.ts";
import { random, type Random } from "../../kit/random.ts";
import { asking, record, start, workspace } from "./kit.ts";

const prices: Prices = {
  input: 3,
  output: 15,
  cacheRead: 0.3,
  cacheWrite: 3.75,
  serviceTiers: { priority: 2, flex: 0.5 },
  toolUses: { webSearch: { perThousand: 10 } },
};
const tiers = ["priority", "flex", "default"] as const;
/** What else a provider may charge for. */
const dearPrices: Prices = {
  ...prices,
  cacheWrite1h: 6,
  regions: { us: 1.1 },
  answers: { low: 5, high: 12 },
  media: { inputAudio: 32, outputAudio: 64 },
};

function anyCandidate(rng: Random): CandidateEstimate {
  const answers = rng.int(1, 8);
  return {
    id: "lab/one",
    input: rng.int(0, 20_000),
    asked: rng.int(1, 4096) * answers,
    answers,
    serviceTier: rng.pick(tiers),
    toolUses: { webSearch: rng.int(0, 5) },
    prices,
  };
}

/** What a provider may bill: no more than was asked for, in the tier that was asked for or the usual one. */
function anyBill(rng: Random, asked: CandidateEstimate): { output: number; cost: number } {
  const output = rng.int(0, asked.asked ?? 0);
  const { input } = asked;
  const cacheRead = rng.int(0, input);
  const cacheWrite = rng.int(0, input - cacheRead);
  const nothing = { input: 0, output: 0 };
  const usage = bookedUsage({ input, cacheRead, cacheWrite, output }, nothing);
  const serviceTier = rng.pick([asked.serviceTier ?? "default", "default"]);
  const toolUses = { webSearch: rng.int(0, asked.toolUses?.webSearch ?? 0) };
  return { output, cost: costOf(usage, prices, { serviceTier, toolUses }) ?? 0 };
}

it("what is booked stays within the limit", () => {
  for (let seed = 0; seed < 500; seed += 1) {
    const rng = random(seed);
    const max = rng.int(1, 300) / 100;
    const state = workspace({ budgets: [{ metric: "cost", period: "day", max, action: "block" }] });
    let booked = 0;
    for (let race = 0; race < 3; race += 1) {
      const requests = Array.from({ length: 10 }, () => anyCandidate(rng)).map((candidate) => ({
        candidate,
        request: asking({ candidates: [candidate] }),
      }));
      const admitted = requests.filter(
        ({ request }) => decide(state, request, start).verdict === "admitted",
      );
      for (const { candidate, request } of admitted) {
        const { output, cost } = anyBill(rng, candidate);
        booked += cost;
        const spent = { input: candidate.input, output, cost };
        settleRequest(state, record(request.requestId, spent), start);
      }
    }
    expect(booked, `seed ${seed}`).toBeLessThanOrEqual(max + 1e-9);
  }
});

/** A request that says of its output what it likes, or nothing. */
function anyBoundedCandidate(rng: Random): CandidateEstimate {
  const candidate = anyCandidate(rng);
  const output = rng.int(1, 200_000);
  const { asked: _, answers: __, ...open } = candidate;
  const most = { input: Math.ceil(candidate.input * 1.5), output };
  const audio = rng.int(0, 1) === 0 ? (["inputAudio", "outputAudio"] as const) : [];
  const region = rng.int(0, 1) === 0 ? { region: "us" } : {};
  return {
    ...(rng.int(0, 1) === 0 ? open : { ...open, asked: output }),
    most,
    media: audio,
    ...region,
    prices: dearPrices,
  };
}

/** All that an upper bound allows: longer input than was estimated, written to the cache for an hour, in the dearest tier. */
function mostBill(rng: Random, { most, serviceTier, toolUses, ...asked }: CandidateEstimate) {
  const input = most?.input ?? 0;
  const output = rng.int(0, 3) === 0 ? rng.int(0, most?.output ?? 0) : (most?.output ?? 0);
  const { media = [], region = "eu" } = asked;
  const isHeard = media.length > 0;
  const cached = isHeard ? {} : { cacheWrite: input, cacheWrite1h: input };
  const usage = bookedUsage({ input, ...cached, output }, { input: 0, output: 0 });
  const terms = {
    serviceTier: serviceTier ?? "default",
    region,
    searchContext: rng.pick(["low", "high"] as const),
    ...(toolUses && { toolUses }),
    ...(isHeard && { media: { inputAudio: input, outputAudio: output } }),
  };
  return { input, output, cost: costOf(usage, dearPrices, terms) ?? 0 };
}

it("what is booked stays within a limit with upper bounds, whatever requests leave open", () => {
  let passed = 0;
  for (let seed = 0; seed < 500; seed += 1) {
    const rng = random(seed);
    const metric = rng.pick(["cost", "tokens"] as const);
    const max = metric === "cost" ? rng.int(1, 600) / 100 : rng.int(1, 400_000);
    const limit = { metric, period: "day", max, action: "block", strict: "bound" } as const;
    const state = workspace({ budgets: [limit] });
    let booked = 0;
    for (let race = 0; race < 3; race += 1) {
      const requests = Array.from({ length: 10 }, () => anyBoundedCandidate(rng)).map(
        (candidate) => ({ candidate, request: asking({ candidates: [candidate] }) }),
      );
      const admitted = requests.filter(
        ({ request }) => decide(state, request, start).verdict === "admitted",
      );
      passed += admitted.length;
      for (const { candidate, request } of admitted) {
        const bill = mostBill(rng, candidate);
        booked += metric === "cost" ? bill.cost : bill.input + bill.output;
        settleRequest(state, record(request.requestId, bill), start);
      }
    }
    expect(booked, `seed ${seed}`).toBeLessThanOrEqual(max + 1e-9);
  }
  expect(passed).toBeGreaterThan(500);
});
