import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { drainOf } from "../../src/gateway/isolate/drain.ts";
import { answerReadiness, type Probes, Readiness } from "../../src/gateway/readiness.ts";

const good: Probes = { kv: async () => null, objects: async () => undefined };
const hangs = (): Promise<never> => new Promise(() => undefined);
const fails = (): Promise<never> => Promise.reject(new Error("/srv/secret/kv.sqlite: disk full"));
const background = (): void => undefined;

function readinessWith(probes: Partial<Probes>) {
  const drain = drainOf(Date.now);
  const counts = { kv: 0, objects: 0 };
  const counted = (name: "kv" | "objects") => () => {
    counts[name] += 1;
    return (probes[name] ?? good[name])();
  };
  const readiness = new Readiness({
    probes: { kv: counted("kv"), objects: counted("objects") },
    drain,
    now: Date.now,
  });
  return { readiness, drain, counts };
}

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse("2026-05-01T00:00:00Z") });
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("readiness", () => {
  it("names every check", async () => {
    const { readiness } = readinessWith({});
    expect(await readiness.report(background)).toEqual({
      status: "ok",
      checks: { settings: "ok", kv: "ok", objects: "ok" },
    });
  });

  it("asks once in five seconds, however many requests want to know it", async () => {
    const { readiness, counts } = readinessWith({});
    await readiness.report(background);
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(Array.from({ length: 500 }, () => readiness.report(background)));
      await vi.advanceTimersByTimeAsync(1000);
    }
    expect(counts).toEqual({ kv: 1, objects: 1 });
    await vi.advanceTimersByTimeAsync(2000);
    await readiness.report(background);
    expect(counts).toEqual({ kv: 2, objects: 2 });
  });

  it("asks once while the first answer is awaited, and tells all who wait", async () => {
    const { readiness, counts } = readinessWith({
      kv: () => new Promise((resolve) => setTimeout(() => resolve(null), 800)),
    });
    const answers = Promise.all(Array.from({ length: 50 }, () => readiness.report(background)));
    await vi.advanceTimersByTimeAsync(1000);
    expect(new Set((await answers).map(({ status }) => status))).toEqual(new Set(["ok"]));
    expect(counts).toEqual({ kv: 1, objects: 1 });
  });

  it.each(["kv", "objects"] as const)("gives a hung check (%s) two seconds", async (name) => {
    const { readiness, counts } = readinessWith({ [name]: hangs });
    const answers = Promise.all([readiness.report(background), readiness.report(background)]);
    await vi.advanceTimersByTimeAsync(2100);
    for (const { status, failed, checks } of await answers)
      expect([status, failed, checks[name]]).toEqual(["unavailable", name, "failed"]);
    expect(counts[name]).toBe(1);
  });

  it("says what failed, and nothing of the fault itself", async () => {
    const { readiness } = readinessWith({ kv: fails });
    const answer = answerReadiness(await readiness.report(background));
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBe("5");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(await answer.json()).toEqual({
      status: "unavailable",
      failed: "kv",
      message: "KV cannot be read.",
      checks: { settings: "ok", kv: "failed", objects: "ok" },
    });
  });

  it("recovers when the check does", async () => {
    let broken = true;
    const { readiness } = readinessWith({ objects: () => (broken ? fails() : good.objects()) });
    expect((await readiness.report(background)).status).toBe("unavailable");
    broken = false;
    await vi.advanceTimersByTimeAsync(5000);
    expect((await readiness.report(background)).status).toBe("ok");
  });

  it("tells the last outcome while it asks anew, also where that request was cut", async () => {
    let slow: Promise<null> = Promise.resolve(null);
    const { readiness, counts } = readinessWith({ kv: () => slow });
    await readiness.report(background);
    await vi.advanceTimersByTimeAsync(6000);
    slow = hangs();
    void readiness.report(background);
    expect((await readiness.report(background)).status).toBe("ok");
    expect(counts.kv).toBe(2);
  });

  it("ends with the process's announced end, and returns where it did not come", async () => {
    const { readiness, drain, counts } = readinessWith({});
    drain.endAt(Date.now() + 30_000);
    expect((await readiness.report(background)).status).toBe("draining");
    expect(counts).toEqual({ kv: 0, objects: 0 });
    await vi.advanceTimersByTimeAsync(36_000);
    expect((await readiness.report(background)).status).toBe("ok");
  });
});
