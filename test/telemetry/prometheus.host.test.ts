/** `GET /metrics` as Debian's Prometheus reads it, with the configuration of docs/observability.md, taken from that file. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../kit/asking.ts";
import { type Lane, openLane } from "../kit/lane.ts";
import { stream, whole } from "../kit/script.ts";
import { endpoints } from "../kit/wire/index.ts";
import {
  connect,
  freePort,
  type Host,
  newKey,
  npmRunBench,
  npmStart,
  scratch,
} from "../smoke/host.ts";
import { samplesIn, sumOf } from "./exposition.ts";

const inCi = (process.env["CI"] ?? "") !== "";
const missing = ["prometheus", "promtool"].filter((name) => programOf(name) === undefined);
if (missing.length > 0 && !inCi)
  console.warn(
    `not installed: ${missing.join(", ")}; what they say of /metrics is not tested here`,
  );

const { folder, remove } = scratch();
const metricsToken = "the-token-of-the-scraper";
const usage = { input: 1000, cached: 200, output: 300 };
let host: Host;
let key: string;

beforeAll(async () => {
  host = await npmRunBench(path.join(folder, "state"), { METRICS_TOKEN: metricsToken });
  key = await newKey(host);
  await provider("lab", await answering(), { models: ["m", wildName].map(priced) });
});

afterAll(async () => {
  await host.stop();
  remove();
});

/** A name that nothing but a document could come up with. */
const wildName = 'we"ird\\ {m="1"} 😀';

function priced(id: string): Json {
  return { id, cost: { input: 2, cache_read: 1, output: 10 } };
}

function programOf(name: string): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(":");
  return folders.map((place) => path.join(place, name)).find((file) => existsSync(file));
}

/** Fails where it is not installed. */
function program(name: string): string {
  const file = programOf(name);
  if (file === undefined)
    throw new Error(`${name} is missing: install Debian's package prometheus`);
  return file;
}

async function answering(): Promise<Lane> {
  const lane = openLane();
  await lane.answer(whole(endpoints.chat.whole({ text: "hi", usage }, "m")));
  return lane;
}

async function provider(id: string, lane: Lane, more: Json = {}): Promise<void> {
  const entry = { id, kind: "custom", format: "chat", base_url: `${lane.url}/v1` };
  await connect(host, { ...entry, ...more });
}

