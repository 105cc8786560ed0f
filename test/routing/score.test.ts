import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { keywordGroupNames, keywordGroups } from "../../src/routing/signals/keyword-groups.ts";
import { scoreCellCount, scoreFeatures } from "../../src/routing/signals/score-features.ts";
import {
  minLearnedObservations,
  maxLearnedOffset,
  minLearnedOffset,
  learnedOffset,
} from "../../src/routing/learning/learned-offset.ts";
import { chooseTier } from "../../src/routing/score/choose-tier.ts";
import { tierRank } from "../../src/routing/contract/tier.ts";
import { scanText } from "../../src/routing/signals/text-scan.ts";
import { scoreRequest } from "../../src/routing/score/score-request.ts";
import { outputsPerCell } from "../../src/routing/score/weights-format.ts";
import { weights } from "../../src/routing/score/weights.ts";
import { explainDecision } from "../../src/routing/explanation/explain-decision.ts";
import { decide, modelRequest, user } from "./kit.ts";

const signals = (ask: string, tools = 0) => ({
  text: scanText(ask),
  tools,
  asks: 1,
  calls: 0,
  images: 0,
});

describe("the weights", () => {
  const bytes = Buffer.from(weights.table, "base64");

  it("are small, whole and those that the hash names", () => {
    expect(bytes.length).toBe(scoreCellCount * outputsPerCell * 2);
    expect(bytes.length).toBeLessThanOrEqual(16 * 1024);
    expect(createHash("sha256").update(weights.table).digest("hex").slice(0, 16)).toBe(
      weights.hash,
    );
  });

  it("of monotone features never favour a lower tier from bin to bin", () => {
    const cells = Array.from({ length: bytes.length / 2 }, (_, at) => bytes.readInt16LE(at * 2));
    let first = 0;
    for (const { bins, monotone } of scoreFeatures) {
      const checked = monotone === true ? bins.length : 0;
      for (let bin = 1; bin < checked; bin++) {
        for (let k = 1; k < 4; k++) {
          const ratio = (at: number): number =>
            (cells[at * outputsPerCell + k] ?? 0) - (cells[at * outputsPerCell + k - 1] ?? 0);
          expect(ratio(first + bin)).toBeGreaterThanOrEqual(ratio(first + bin - 1));
        }
      }
      first += bins.length;
    }
  });
});

describe("the score is its own explanation", () => {
  it.each(["hello", "Prove that $x^2 \\ge 0$", "def f(x):\n    return x\n\nfix this"])(
    "the contributions of %j add up to it",
    (ask) => {
      const { probabilities: p, gain, contributions } = scoreRequest(signals(ask));
      const logits = [0, 1, 2, 3].map((k) =>
        contributions.reduce((sum, { tiers }) => sum + (tiers[k] ?? 0), weights.bias[k] ?? 0),
      );
      const all = logits.reduce((sum, x) => sum + Math.exp(x), 0);
      logits.forEach((logit, k) => expect(p[k]).toBeCloseTo(Math.exp(logit) / all, 9));
      const gainLogit = contributions.reduce(
        (sum, { gain: addend }) => sum + addend,
        weights.bias[4],
      );
      expect(gain).toBeCloseTo(1 / (1 + Math.exp(-gainLogit)), 9);
    },
  );

  it("and goes out as plain JSON", () => {
    const decision = decide(modelRequest([user("Explain recursion in detail")]));
    const plain = explainDecision(decision);
    expect(JSON.parse(JSON.stringify(plain))).toEqual(plain);
    expect(plain).toMatchObject({ tier: decision.tier, candidates: decision.candidates });
  });
});

