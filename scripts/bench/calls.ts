/**
 * `npm run bench [-- --rounds N]`: what the gateway adds to a call, measured against a provider on this machine that
 * answers at once. Direct calls and calls through the gateway alternate, so that both meet the same machine. `watched` is
 * the gateway with everything on that tells of requests: lines, metrics that are scraped, traces, a webhook. Texts are not
 * kept: redacting them has a price of its own, which grows with them.
 */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { adminOf } from "../host/admin.ts";
import { supervise, workerdBinary, type Supervised } from "../host/supervise.ts";

const { values } = parseArgs({ options: { rounds: { type: "string", default: "5" } } });
const rounds = Number(values.rounds);
const adminToken = randomBytes(16).toString("hex");

/** Where to send one kind of request. */
interface Target {
  url: string;
  key: string;
  model: string;
}

interface Sample {
  /** Microseconds. */
  small: number;
  large: number;
  firstByte: number;
  eventDelay: number;
  /** Requests a second with 16 at a time. */
  throughput: number;
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 16 });
const now = (): number => Number(process.hrtime.bigint()) / 1000;
const median = (list: number[]): number =>
  list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN;

/** Answers whole requests at once, and streams 40 events that carry the time at which they were written. */
function startProvider(): Promise<http.Server> {
  const answer = JSON.stringify({
    id: "c",
    object: "chat.completion",
    created: 1,
    model: "m",
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: "word ".repeat(100) },
        finish_reason: "stop",
      },
    ],
    usage: { prompt_tokens: 10, completion_tokens: 100, total_tokens: 110 },
  });
  const server = http.createServer((request, response) => {
    let tail = "";
    request.on("data", (part: Buffer) => (tail = (tail + part.toString("latin1")).slice(-200)));
    request.on("end", () => {
      if (tail.includes('"stream":true')) {
        void streamTimes(response);
        return;
      }
      response.writeHead(200, { "content-type": "application/json" });
      response.end(answer);
    });
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

async function streamTimes(response: http.ServerResponse): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (let index = 0; index < 40; index++) {
    const delta = { content: `@${Math.round(now())}@` };
    const chunk = {
      id: "c",
      object: "chat.completion.chunk",
      created: 1,
      model: "m",
      choices: [{ index: 0, delta }],
    };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    await new Promise((resolve) => setTimeout(resolve, 4));
  }
  response.end("data: [DONE]\n\n");
}

interface Answered {
  total: number;
  firstByte: number;
  delays: number[];
}

function ask(target: Target, size: number, stream: boolean): Promise<Answered> {
  const messages = [{ role: "user", content: "Say something. ".repeat(Math.ceil(size / 15)) }];
  const body = JSON.stringify({ model: target.model, messages, ...(stream && { stream: true }) });
  const headers = { authorization: `Bearer ${target.key}`, "content-type": "application/json" };
  return new Promise((resolve, reject) => {
    const since = now();
    const request = http.request(target.url, { method: "POST", agent, headers }, (response) => {
      if (response.statusCode !== 200)
        return reject(new Error(`status ${response.statusCode} from ${target.url}`));
      let firstByte = 0;
      const delays: number[] = [];
      response.on("data", (part: Buffer) => {
        const at = now();
        firstByte ||= at - since;
        if (!stream) return;
        for (const [, time] of part.toString("latin1").matchAll(/@(\d+)@/g))
          delays.push(at - Number(time));
      });
      response.on("end", () => resolve({ total: now() - since, firstByte, delays }));
      return undefined;
    });
    request.on("error", reject);
    request.end(body);
  });
}

async function sample(target: Target): Promise<Sample> {
  const small: number[] = [];
  for (let index = 0; index < 400; index++) small.push((await ask(target, 600, false)).total);
  const large: number[] = [];
  for (let index = 0; index < 60; index++) large.push((await ask(target, 100_000, false)).total);
  const streams = await Promise.all(Array.from({ length: 4 }, () => ask(target, 600, true)));
  let count = 0;
  const since = now();
  const worker = async (): Promise<void> => {
    while (now() - since < 1_000_000) {
      await ask(target, 600, false);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  return {
    small: median(small),
    large: median(large),
    firstByte: median(streams.map((one) => one.firstByte)),
    eventDelay: median(streams.flatMap((one) => one.delays)),
    throughput: count / ((now() - since) / 1_000_000),
  };
}

/** A worker that does nothing but pass on: what the runtime itself costs. */
async function startBare(folder: string, provider: string): Promise<Supervised> {
  const script = `export default { fetch: (request) =>
    fetch("${provider}" + new URL(request.url).pathname, { method: "POST", headers: request.headers, body: request.body }) };`;
  const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (modules = [(name = "w.js", esModule = ${JSON.stringify(script)})], compatibilityDate = "2026-04-01")),
    (name = "internet", network = (allow = ["public", "private", "local"]))
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);`;
  const file = path.join(folder, "bare.capnp");
  writeFileSync(file, config);
  return supervise({
    binary: workerdBinary(),
    config: file,
    host: "127.0.0.1",
    port: 0,
    environment: () => ({}),
    onSpawn: () => undefined,
    log: (line) => console.error(line),
    output: "inherit",
  });
}

interface Gateway {
  base: string;
  stop: () => Promise<unknown>;
}

/** The benchmark edition of the gateway on a port and a state of its own. */
async function startGateway(
  state: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Gateway> {
  const args = ["run", "--silent", "dev:bench", "--", "--port", "0", "--state", state];
  const env = {
    ...process.env,
    ...settings,
    ADMIN_TOKEN: adminToken,
    ENCRYPTION_KEY: randomBytes(32).toString("base64"),
  };
  const child = spawn("npm", args, { env, stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const base = await new Promise<string>((resolve, reject) => {
    child.stdout.on("data", (part: Buffer) => {
      const found = /ready on (\S+)/.exec(part.toString())?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once("exit", () => reject(new Error("the gateway did not start")));
  });
  return { base, stop: () => (child.kill("SIGTERM"), ended) };
}

/** Takes whatever is sent to it: an OpenTelemetry collector and a webhook's receiver. In a thread of its own. */
async function startCollector(): Promise<{ worker: Worker; url: string }> {
  const code = `
    const { parentPort } = require("node:worker_threads");
    const server = require("node:http").createServer((request, response) => {
      request.resume();
      request.once("end", () => response.writeHead(200).end());
    });
    server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));`;
  const worker = new Worker(code, { eval: true });
  const port = await new Promise<number>((resolve) => worker.once("message", resolve));
  return { worker, url: `http://127.0.0.1:${port}` };
}

