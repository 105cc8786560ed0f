/**
 * `npm run bench:admission`: what admission and settlement add to a request, beside the same worker without
 * them. Rounds of both take turns, so that a noisy machine is noisy for both.
 */
import { randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { build } from "esbuild";
import { type Load, quantile, run, type Timing } from "./admission-load.ts";
import { processCpu } from "./process-cpu.ts";
import { bundleServices } from "../host/build/bundle.ts";
import { hostConfig, objectsFolder } from "../host/workerd/capnp.ts";
import { supervise, type Supervised } from "../host/workerd/supervise.ts";

const rounds = Number(process.argv[2] ?? 5);
const duration = 1500;
const body = JSON.stringify({
  model: "auto",
  messages: [{ role: "user", content: "x".repeat(900) }],
});

async function main(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "bench-admission-"));
  const stub = await startStub();
  const host = await startHost(folder, `http://127.0.0.1:${stub.port}/`);
  try {
    const key = await (await fetch(`http://127.0.0.1:${host.port}/key`)).text();
    for (const parallel of [1, 16]) await compare(host, key, parallel);
  } finally {
    await host.stop(1000);
    await stub.worker.terminate();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Measured extends Timing {
  /** CPU microseconds of the whole process, a request. */
  cpu: number;
}

/** workerd, and its process. */
interface BenchHost extends Supervised {
  pid: number;
}

async function measured({ pid }: BenchHost, load: Load): Promise<Measured> {
  const before = processCpu(pid);
  const timing = await run(load);
  return { ...timing, cpu: (processCpu(pid) - before) / timing.times.length };
}

async function compare(host: BenchHost, key: string, parallel: number): Promise<void> {
  const load = { port: host.port, body, parallel, authorization: key, duration };
  await run({ ...load, path: "/bare", duration: 500 });
  await run({ ...load, path: "/metered", duration: 500 });
  const bare: Measured[] = [];
  const metered: Measured[] = [];
  for (let round = 0; round < rounds; round += 1) {
    bare.push(await measured(host, { ...load, path: "/bare" }));
    metered.push(await measured(host, { ...load, path: "/metered" }));
  }
  console.log(`\n${parallel} in flight, ${rounds} rounds of ${duration} ms, medians`);
  for (const [name, timings] of [
    ["bare", bare],
    ["metered", metered],
  ] as const) {
    const [p50, p99] = [0.5, 0.99].map((share) =>
      median(timings.map(({ times }) => quantile(times, share))),
    );
    const rate = median(timings.map(({ perSecond }) => perSecond));
    const cpu = median(timings.map((timing) => timing.cpu));
    console.log(
      `  ${name.padEnd(8)} p50 ${micro(p50)}  p99 ${micro(p99)}  ${Math.round(rate)} requests/s  CPU ${micro(cpu)} a request`,
    );
  }
  const added = bare.map(
    ({ times }, round) => quantile(metered[round]?.times ?? [], 0.5) - quantile(times, 0.5),
  );
  const share = bare.map(({ perSecond }, round) => (metered[round]?.perSecond ?? 0) / perSecond);
  console.log(
    `  added p50 ${micro(median(added))}; throughput ${median(share).toFixed(2)} of bare`,
  );
}

function micro(value: number | undefined): string {
  return `${Math.round(value ?? 0)} µs`.padStart(9);
}

function median(values: readonly number[]): number {
  return quantile(
    values.toSorted((left, right) => left - right),
    0.5,
  );
}

/** A provider that answers at once, in a thread of its own. */
async function startStub(): Promise<{ worker: Worker; port: number }> {
  const code = `
    const { parentPort } = require("node:worker_threads");
    const answer = JSON.stringify({ id: "x", choices: [{ message: { role: "assistant", content: "y".repeat(700) } }] });
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

/** workerd with the benchmark's worker in it, its limits compiled out. */
async function startHost(folder: string, upstream: string): Promise<BenchHost> {
  const workerFile = path.join(folder, "worker.js");
  await build({
    entryPoints: ["scripts/bench/admission-worker.ts"],
    outfile: workerFile,
    bundle: true,
    format: "esm",
    target: "es2023",
    conditions: ["workerd", "worker", "browser"],
    external: ["cloudflare:*"],
    define: { __LIMITS__: "false", __VERSION__: '"bench"' },
  });
  mkdirSync(path.join(folder, objectsFolder));
  const values = {
    VARIANT: "A",
    MODE: "self-hosted",
    UPSTREAM: upstream,
    ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    BOOT_ID: randomBytes(8).toString("hex"),
  };
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
  // workerd's main module is an object whose `default` is the path of the binary for this platform.
  const workerd = createRequire(import.meta.url)("workerd") as { default: string };
  let pid = 0;
  const running = await supervise({
    binary: workerd.default,
    config,
    host: "127.0.0.1",
    port: 0,
    environment: () => values,
    onSpawn: (spawned) => (pid = spawned),
    log: (line) => console.error(line),
    output: "inherit",
  });
  return { ...running, pid };
}

await main();