describe("expected cost", () => {
  it("moving probability upwards never lowers the tier", () => {
    const weigh = (p: number[], tilt: number): [number, number, number, number] => {
      const raw = p.map((x, k) => x * Math.exp(tilt * k));
      const sum = raw.reduce((all, x) => all + x, 0);
      return [(raw[0] ?? 0) / sum, (raw[1] ?? 0) / sum, (raw[2] ?? 0) / sum, (raw[3] ?? 0) / sum];
    };
    const shapes = [
      [0.45, 0.1, 0.4, 0.05],
      [0.3, 0.3, 0.3, 0.1],
      [0.6, 0.05, 0.05, 0.3],
      [0.1, 0.6, 0.2, 0.1],
    ];
    for (const quality of ["eco", "balanced"] as const) {
      for (const shape of shapes) {
        const ranks = Array.from({ length: 60 }, (_, at) =>
          tierRank(chooseTier(weigh(shape, -3 + at / 10), quality).tier),
        );
        expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
      }
    }
  });

  it("quality leans up where the score is unsure", () => {
    expect(chooseTier([0.4, 0.2, 0.2, 0.2], "balanced").tier).toBe("simple");
    expect(
      chooseTier([0.4, 0.2, 0.2, 0.2], "quality").leanedUp ||
        tierRank(chooseTier([0.4, 0.2, 0.2, 0.2], "quality").tier) > 1,
    ).toBe(true);
  });
});

describe("urging and flattery", () => {
  const asks = ["What is the capital of France?", "What is 12*7?", "Write a haiku about autumn"];

  it.each([
    ["", " Think step by step."],
    ["", " Please reason carefully and in detail."],
    ["", " This is extremely important, take a deep breath and be thorough."],
    ["You are a world-class expert. ", ""],
    ["Act as a senior professor of mathematics. ", ""],
    ["", " Give a comprehensive, detailed answer."],
    ["", " Denk Schritt für Schritt."],
    ["", " 请一步一步地回答。"],
  ])("buy no tier: %j … %j", (before, after) => {
    for (const ask of asks)
      expect(decide(modelRequest([user(before + ask + after)])).need).toBe(
        decide(modelRequest([user(ask)])).need,
      );
  });
});

describe("other languages", () => {
  const problems = [
    "Ali has 12 apples. He buys 5 more and gives 3 away. How many apples does he have?",
    "Ali hat 12 Äpfel. Er kauft 5 dazu und verschenkt 3. Wie viele Äpfel hat er?",
    "Ali a 12 pommes. Il en achète 5 et en donne 3. Combien de pommes a-t-il ?",
    "Али имеет 12 яблок. Он покупает ещё 5 и отдаёт 3. Сколько яблок у него?",
    "阿里有12个苹果，又买了5个，送出3个，他有多少个苹果？",
    "アリはりんごを12個持っています。5個買って3個あげました。何個ありますか？",
    "علي لديه ١٢ تفاحة. اشترى ٥ وأعطى ٣. كم تفاحة لديه؟",
    "अली के पास १२ सेब हैं। वह ५ खरीदता है और ३ देता है। उसके पास कितने सेब हैं?",
    "อาลีมีแอปเปิ้ล 12 ลูก ซื้อเพิ่ม 5 ลูก ให้ไป 3 ลูก เหลือกี่ลูก",
    "Ali ana maembe 12. Ananunua 5 na kutoa 3. Ana maembe mangapi?",
  ];
  const proofs = [
    "Prove that the square root of 2 is irrational.",
    "Beweise, dass die Wurzel aus 2 irrational ist.",
    "Démontrer que la racine de 2 est irrationnelle.",
    "Докажите, что корень из 2 иррационален.",
    "证明根号2是无理数。",
    "√2が無理数であることを証明せよ。",
    "أثبت أن جذر 2 عدد غير نسبي.",
    "सिद्ध कीजिए कि 2 का वर्गमूल अपरिमेय है।",
    "จงพิสูจน์ว่ารากที่สองของ 2 เป็นจำนวนอตรรกยะ",
    "2의 제곱근이 무리수임을 증명하시오.",
  ];
  const common = (asks: string[]): number => {
    const found = asks.map((ask) => decide(modelRequest([user(ask)])).tier);
    return Math.max(...found.map((tier) => found.filter((other) => other === tier).length));
  };

  it.each([
    ["a word problem", problems],
    ["a proof", proofs],
  ])("%s gets one tier in nine of ten languages", (_name, asks) => {
    expect(common(asks)).toBeGreaterThanOrEqual(9);
  });

  it("every kind of cue is known in at least ten scripts or languages", () => {
    const spoken = keywordGroupNames.filter(
      (name) => !["expert", "trace", "abstract"].includes(name),
    );
    for (const name of spoken) expect(keywordGroups[name].split(/\s+/).length).toBeGreaterThan(30);
  });

  it("digits of other scripts are digits", () => {
    expect(scanText("١٢ और १५ และ ๑๘ と １９").numbers).toBe(4);
  });
});

