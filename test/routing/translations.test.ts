/** The same request in other languages: written for this, and part of no training set. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { decide, modelRequest, user } from "./kit.ts";

const requests = z
  .array(z.object({ name: z.string(), kind: z.string(), asks: z.record(z.string(), z.string()) }))
  .parse(JSON.parse(readFileSync("test/routing/translations.json", "utf8")));

/** Share of pairs of translations that are given one tier. */
function agreement(kind?: string): number {
  let pairs = 0;
  let same = 0;
  for (const { asks } of requests.filter((one) => kind === undefined || one.kind === kind)) {
    const found = Object.values(asks).map((ask) => decide(modelRequest([user(ask)])).need);
    found.forEach((tier, at) => {
      for (const other of found.slice(0, at)) {
        pairs++;
        if (other === tier) same++;
      }
    });
  }
  return same / pairs;
}

describe("a request in another language", () => {
  it("gets the same tier at least three times in four, eight times in ten over all kinds", () => {
    expect(agreement()).toBeGreaterThanOrEqual(0.8);
  });

  it.each(["word", "intent", "open", "choice"])("of the kind %s, too", (kind) => {
    expect(agreement(kind)).toBeGreaterThanOrEqual(0.75);
  });

  it("is not one of two languages: each request comes in eleven or more", () => {
    expect(requests.filter(({ asks }) => Object.keys(asks).length < 11)).toEqual([]);
  });
});
