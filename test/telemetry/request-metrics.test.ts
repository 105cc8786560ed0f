import { describe, expect, it } from "vitest";
import type { FinishedRequest } from "../../src/telemetry/finished-request.ts";
import { metricsPage, type ScrapedState } from "../../src/telemetry/metrics/page.ts";
import { RequestMetrics } from "../../src/telemetry/metrics/request-metrics.ts";
import { arrived, attemptOf, identified, stranger } from "./finished.ts";
import { samplesIn, sumOf } from "./exposition.ts";

const state: ScrapedState = {
  version: "1.2.3",
  now: arrived,
  inFlight: { requests: 3, streams: 2 },
  memory: { used: 10, size: 100 },
  sinks: [{ name: "stdout", queued: 1, sent: 2, dropped: 3 }],
};

/** A page after these requests. */
function page(...requests: FinishedRequest[]): string {
  const metrics = new RequestMetrics(arrived);
  for (const request of requests) metrics.tell(request);
  return metricsPage(metrics, state);
}

function samples(...requests: FinishedRequest[]): ReadonlyMap<string, number> {
  return samplesIn(page(...requests));
}

/** The lines that these requests add to the page of none. */
function added(...requests: FinishedRequest[]): Record<string, number> {
  const before = samples();
  const fresh = [...samples(...requests)].filter(([name]) => !before.has(name));
  return Object.fromEntries(fresh.filter(([name]) => !name.includes("_bucket")));
}

describe("the metrics of requests", () => {
  it("count an answer with its tokens, cost and times", () => {
    expect(added(identified(), identified())).toEqual({
      'gateway_requests_total{format="chat",provider="lab",model="m",status="2xx",outcome="ok"}': 2,
      'gateway_attempts_total{provider="lab",model="m",outcome="ok"}': 2,
      'gateway_tokens_total{provider="lab",model="m",kind="input"}': 200,
      'gateway_tokens_total{provider="lab",model="m",kind="cached"}': 80,
      'gateway_tokens_total{provider="lab",model="m",kind="output"}': 40,
      'gateway_tokens_total{provider="lab",model="m",kind="reasoning"}': 10,
      'gateway_cost_usd_total{provider="lab",model="m"}': 0.5,
      'gateway_request_duration_seconds_sum{provider="lab",model="m"}': 0.188,
      'gateway_request_duration_seconds_count{provider="lab",model="m"}': 2,
      'gateway_time_to_first_token_seconds_sum{provider="lab",model="m"}': 0.1,
      'gateway_time_to_first_token_seconds_count{provider="lab",model="m"}': 2,
      // Identified in 4 ms, planned in 2, called 4 after it was admitted.
      gateway_added_overhead_seconds_sum: 0.02,
      gateway_added_overhead_seconds_count: 2,
      gateway_admission_seconds_sum: 0.002,
      gateway_admission_seconds_count: 2,
    });
  });

  it("count a request of a stranger under no provider", () => {
    expect(added(stranger())).toEqual({
      'gateway_requests_total{format="messages",provider="none",model="none",status="4xx",outcome="failed"}': 1,
      'gateway_failures_total{format="messages",provider="none",cause="M005"}': 1,
      'gateway_request_duration_seconds_sum{provider="none",model="none"}': 0.001,
      'gateway_request_duration_seconds_count{provider="none",model="none"}': 1,
    });
  });

  it("count what a limit refused by its code and node, though its status is 200", () => {
    const record = {
      model: null,
      provider: null,
      attempts: [],
      first_byte_ms: null,
      usage: null,
      cost: null,
    };
    const blocked = identified({
      record: { ...record, outcome: "blocked" as const, blocked_by: "key" as const },
      refusedWith: "M200" as const,
    });
    expect(added(blocked)).toMatchObject({
      'gateway_requests_total{format="chat",provider="none",model="none",status="2xx",outcome="blocked"}': 1,
      'gateway_blocks_total{code="M200",node="key"}': 1,
    });
  });

  it("count a fallback by the model that answered, and failures by their cause", () => {
    const failed = attemptOf({ model: "lab/a", outcome: "failed", status: 503, cause: "status" });
    const { usage: _, cost: __, ...unbilled } = failed;
    const answered = identified({ record: { attempts: [unbilled, unbilled, attemptOf()] } });
    const lost = identified({
      record: {
        attempts: [
          attemptOf({ model: "lab/b", outcome: "failed" }),
          { ...unbilled, cause: "timeout" },
        ],
        model: null,
        status: 504,
      },
    });
    const counted = added(answered, lost);
    // What the log calls a fallback: a chain that failed to its end is none.
    expect(Object.keys(counted).filter((name) => name.includes("fallbacks_total"))).toHaveLength(1);
    expect(counted).toMatchObject({
      'gateway_requests_total{format="chat",provider="lab",model="m",status="2xx",outcome="fallback"}': 1,
      'gateway_requests_total{format="chat",provider="lab",model="a",status="5xx",outcome="failed"}': 1,
      'gateway_attempts_total{provider="lab",model="a",outcome="failed"}': 3,
      'gateway_fallbacks_total{provider="lab",model="m"}': 1,
      'gateway_failures_total{format="chat",provider="lab",cause="timeout"}': 1,
    });
  });

  it("name the models that are asked last now, and no longer", () => {
    const metrics = new RequestMetrics(arrived);
    const failed = attemptOf({ outcome: "failed", coolUntil: arrived + 30_000 });
    const lost = identified({ record: { attempts: [failed], model: null, status: 429 } });
    metrics.tell(lost);
    metrics.tell({ ...lost, workspace: "other" });
    const line = 'gateway_cooling_models{provider="lab",model="m"}';
    const at = (now: number) => samplesIn(metricsPage(metrics, { ...state, now })).get(line);
    expect(at(arrived + 20_000)).toBe(2);
    metrics.tell(identified());
    expect(at(arrived + 20_000)).toBe(1);
    expect(at(arrived + 40_000)).toBeUndefined();
  });

  it("tell what holds at the moment", () => {
    expect(Object.fromEntries(samples())).toMatchObject({
      gateway_requests_in_flight: 3,
      gateway_streams_open: 2,
      gateway_body_memory_used_bytes: 10,
      gateway_body_memory_budget_bytes: 100,
      'gateway_sink_queue_length{sink="stdout"}': 1,
      'gateway_sink_sent_total{sink="stdout"}': 2,
      'gateway_sink_dropped_total{sink="stdout"}': 3,
      gateway_start_time_seconds: arrived / 1000,
      'gateway_build_info{version="1.2.3"}': 1,
    });
  });
});

