/**
 * `npm run bench [-- --rounds N] [--profile] [--write]`: what the gateway adds to a call, measured in one run against a
 * provider on this machine that answers at once, the bare runtime, and a worker that does nothing but two calls of an
 * object. All take turns, so that they meet the same machine.
 *
 * - `gateway`: the benchmark edition, which has no limits of rate and concurrency
 * - `limits`: the product with all limits on: 300 workspaces in turn, another client address for every request
 * - `watched`: the benchmark edition with everything on that tells of requests: lines, metrics that are scraped, traces,
 *   a webhook. Texts are not kept: redacting them has a price of its own, which grows with them.
 *
 * `--profile` tells where the time goes, stage by stage, instead; `--write` renews the tables of docs/performance.md.
 */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { connectMany, connectOne, startGateway } from "./calls/gateway.ts";
import { capacityTable, dollarTable } from "./calls/costs.ts";
import { measure, type Sample } from "./calls/measure.ts";
import { startScript } from "./calls/processes.ts";
import type { Target } from "./calls/target.ts";
import { startWatching } from "./calls/watching.ts";
import { startBare, startTwoCalls } from "./calls/workers.ts";
import { profileTable, ratioTable, sampleTable } from "./calls/tables.ts";
import { writeTables } from "./calls/write.ts";
import { type Account, profileStages } from "./profile/run.ts";

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    profile: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
  },
});

/** The setting of `limits`: enough workspaces that no limit of one decides the result. */
const workspaces = 300;
const addressHeader = "X-Client-Address";
const inspector = 9233;

/** What is ended when the benchmark is over, last first. */
const ends: (() => unknown)[] = [];

const folder = mkdtempSync(path.join(os.tmpdir(), "gateway-bench-"));
try {
  const provider = await startScript({
    file: "scripts/bench/calls/provider.ts",
    ready: /listening on (\d+)/,
  });
  ends.push(() => provider.stop());
  const url = `http://127.0.0.1:${provider.said}`;
  if (options.profile || options.write) report(await profile(url));
  if (!options.profile || options.write) reportSamples(await compare(url));
} finally {
  for (const end of ends.toReversed()) await end();
  rmSync(folder, { recursive: true, force: true });
}

/** The stages of requests in the product, with limits on. */
async function profile(provider: string): Promise<Account[]> {
  const { gateway, target } = await limited("profiled", provider, inspector);
  const accounts = await profileStages({ target, inspector, state: path.join(folder, "profiled") });
  await gateway.stop();
  return accounts;
}

async function limited(
  name: string,
  provider: string,
  port?: number,
): Promise<{ gateway: Awaited<ReturnType<typeof startGateway>>; target: Target }> {
  const gateway = await startGateway(folder, {
    name,
    edition: "product",
    settings: { TRUSTED_IP_HEADER: addressHeader },
    ...(port !== undefined && { inspector: port }),
  });
  const target = await connectMany(gateway, { provider, count: workspaces, addressHeader });
  return { gateway, target };
}

async function compare(provider: string): Promise<Record<string, Sample[]>> {
  const targets = await start(provider);
  const samples: Record<string, Sample[]> = {};
  // Code that ran before is fast.
  for (const target of Object.values(targets)) await measure(target);
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const [name, target] of Object.entries(targets))
      (samples[name] ??= []).push(await measure(target));
  }
  return samples;
}

async function start(provider: string): Promise<Record<string, Target>> {
  const chat = { path: "/v1/chat/completions", keys: ["none"], model: "m", pid: undefined };
  const bare = await startBare(folder, provider);
  ends.push(() => bare.server.stop(1000));
  const calls = await startTwoCalls(folder, provider);
  ends.push(() => calls.server.stop(1000));
  const gateway = await startGateway(folder, { name: "gateway", edition: "bench" });
  ends.push(() => gateway.stop());
  const limits = await limited("limits", provider);
  ends.push(() => limits.gateway.stop());
  const watching = await startWatching(folder);
  ends.push(() => watching.stop());
  return {
    direct: { ...chat, port: Number(new URL(provider).port) },
    bare: { ...chat, port: bare.server.port, pid: bare.pid },
    "two calls": { ...chat, port: calls.server.port, pid: calls.pid },
    gateway: await connectOne(gateway, provider),
    limits: limits.target,
    watched: await connectOne(watching.gateway, provider),
  };
}

function report(accounts: readonly Account[]): void {
  const table = profileTable(accounts);
  console.log(`microseconds a request, one at a time, limits on\n\n${table}\n`);
  if (options.write) writeTables({ stages: table });
}

function reportSamples(samples: Readonly<Record<string, readonly Sample[]>>): void {
  const [figures, ratios] = [sampleTable(samples), ratioTable(samples)];
  console.log(`medians of ${options.rounds} rounds; microseconds where no unit is named\n`);
  console.log(`${figures}\n\n${ratios}`);
  const { limits = [] } = samples;
  const [capacity, dollars] = [capacityTable(limits), dollarTable(limits)];
  if (options.write) writeTables({ figures, ratios, capacity, dollars });
}