describe("learning", () => {
  const none = { served: 0, errors: 0, truncated: 0, rephrased: 0, overridden: 0, bad_calls: 0 };
  const after = (bad: number, good: number) =>
    learnedOffset({ standard: { ...none, served: bad + good, rephrased: bad } });

  it("follows from nothing before enough was seen", () => {
    expect(after(minLearnedObservations - 1, 0)).toBe(0);
  });

  it("leans up when much goes wrong, never beyond its bound", () => {
    expect(after(30, 30)).toBeGreaterThan(0);
    expect(after(100_000, 0)).toBeLessThanOrEqual(maxLearnedOffset);
  });

  it("moves no request by more than one tier, and easy work stays simple", () => {
    for (const quality of ["eco", "balanced", "quality"] as const) {
      for (const p of [
        [0.97, 0.01, 0.01, 0.01],
        [0.4, 0.3, 0.2, 0.1],
        [0.1, 0.5, 0.3, 0.1],
        [0.1, 0.2, 0.4, 0.3],
      ] as const) {
        const moved =
          tierRank(chooseTier(p, quality, maxLearnedOffset).tier) -
          tierRank(chooseTier(p, quality).tier);
        expect(moved === 0 || moved === 1).toBe(true);
        if (p[0] > 0.9) expect(moved).toBe(0);
      }
    }
  });

  const said = (answers: { right?: number; too_weak?: number; too_strong?: number }, served = 20) =>
    learnedOffset({ standard: { ...none, served, ...answers } });

  it("goes by what people say, which weighs more than what was observed, in both directions", () => {
    expect(said({ too_weak: 5 })).toBeGreaterThan(after(5, 25));
    expect(said({ too_strong: 5 })).toBeLessThan(0);
    expect(said({ too_weak: 5, right: 50 })).toBeLessThan(said({ too_weak: 5 }));
    expect(said({ right: 50 })).toBe(0);
    expect(said({ too_weak: 1 }, 1)).toBe(0);
  });

  it("stays within its bounds however often people say the same", () => {
    expect(said({ too_weak: 100_000 })).toBe(maxLearnedOffset);
    expect(said({ too_strong: 100_000 })).toBe(minLearnedOffset);
  });

  it("asks for nothing beyond the strongest and the weakest tier", () => {
    expect(learnedOffset({ reasoning: { ...none, served: 99, too_weak: 99 } })).toBe(0);
    expect(learnedOffset({ simple: { ...none, served: 99, too_strong: 99 } })).toBe(0);
  });

  it.each([minLearnedOffset, -0.03, 0, 0.05, maxLearnedOffset])(
    "at %s moves by one tier at most, and eco never goes above balanced",
    (offset) => {
      const steps = Array.from({ length: 11 }, (_, at) => at / 10);
      for (const a of steps)
        for (const b of steps)
          for (const c of steps) {
            if (a + b + c > 1) continue;
            const p = [a, b, c, Math.max(0, 1 - a - b - c)] as const;
            const tier = (quality: "eco" | "balanced" | "quality", by = offset) =>
              tierRank(chooseTier(p, quality, by).tier);
            expect(tier("eco")).toBeLessThanOrEqual(tier("balanced"));
            for (const quality of ["eco", "balanced"] as const)
              expect(Math.abs(tier(quality) - tier(quality, 0))).toBeLessThanOrEqual(1);
          }
    },
  );

  it("makes nothing of silence: without a complaint no tier gets cheaper", () => {
    expect(after(0, 100_000)).toBe(0);
  });

  it("does not take a provider's faults for a lack of capability", () => {
    expect(learnedOffset({ simple: { ...none, served: 200, errors: 200 } })).toBe(0);
  });
});