/** Milliseconds between two scrapes of the metrics. */
const scrapeInterval = 1000;

function scrape(base: string): ReturnType<typeof setInterval> {
  const headers = { authorization: `Bearer ${adminToken}` };
  return setInterval(() => {
    fetch(`${base}/metrics`, { headers }).then(
      (response) => response.arrayBuffer(),
      () => undefined,
    );
  }, scrapeInterval);
}

async function watch(base: string, url: string): Promise<void> {
  await adminOf(base, adminToken).post("/api/webhooks", {
    url: `${url}/webhook`,
    events: ["limit.near", "limit.reached", "provider.down", "key.created"],
  });
}

async function connect(base: string, provider: string): Promise<Target> {
  const admin = adminOf(base, adminToken);
  const entry = {
    id: "stub",
    kind: "custom",
    format: "chat",
    base_url: `${provider}/v1`,
    models: [{ id: "m" }],
  };
  await admin.put("/api/config", {
    providers: [entry],
    harnesses: [{ id: "bench", name: "Bench" }],
  });
  // The contract's answer to this call.
  const { key } = (await admin.post("/api/harnesses/bench/keys", {})) as { key: string };
  return { url: `${base}/v1/chat/completions`, key, model: "stub/m" };
}

/** What is added to a direct call with everything on, beside what is added with everything off; medians of rounds. */
function addedRatio(
  samples: Readonly<Record<string, readonly Sample[]>>,
  name: "small" | "large" | "firstByte",
): number {
  const { direct = [], gateway = [], watched = [] } = samples;
  const added = (list: readonly Sample[]): number =>
    median(list.map((one, round) => one[name] - (direct[round]?.[name] ?? 0)));
  return added(watched) / added(gateway);
}

const state = mkdtempSync(path.join(os.tmpdir(), "gateway-bench-"));
const watchedState = mkdtempSync(path.join(os.tmpdir(), "gateway-bench-"));
const provider = await startProvider();
// A listening TCP server has such an address.
const providerUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
const gateway = await startGateway(state);
const collector = await startCollector();
const watched = await startGateway(watchedState, {
  LOG: "all",
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
});
const bare = await startBare(state, providerUrl);
const scraping = scrape(watched.base);
try {
  await watch(watched.base, collector.url);
  const targets: Record<string, Target> = {
    direct: { url: `${providerUrl}/v1/chat/completions`, key: "none", model: "m" },
    bare: { url: `http://127.0.0.1:${bare.port}/v1/chat/completions`, key: "none", model: "m" },
    gateway: await connect(gateway.base, providerUrl),
    watched: await connect(watched.base, providerUrl),
  };
  const samples: Record<string, Sample[]> = {};
  for (const target of Object.values(targets)) await sample(target);
  for (let round = 0; round < rounds; round++) {
    for (const [name, target] of Object.entries(targets))
      (samples[name] ??= []).push(await sample(target));
  }
  const measures = ["small", "large", "firstByte", "eventDelay", "throughput"] as const;
  const rows = measures.map((name) => {
    const medians = Object.entries(samples).map(([target, list]) => [
      target,
      Math.round(median(list.map((one) => one[name]))),
    ]);
    return { what: name, ...Object.fromEntries(medians) };
  });
  console.log(`microseconds (throughput: requests a second), medians of ${rounds} rounds`);
  console.table(rows);
  for (const name of ["small", "large", "firstByte"] as const)
    console.log(`added by watching, ${name}: ${addedRatio(samples, name).toFixed(2)} x`);
} finally {
  clearInterval(scraping);
  await bare.stop(1000);
  await gateway.stop();
  await watched.stop();
  await collector.worker.terminate();
  agent.destroy();
  provider.closeAllConnections();
  provider.close();
  for (const folder of [state, watchedState]) rmSync(folder, { recursive: true, force: true });
}
