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
import { quantile, run, type Timing } from "./admission-load.ts";
import { bundleKvService } from "../host/bundle.ts";
import { hostConfig, objectsFolder } from "../host/capnp.ts";
import { supervise, type Supervised } from "../host/supervise.ts";

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
    for (const parallel of [1, 16]) await compare(host.port, key, parallel);
  } finally {
    await host.stop(1000);
    await stub.worker.terminate();
    rmSync(folder, { recursive: true, force: true });
  }
}


let pid: any;
import { readFileSync } from "node:fs";
function cpu(): number { const f = readFileSync(`/proc/${pid}/stat`,"utf8").split(") ")[1].split(" "); return (Number(f[11])+Number(f[12]))*10; }
async function compare(port: number, key: string, parallel: number): Promise<void> {
  const load = { port, body, parallel, authorization: key };
  await run({ ...load, path: "/metered", duration: 1500 });
  for (let r=0;r<3;r++) {
    for (const path of ["/bare","/metered"]) {
      const before = cpu();
      const t = await run({ ...load, path, duration: 2500 });
      const used = cpu()-before;
      console.log(`CPU ${parallel} ${path} ${(used*1000/t.times.length).toFixed(1)} us/request n=${t.times.length}`);
    }
  }
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
async function startHost(folder: string, upstream: string): Promise<Supervised> {
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
    kvFile: await bundleKvService(),
    environment: Object.keys(values),
    certificates: [],
    reach: "everywhere" as const,
  };
  writeFileSync(config, hostConfig({ ...plan, address: "127.0.0.1:0" }));
  // workerd's main module is an object whose `default` is the path of the binary for this platform.
  const workerd = createRequire(import.meta.url)("workerd") as { default: string };
  return supervise({
    binary: workerd.default,
    config,
    host: "127.0.0.1",
    port: 0,
    environment: () => values,
    onSpawn: (child: any) => { pid = child?.pid ?? child; },
    log: (line) => console.error(line),
    output: "inherit",
  });
}

await main();