describe("a histogram", () => {
  it("counts every value in its bucket and in all above it", () => {
    const durations = [0, 100, 101, 5000, 700_000];
    const times = (ms: number) => ({ arrived, ended: arrived + ms });
    const found = samples(...durations.map((ms) => stranger({ times: times(ms) })));
    const bucket = (bound: string) =>
      found.get(
        `gateway_request_duration_seconds_bucket{provider="none",model="none",le="${bound}"}`,
      );
    expect(["0.1", "0.25", "2.5", "5", "600", "+Inf"].map(bucket)).toEqual([2, 3, 3, 4, 4, 5]);
    expect(sumOf(found, "gateway_request_duration_seconds_sum")).toBe(705.201);
  });
});

/** A request that this model answered. */
function answeredBy(model: string, more: Parameters<typeof identified>[0] = {}) {
  return identified({ ...more, record: { model, attempts: [attemptOf({ model })] } });
}

describe("a client makes no series", () => {
  it("with 10,000 names of models, also at a provider that answers any", () => {
    const one = samples(answeredBy("any/made-up"));
    const many = samples(
      ...Array.from({ length: 10_000 }, (_, at) => answeredBy(`any/made-up-${at}`)),
    );
    expect([...many.keys()]).toEqual([...one.keys()]);
    expect(sumOf(many, "gateway_requests_total", 'provider="any",model="other"')).toBe(10_000);
    expect(JSON.stringify([...many.keys()])).not.toContain("made-up");
  });
});

describe("a workspace makes few series", () => {
  const named = () => true;
  const most = 3500;

  it("with thousands of models and wild connections: what comes late counts as other", () => {
    const metrics = new RequestMetrics(arrived);
    const formats = ["chat", "responses", "messages"] as const;
    for (let at = 0; at < 20_000; at += 1) {
      const model = `c${at % 400}\n"\\${"x".repeat(at % 300)}/m${at % 3000}`;
      metrics.tell(
        answeredBy(model, {
          namesModel: named,
          format: formats[at % 3] ?? "chat",
          workspace: `ws_${at}`,
          status: [200, 404, 500, 499][at % 4] ?? 200,
        }),
      );
    }
    const text = metricsPage(metrics, state);
    const found = samplesIn(text);
    expect(found.size).toBeLessThan(most);
    expect(sumOf(found, "gateway_series")).toBeLessThan(most);
    expect(sumOf(found, "gateway_requests_total")).toBe(20_000);
    expect(
      sumOf(found, "gateway_requests_total", 'provider="other",model="other"'),
    ).toBeGreaterThan(10_000);
  });

  it("with 200 models at most under their names", () => {
    const found = samples(
      ...Array.from({ length: 300 }, (_, at) => answeredBy(`lab/m${at}`, { namesModel: named })),
    );
    const models = new Set(
      [...found.keys()].map((sample) => /,?model="([^"]*)"/.exec(sample)?.[1]),
    );
    expect(models.size).toBeLessThan(205);
  });

  it("whose many failing models fill no memory", () => {
    const metrics = new RequestMetrics(arrived);
    const failed = (model: string) => attemptOf({ model, outcome: "failed", cause: "refused" });
    for (let at = 0; at < 5000; at += 1)
      metrics.tell(
        identified({
          workspace: `ws_${at}`,
          namesModel: named,
          record: { attempts: Array.from({ length: 3 }, () => failed(`lab/m${at}`)), model: null },
        }),
      );
    expect(sumOf(samplesIn(metricsPage(metrics, state)), "gateway_cooling_models")).toBeLessThan(
      1001,
    );
  });
});

describe("the text", () => {
  it("escapes values, and never breaks a line", () => {
    const text = page(answeredBy('lab/a"b\\c\nd\ud800', { namesModel: () => true }));
    expect(text).toContain(String.raw`model="a\"b\\c\nd` + '\ufffd"');
    for (const line of text.trimEnd().split("\n"))
      expect(line).toMatch(/^(?:# (?:HELP|TYPE) gateway_\w+ \S.*|gateway_\w+(?:\{.*\})? \S+)$/);
  });

  it("has no series twice, also of names that are written alike", () => {
    const named = () => true;
    const models = ["lab/\ud800", "lab/\udbff", "lab/\ufffd", `lab/${"x".repeat(300)}`];
    const text = page(
      ...[...models, `lab/${"x".repeat(301)}`].map((model) =>
        answeredBy(model, { namesModel: named }),
      ),
    );
    const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    expect(samplesIn(text).size).toBe(lines.length);
  });

  it("ends with a line feed and has each family once, with help and type", () => {
    const text = page(identified(), stranger());
    expect(text.endsWith("\n")).toBe(true);
    const heads = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
    expect(new Set(heads).size).toBe(heads.length);
    expect([...text.matchAll(/^# HELP (\S+) ./gm)].map(([, name]) => name)).toEqual(heads);
  });
});
