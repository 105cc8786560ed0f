/**
 * `npm run bench:reads [-- rounds]`: what readers of one workspace's reports and log do to the latency of another's
 * requests. A workspace is filled with a busy month; rounds without readers and with each kind of them take turns.
 */
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { build } from "esbuild";
import { adminOf, untilHealthy } from "../host/running/admin.ts";
import { bundleServices } from "../host/build/bundle.ts";
import { hostConfig, objectsFolder } from "../host/workerd/capnp.ts";
import { buildStaticFiles, clientConstants } from "../host/build/client.ts";
import { supervise, workerdBinary } from "../host/workerd/supervise.ts";
import { quantile } from "./admission-load.ts";
import { processCpu } from "./process-cpu.ts";
import { requestsAtPace } from "./reads-others.ts";
import { type ReaderTab, startReaders } from "./reads-tabs.ts";
import type { Filling } from "./reads-worker.ts";

const rounds = Number(process.argv[2] ?? 5);
/** Milliseconds of a round. */
const duration = 1500;
const day = 86_400_000;
/** 172,800 rows of sums in hours, and a full log. */
const filling: Filling = { days: 30, models: 120, harnesses: 2, rows: 10_000, texts: 2000 };
const settings = { VARIANT: "A", MODE: "self-hosted" } as const;
const adminToken = randomBytes(16).toString("hex");
const body = JSON.stringify({
  model: "p/m",
  messages: [{ role: "user", content: "x".repeat(900) }],
});

interface Host {
  base: string;
  port: number;
  /** Of workerd. */
  pid: number;
  stop(): Promise<void>;
}

async function main(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "bench-reads-"));
  const stub = await startStub();
  const host = await startHost(folder);
  try {
    const key = await keyOf(host.base, `http://127.0.0.1:${stub.port}/v1`);
    const tabs = await tabsOf(host.base);
    await tellCosts(host, tabs);
    for (const perSecond of [40, 200]) await compare(host, { key, perSecond, tabs });
  } finally {
    await host.stop();
    await stub.worker.terminate();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Tabs = Readonly<Record<string, readonly ReaderTab[]>>;

/** Latency of others' requests in one round, microseconds. */
interface Measured {
  p50: number;
  p95: number;
  longest: number;
}

/** Others' requests, and who reads beside them. */
interface Round {
  key: string;
  perSecond: number;
  tabs: readonly ReaderTab[];
}

/** What one answer of each reader is, and costs the process. */
async function tellCosts(host: Host, tabs: Tabs): Promise<void> {
  console.log("\none answer, nobody else asking:");
  for (const [kind, [tab]] of Object.entries(tabs)) {
    if (tab === undefined) continue;
    const before = processCpu(host.pid);
    const readers = await startReaders(host.base, [tab]);
    const [report] = await readers.stop("whole");
    const cpu = (processCpu(host.pid) - before) / (report?.answers ?? 1);
    const bytes = (report?.bytes ?? 0) / (report?.answers ?? 1);
    const took = median(report?.times ?? []);
    console.log(
      `  ${kind.padEnd(10)} ${Math.round(bytes / 1000)} KB, ${Math.round(took)} ms, CPU ${Math.round(cpu / 1000)} ms`,
    );
  }
}

async function compare(host: Host, { tabs, ...load }: Omit<Round, "tabs"> & { tabs: Tabs }) {
  const kinds = ["nobody", ...Object.keys(tabs)];
  const found = new Map(kinds.map((kind): [string, Measured[]] => [kind, []]));
  await round(host, { ...load, tabs: [] });
  for (let done = 0; done < rounds; done += 1)
    for (const kind of kinds)
      found.get(kind)?.push(await round(host, { ...load, tabs: tabs[kind] ?? [] }));
  const alone = found.get("nobody") ?? [];
  console.log(`\nothers: ${load.perSecond} requests/s, ${rounds} rounds of ${duration} ms`);
  for (const [kind, measured] of found) tell(kind, measured, alone);
}

/** Medians of the rounds, and the best of them, which other work on the machine disturbed least. */
function tell(kind: string, measured: readonly Measured[], alone: readonly Measured[]): void {
  const of = (name: keyof Measured, all = measured): number => median(all.map((one) => one[name]));
  const best = (all: readonly Measured[]): number => Math.min(...all.map(({ p95 }) => p95));
  const middle = `p50 ${milli(of("p50"))}  p95 ${milli(of("p95"))}, ${(of("p95") / of("p95", alone)).toFixed(2)} x`;
  const least = `best p95 ${milli(best(measured))}, ${(best(measured) / best(alone)).toFixed(2)} x`;
  console.log(`  ${kind.padEnd(10)} ${middle}  ${least}  longest ${milli(of("longest"))}`);
}

function milli(microseconds: number): string {
  return `${(microseconds / 1000).toFixed(1)} ms`.padStart(9);
}

function median(values: readonly number[]): number {
  return quantile(
    values.toSorted((left, right) => left - right),
    0.5,
  );
}

async function round(host: Host, { key, perSecond, tabs }: Round): Promise<Measured> {
  const readers = await startReaders(host.base, tabs);
  const url = `${host.base}/v1/chat/completions`;
  const times = await requestsAtPace({ url, key, body, perSecond, duration });
  await readers.stop("at once");
  await sleep(300);
  return {
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95),
    longest: times.at(-1) ?? 0,
  };
}

