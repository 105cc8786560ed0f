/** The words round a match that a row of the log shows. */
import { describe, expect, it } from "vitest";
import type { RequestView } from "../../src/admin/routes/requests/request-view.ts";
import { foundText } from "../../src/dashboard/shared/found-text.ts";

const request: RequestView = {
  id: "req_1",
  time: "2026-01-01T00:00:00.000Z",
  harness: "default",
  format: "chat",
  requested_model: "auto",
  tier: null,
  reason: null,
  why: "No model answered.",
  confidence: null,
  attempts: [{ model: "lab/tried", status: 500, ms: 1, outcome: "failed", error: "Tried in vain" }],
  model: "lab/answered",
  provider: "lab",
  status: 502,
  outcome: "failed",
  stream: false,
  usage: null,
  cost: null,
  dropped: [],
  first_byte_ms: null,
  total_ms: 1,
  error: `${"x".repeat(100)}Quota EXHAUSTED for all${"y".repeat(100)}`,
  text: { request: "What is the answer?", answer: "42" },
};

describe("the place of a searched text", () => {
  it("is shown as it stands, with some words round it", () => {
    const found = foundText(request, "quota exhausted");
    expect(found?.where).toBe("error");
    expect(found?.match).toBe("Quota EXHAUSTED");
    expect(found?.before).toBe(`…${"x".repeat(48)}`);
    expect(found?.after).toBe(` for all${"y".repeat(40)}…`);
  });

  it("is found in every text that the log searches", () => {
    const where = (text: string) => foundText(request, text)?.where;
    expect(where("in vain")).toBe("error of an attempt");
    expect(where("the ANSWER")).toBe("request");
    expect(where("42")).toBe("response");
    expect(where("answered")).toBe("model");
    expect(where("auto")).toBe("requested model");
    expect(where("lab/tried")).toBe("model tried");
    expect(where("req_1")).toBe("id");
    const named = { ...request, key: "laptop", tags: { team: "red" } };
    expect(foundText(named, "LAPT")?.where).toBe("key");
    expect(foundText(named, "team=red")?.where).toBe("tag");
    expect(where("nowhere")).toBeUndefined();
    expect(where("")).toBeUndefined();
  });

  it("marks no wrong letters where lower case is longer", () => {
    const found = foundText({ ...request, error: "İİİ wrong" }, "wrong");
    expect(found?.match).toBe("wrong");
  });
});
