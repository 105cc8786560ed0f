import { describe, expect, it } from "vitest";
import {
  addAnswerLength,
  percentile,
  usualAnswerLength,
  type AnswerLengths,
} from "../../../src/workspace/rules/answer-lengths.ts";
import { bucketOfAddress, addressOf } from "../../../src/workspace/address/address.ts";
import { expectedOutput } from "../../../src/workspace/rules/budget.ts";
import {
  type Cooling,
  coolingNow,
  coolingUntil,
  recordAttempt,
} from "../../../src/workspace/rules/cooldown.ts";

describe("lengths of answers", () => {
  it("gives the 95th percentile by nearest rank", () => {
    const hundred = Array.from({ length: 100 }, (_, index) => index + 1);
    expect(percentile(hundred, 0.95)).toBe(95);
    expect(percentile([5], 0.95)).toBe(5);
    expect(percentile([1, 2], 0.95)).toBe(2);
  });

  it("remembers the last hundred only", () => {
    const answers: AnswerLengths = new Map();
    for (let index = 0; index < 100; index += 1) addAnswerLength(answers, "h m", 5000);
    expect(usualAnswerLength(answers, "h m")).toBe(5000);
    for (let index = 0; index < 100; index += 1) addAnswerLength(answers, "h m", 10);
    expect(usualAnswerLength(answers, "h m")).toBe(10);
    expect(usualAnswerLength(answers, "h other")).toBeUndefined();
  });
});

describe("the expected length of an answer", () => {
  it.each([
    {
      name: "the client asks for little",
      candidate: { asked: 4096 },
      before: 9000,
      tokens: 4096,
      bound: true,
    },
    { name: "the client asks for much", candidate: { asked: 32_000 }, tokens: 4096 },
    {
      name: "the client asks for much in many answers, each of which is short",
      candidate: { asked: 10_000, answers: 10 },
      tokens: 10_000,
      bound: true,
    },
    {
      name: "the client asks for much in each of many answers",
      candidate: { asked: 320_000, answers: 10 },
      before: 9000,
      tokens: 90_000,
    },
    {
      name: "it asks for much and answers are long",
      candidate: { asked: 32_000 },
      before: 9000,
      tokens: 9000,
    },
    {
      name: "answers are longer than it asks for",
      candidate: { asked: 5000 },
      before: 9000,
      tokens: 5000,
    },
    {
      name: "the model cannot say as much",
      candidate: { modelMax: 800 },
      before: 9000,
      tokens: 800,
    },
    { name: "nothing is known", candidate: {}, tokens: 1000 },
    { name: "answers are short", candidate: {}, before: 20, tokens: 1000 },
    {
      name: "the model's maximum is less than asked",
      candidate: { asked: 2000, modelMax: 500 },
      tokens: 500,
      bound: true,
    },
  ])("$name", ({ candidate, before, tokens, bound = false }) => {
    expect(expectedOutput(candidate, before)).toEqual({ tokens, bound });
  });
});

describe("cooling down", () => {
  const failed = (now: number, coolUntil?: number) =>
    ({ outcome: "failed", now, ...(coolUntil === undefined ? {} : { coolUntil }) }) as const;

  it("takes three failures in ten seconds, and lasts ten", () => {
    const cooling: Cooling = new Map();
    recordAttempt(cooling, "m", failed(0));
    recordAttempt(cooling, "m", failed(5000));
    expect(coolingUntil(cooling, "m", 5000)).toBeUndefined();
    recordAttempt(cooling, "m", failed(9999));
    expect(coolingUntil(cooling, "m", 9999)).toBe(19_999);
    expect(coolingUntil(cooling, "m", 19_999)).toBeUndefined();
  });

  it("does not count failures that are further apart", () => {
    const cooling: Cooling = new Map();
    for (const now of [0, 5000, 10_000, 15_000]) recordAttempt(cooling, "m", failed(now));
    expect(coolingNow(cooling, 15_000)).toEqual({});
  });

  it("obeys a provider that asks to be left alone, for a minute at most", () => {
    const cooling: Cooling = new Map();
    recordAttempt(cooling, "m", failed(0, 20_000));
    recordAttempt(cooling, "n", failed(0, 900_000));
    expect(coolingNow(cooling, 0)).toEqual({ m: 20_000, n: 60_000 });
  });

  it("ends with one success, and knows nothing of departures", () => {
    const cooling: Cooling = new Map();
    for (const now of [0, 1, 2]) recordAttempt(cooling, "m", failed(now));
    recordAttempt(cooling, "m", { outcome: "neutral", now: 3 });
    expect(coolingUntil(cooling, "m", 3)).toBe(10_002);
    recordAttempt(cooling, "m", { outcome: "ok", now: 4 });
    expect(coolingUntil(cooling, "m", 4)).toBeUndefined();
  });
});

describe("client addresses", () => {
  it.each([
    ["192.0.2.7", "192.0.2.7"],
    ["192.0.2.7:1234", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["::ffff:c000:207", "192.0.2.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:DB8:1:2::9", "2001:db8:1:2::/64"],
    ["[2001:db8:1:2::9]:443", "2001:db8:1:2::/64"],
    ["2001:db8::", "2001:db8:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["999.1.1.1", undefined],
    ["not an address", undefined],
    ["", undefined],
  ])("%s is counted as %s", (text, bucket) => {
    expect(bucketOfAddress(text)).toBe(bucket);
  });

  it("believes no header where none is named", () => {
    const headers = new Headers({
      "x-forwarded-for": "192.0.2.1",
      "cf-connecting-ip": "192.0.2.2",
    });
    expect(addressOf(headers, {})).toBe("direct");
    expect(addressOf(headers, { TRUSTED_IP_HEADER: "" })).toBe("direct");
    expect(addressOf(headers, { TRUSTED_IP_HEADER: "x-real-ip" })).toBe("direct");
  });

  it("believes the named header, and of a list the nearest proxy's word", () => {
    const headers = new Headers({ "x-forwarded-for": "192.0.2.1, 192.0.2.9" });
    expect(addressOf(headers, { TRUSTED_IP_HEADER: "X-Forwarded-For" })).toBe("192.0.2.9");
  });

  it("believes the edge where hosted, and nothing else", () => {
    const headers = new Headers({ "x-real-ip": "192.0.2.1", "cf-connecting-ip": "192.0.2.2" });
    expect(addressOf(headers, { MODE: "cloud", TRUSTED_IP_HEADER: "x-real-ip" })).toBe("192.0.2.2");
  });
});