/** A key of a workspace that is not read. */
async function keyOf(base: string, provider: string): Promise<string> {
  const { admin } = await newWorkspace(base);
  const entry = { id: "p", kind: "custom", format: "chat", base_url: provider };
  const harnesses = [{ id: "h", name: "H" }];
  await admin.put("/api/config", { providers: [{ ...entry, models: [{ id: "m" }] }], harnesses });
  const { key } = (await admin.post("/api/harnesses/h/keys", {})) as { key: string };
  return key;
}

/** The workspace that is read, filled, and who reads it how. */
async function tabsOf(base: string): Promise<Tabs> {
  const { id, token } = await newWorkspace(base);
  const answer = await fetch(`${base}/fill?workspace=${id}`, {
    method: "POST",
    body: JSON.stringify(filling),
  });
  const { rows } = (await answer.json()) as { rows: number };
  console.log(`filled with ${rows} sums and ${filling.rows} rows of the log`);
  await sleep(500);
  const cookie = await signedIn(base, token);
  const from = encodeURIComponent(new Date(Date.now() - filling.days * day).toISOString());
  const api = { authorization: `Bearer ${token}` };
  const overview = { path: "/dashboard?range=30d", headers: { cookie } };
  const usage = { path: `/api/usage?by=hour&group=model&from=${from}`, headers: api };
  const ndjson = { path: "/api/requests", headers: { ...api, accept: "application/x-ndjson" } };
  const csv = { path: "/api/requests", headers: { ...api, accept: "text/csv" } };
  const search = { path: "/api/requests?q=nothing-has-this", headers: api };
  const sessions = { path: `/api/usage?by=day&group=session&from=${from}`, headers: api };
  return {
    overview: [overview],
    usage: [usage],
    sessions: [sessions],
    csv: [csv],
    ndjson: [ndjson],
    search: [search],
    "four tabs": [overview, usage, ndjson, search],
  };
}

async function newWorkspace(base: string) {
  const made = await adminOf(base, adminToken).post("/api/workspaces", { name: "bench" });
  // The admin API's own answer.
  const { id, admin_token: token } = made as { id: string; admin_token: string };
  return { id, token, admin: adminOf(base, token) };
}

/** The cookie of the dashboard's session. */
async function signedIn(base: string, token: string): Promise<string> {
  const answer = await fetch(`${base}/dashboard/sign-in`, {
    method: "POST",
    redirect: "manual",
    headers: { origin: base, "sec-fetch-site": "same-origin" },
    body: new URLSearchParams({ token }),
  });
  if (answer.status !== 303) throw new Error(`signing in: ${answer.status}`);
  return answer.headers
    .getSetCookie()
    .map((text) => text.split(";")[0])
    .join("; ");
}

/** A provider that answers at once, in a thread of its own. */
async function startStub(): Promise<{ worker: Worker; port: number }> {
  const code = `
    const { parentPort } = require("node:worker_threads");
    const usage = { prompt_tokens: 300, completion_tokens: 200, total_tokens: 500 };
    const message = { role: "assistant", content: "y".repeat(700) };
    const answer = JSON.stringify({ id: "x", object: "chat.completion", created: 1, model: "m", usage,
      choices: [{ index: 0, message, finish_reason: "stop" }] });
    const server = require("node:http").createServer((request, response) => {
      request.resume();
      request.once("end", () => response.writeHead(200, { "content-type": "application/json" }).end(answer));
    });
    server.keepAliveTimeout = 60_000;
    server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));`;
  const worker = new Worker(code, { eval: true });
  const port = await new Promise<number>((resolve) => worker.once("message", resolve));
  return { worker, port };
}

/** workerd with the gateway that can be filled, its limits of requests compiled out. */
async function startHost(folder: string): Promise<Host> {
  const workerFile = path.join(folder, "worker.js");
  await build({
    entryPoints: ["scripts/bench/reads-worker.ts"],
    outfile: workerFile,
    bundle: true,
    format: "esm",
    target: "es2023",
    conditions: ["workerd", "worker", "browser"],
    external: ["cloudflare:*", "node:*"],
    define: {
      __LIMITS__: "false",
      __VERSION__: '"bench"',
      ...clientConstants(await buildStaticFiles()),
    },
  });
  mkdirSync(path.join(folder, objectsFolder));
  const secrets = { ADMIN_TOKEN: adminToken, ENCRYPTION_KEY: randomBytes(32).toString("base64") };
  const values = { ...settings, ...secrets, BOOT_ID: randomBytes(8).toString("hex") };
  const config = path.join(folder, "workerd.capnp");
  const plan = {
    folder,
    workerFile,
    ...(await bundleServices()),
    environment: Object.keys(values),
    certificates: [],
    reach: "everywhere" as const,
  };
  writeFileSync(config, hostConfig({ ...plan, address: "127.0.0.1:0" }));
  let pid = 0;
  const running = await supervise({
    binary: workerdBinary(),
    config,
    host: "127.0.0.1",
    port: 0,
    environment: () => values,
    onSpawn: (spawned) => (pid = spawned),
    log: (line) => console.error(line),
    output: "inherit",
  });
  const base = `http://127.0.0.1:${running.port}`;
  await untilHealthy(base);
  return { base, port: running.port, pid, stop: () => running.stop(1000) };
}

await main();
