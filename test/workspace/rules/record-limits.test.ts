/** How large a record may be. */
import { describe, expect, it } from "vitest";
import { boundedRecord } from "../../../src/workspace/contract/record-limits.ts";
import type { RequestRecord } from "../../../src/workspace/contract/request-record.ts";
import { attemptOf, recordOf, usage } from "../../telemetry/finished.ts";

const long = "x".repeat(100_000);

describe("a record", () => {
  it("that fits is as it was, but for what sinks alone are told of its attempts", () => {
    const { begun: _, ...row } = attemptOf();
    const record = recordOf({ attempts: [row] });
    expect(boundedRecord(record)).toEqual(record);
    expect(boundedRecord(recordOf())).toEqual(record);
  });

  it.each<[string, Partial<RequestRecord>]>([
    ["a name", { key_name: long }],
    ["a reason", { reason: long }],
    ["an error", { error: long }],
    ["an id", { session_id: long }],
    ["a tag", { tags: { team: long } }],
    ["tags", { tags: Object.fromEntries(Array.from({ length: 99 }, (_, at) => [`t${at}`, "v"])) }],
    ["a dropped path", { dropped: [long] }],
    ["dropped paths", { dropped: Array.from({ length: 9999 }, (_, at) => `path ${at}`) }],
    ["attempts", { attempts: Array.from({ length: 999 }, () => attemptOf()) }],
    ["an attempt's error", { attempts: [attemptOf({ error: long })] }],
    ["a text", { text: { request: long, answer: "" } }],
    ["an explanation", { routing: { why: long } }],
    ["observations", { observed: Array.from({ length: 99 }, () => served) }],
  ])("is cut where %s is too large", (_, more) => {
    const bounded = boundedRecord(recordOf(more));
    expect(JSON.stringify(bounded).length).toBeLessThan(30_000);
    expect(bounded).toMatchObject({ id: "req_1", usage, cost: 0.25 });
  });

  it("has no number that the database does not take", () => {
    const broken = { ...usage, output_tokens: Number.NaN };
    const bounded = boundedRecord(
      recordOf({ usage: broken, attempts: [attemptOf({ usage: broken })] }),
    );
    expect(bounded.usage?.output_tokens).toBe(0);
    expect(bounded.attempts[0]?.usage?.output_tokens).toBe(0);
  });
});

const served = { tier: "simple", what: "served" } as const;