async function ask(model: string, more: Json = {}, signal?: AbortSignal): Promise<Response> {
  const body = { model, messages: [{ role: "user", content: "hi" }], ...more };
  return await fetch(`${host.base}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
}

async function asked(model: string, more: Json = {}): Promise<number> {
  const answer = await ask(model, more);
  await answer.text();
  return answer.status;
}

/** So many tasks, at most 32 at once. */
async function times(count: number, task: (at: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await task(next++);
  };
  await Promise.all(Array.from({ length: 32 }, worker));
}

async function scraped(token = metricsToken): Promise<Response> {
  return await fetch(`${host.base}/metrics`, { headers: { authorization: `Bearer ${token}` } });
}

async function samples(): Promise<ReadonlyMap<string, number>> {
  return samplesIn(await (await scraped()).text());
}

/** What the samples of one name grew by. */
async function grown(work: () => Promise<void>) {
  const before = await samples();
  await work();
  const after = await samples();
  return (name: string, labels = ""): number =>
    sumOf(after, name, labels) - sumOf(before, name, labels);
}

/** Asks again until it holds, for a minute at most. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tried = 0; tried < 1200; tried += 1) {
    if (await holds()) return;
    await sleep(50);
  }
  throw new Error("it did not come to hold");
}

describe("what is counted", () => {
  it("is exactly what was sent: requests, tokens, cost", async () => {
    const by = await grown(async () => {
      await times(60, () => asked("lab/m"));
      await times(5, () => asked("lab/none"));
    });
    const lab = 'provider="lab",model="m"';
    expect(by("gateway_requests_total")).toBe(65);
    expect(by("gateway_requests_total", `${lab},status="2xx",outcome="ok"`)).toBe(60);
    expect(by("gateway_failures_total", 'cause="M302"')).toBe(5);
    expect(by("gateway_attempts_total", `${lab},outcome="ok"`)).toBe(60);
    expect(by("gateway_tokens_total", `${lab},kind="input"`)).toBe(60 * 1000);
    expect(by("gateway_tokens_total", `${lab},kind="cached"`)).toBe(60 * 200);
    expect(by("gateway_tokens_total", `${lab},kind="output"`)).toBe(60 * 300);
    const cost = (60 * (800 * 2 + 200 * 1 + 300 * 10)) / 1e6;
    expect(by("gateway_cost_usd_total", lab)).toBeCloseTo(cost, 9);
    expect(by("gateway_request_duration_seconds_count", lab)).toBe(60);
    expect(by("gateway_added_overhead_seconds_count")).toBe(60);
    expect(by("gateway_admission_seconds_count")).toBe(60);
  });

  it("has streams while they are open, and the time to their first content", async () => {
    const lane = openLane();
    const events = endpoints.chat.events({ text: "words that come slowly", usage }, "m");
    await lane.answer(stream(events, { pace: 200 }));
    await provider("slow", lane, { models: [priced("m")] });
    const by = await grown(async () => {
      const answer = await ask("slow/m", { stream: true });
      const open = await samples();
      expect(open.get("gateway_streams_open")).toBe(1);
      expect(open.get("gateway_requests_in_flight")).toBe(1);
      await answer.text();
      await until(async () => (await samples()).get("gateway_streams_open") === 0);
    });
    expect(by("gateway_time_to_first_token_seconds_count", 'provider="slow"')).toBe(1);
    expect((await samples()).get("gateway_requests_in_flight")).toBe(0);
  });

  it("gets no series by 10,000 made-up names of models, at a provider that answers any name too", async () => {
    await provider("any", await answering());
    const answered = await asked("any/first");
    await asked("none-at-all");
    await asked("lab/none");
    const before = [...(await samples()).keys()];
    const by = await grown(() =>
      times(10_000, (at) => asked(`${["any/", "lab/", ""][at % 3]}made-up-${at}`)),
    );
    const after = [...(await samples()).keys()];
    expect(answered).toBe(200);
    expect(after).toEqual(before);
    expect(by("gateway_requests_total")).toBe(10_000);
    expect(by("gateway_requests_total", 'provider="any",model="other",status="2xx"')).toBe(3334);
  }, 600_000);
});

describe("who may ask", () => {
  const statusOf = async (init: RequestInit): Promise<number> =>
    (await fetch(`${host.base}/metrics`, init)).status;
  const bearing = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

  it("the scraper's token and the administrator's, nobody else", async () => {
    expect(await statusOf(bearing(metricsToken))).toBe(200);
    expect(await statusOf(bearing(host.adminToken))).toBe(200);
    expect(await statusOf({ ...bearing(metricsToken), method: "HEAD" })).toBe(200);
    expect(await statusOf(bearing(key))).toBe(401);
    expect(await statusOf(bearing(`${metricsToken}x`))).toBe(401);
    const refused = await fetch(`${host.base}/metrics`);
    expect(refused.status).toBe(401);
    expect(refused.headers.get("www-authenticate")).toMatch(/^Bearer/);
    const answered = await scraped();
    expect(answered.headers.get("cache-control")).toBe("no-store");
    expect(answered.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  });

  it("too many wrong ones have to wait, and hold up no right one", async () => {
    const statuses: number[] = [];
    for (let at = 0; at < 60; at += 1) statuses.push(await statusOf(bearing(`wrong-${at}`)));
    expect(statuses.at(-1)).toBe(429);
    expect(await statusOf(bearing(metricsToken))).toBe(200);
    expect(await statusOf(bearing(host.adminToken))).toBe(200);
  });

  it("the token of the scraper is good for nothing else", async () => {
    const answer = await fetch(`${host.base}/api/config`, bearing(metricsToken));
    expect([401, 429]).toContain(answer.status);
  });

  it("a token that could be guessed ends the start, and so does another value of LOG", async () => {
    const environment = { METRICS_TOKEN: "short", LOG: "some" };
    const started = npmStart({ state: path.join(folder, "refused"), environment });
    await expect(started).rejects.toThrow(
      /LOG can't be "some"[\s\S]*METRICS_TOKEN has 5 characters/,
    );
  });
});

/** The documented configuration, for this gateway and a test's patience. */
function documented(): string {
  const text = readFileSync("docs/observability.md", "utf8");
  const example = /```yaml\n(scrape_configs:.*?)```/s.exec(text)?.[1];
  if (example === undefined) throw new Error("docs/observability.md has no scrape_configs");
  const replaced = [
    ["15s", "1s"],
    ["<METRICS_TOKEN>", metricsToken],
    ["127.0.0.1:2099", new URL(host.base).host],
  ] as const;
  return replaced.reduce((config, [from, to]) => {
    if (!config.includes(from)) throw new Error(`the example lacks ${from}`);
    return config.replace(from, to);
  }, example);
}

interface Answered {
  data: { result: { value: [number, string] }[] };
}

describe.skipIf(missing.length > 0 && !inCi)("Prometheus", () => {
  const place = path.join(folder, "prometheus");
  let prometheus: ChildProcess | undefined;
  let url: string;

  beforeAll(async () => {
    mkdirSync(place);
    const config = path.join(place, "prometheus.yml");
    writeFileSync(config, documented());
    url = `127.0.0.1:${await freePort()}`;
    const flags = [`--config.file=${config}`, `--web.listen-address=${url}`];
    prometheus = spawn(program("prometheus"), [...flags, `--storage.tsdb.path=${place}/data`], {
      stdio: ["ignore", "ignore", "ignore"],
    });
  });

  afterAll(async () => {
    const running = prometheus;
    if (running === undefined) return;
    const ended = new Promise((resolve) => running.once("exit", resolve));
    running.kill("SIGTERM");
    await ended;
  });

  async function query(expression: string): Promise<number[]> {
    const address = `http://${url}/api/v1/query?query=${encodeURIComponent(expression)}`;
    const answer = await fetch(address).catch(() => undefined);
    if (answer?.ok !== true) return [];
    // Prometheus's own shape of an instant vector.
    const { data } = (await answer.json()) as Answered;
    return data.result.map(({ value: [, value] }) => Number(value));
  }

  it("scrapes a gateway under load and knows its rates", async () => {
    const state = { loaded: true };
    const load = (async () => {
      while (state.loaded) await times(32, () => asked("lab/m"));
    })();
    const ok = 'sum(rate(gateway_requests_total{provider="lab",outcome="ok"}[10s]))';
    try {
      await until(async () => (await query(ok)).some((rate) => rate > 0));
      expect(await query("up")).toEqual([1]);
      const [overhead] = await query(
        "histogram_quantile(0.95, sum by (le) (rate(gateway_added_overhead_seconds_bucket[10s])))",
      );
      expect(overhead).toBeGreaterThan(0);
    } finally {
      state.loaded = false;
      await load;
    }
  });

  it("finds nothing to complain of in the text (promtool check metrics), whatever names a document has", async () => {
    await asked(`lab/${wildName}`);
    const input = await (await scraped()).text();
    expect(input).toContain(String.raw`model="we\"ird\\ {m=\"1\"} 😀"`);
    const said = execFileSync(program("promtool"), ["check", "metrics"], {
      input,
      encoding: "utf8",
    });
    expect(said).toBe("");
  });
});
