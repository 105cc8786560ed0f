/** A collector that hangs, refuses or fails costs calls nothing, and the gateway no memory; its end sends the rest. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { openLane, provider, replyScript, request } from "../kit/asking.ts";
import { processOf } from "../hostile/process.ts";
import { addressHeader, ask, world, type World } from "../smoke/gateway.ts";
import { freePort, npmStart, scratch, type Host } from "../smoke/host.ts";
import { Collector } from "./collector.ts";

const space = scratch();
let collector: Collector;
const hosts: Host[] = [];

beforeEach(async () => {
  collector = await Collector.open();
});

afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.stop()));
  await collector.close();
});

afterAll(() => space.remove());

const calls = 120;
const rounds = 3;
const atOnce = 8;
/** Spans of one request: the gateway's and the call's. */
const perRequest = 2;

/** A window that no run fills. */
const unthrottled = { VARIANT: "B", THROTTLE_LIMIT: "1000000" };
let states = 0;

async function started(environment: Record<string, string>): Promise<Host> {
  states += 1;
  const host = await npmStart({
    state: `${space.folder}/${states}`,
    environment: { TRUSTED_IP_HEADER: addressHeader, ...unthrottled, ...environment },
  });
  hosts.push(host);
  return host;
}

/** A workspace of its own on the host. */
async function fresh(host: Host): Promise<World> {
  const lane = openLane(inject("upstream"));
  await lane.answer(replyScript("chat", { text: "fine" }, { stream: true }));
  const providers = [provider({ id: "one", format: "chat", lane })];
  return await world(host, { providers, harnesses: [{ id: "h", name: "H" }] });
}

/** Milliseconds of each call, in order of their length. */
async function timesOf(host: Host, count = calls): Promise<number[]> {
  const where = await fresh(host);
  const times: number[] = [];
  const body = request("chat", { model: "one/m", stream: true });
  const lanes = Array.from({ length: atOnce }, async () => {
    for (let call = 0; call < count / atOnce; call += 1) {
      const begun = performance.now();
      const answer = await ask(where, { client: "chat", body });
      await answer.text();
      expect(answer.status).toBe(200);
      times.push(performance.now() - begun);
    }
  });
  await Promise.all(lanes);
  return times.toSorted((a, b) => a - b);
}

const percentile = (times: readonly number[], share: number): number =>
  times[Math.floor(times.length * share)] ?? Number.NaN;

/** The 95th percentiles of two hosts, each the best of runs in turn: what a busy machine adds is no one's. */
async function compared(host: Host, other: Host): Promise<number> {
  const own: number[] = [];
  const others: number[] = [];
  // A process that has just started compiles its code first.
  await timesOf(host);
  for (let round = 0; round < rounds; round += 1) {
    own.push(percentile(await timesOf(host), 0.95));
    others.push(percentile(await timesOf(other), 0.95));
  }
  return Math.min(...own) / Math.min(...others);
}

const badly = {
  "takes everything": "take",
  hangs: "hang",
  "answers 500": { status: 500 },
  "answers 503": { status: 503 },
} as const;

describe("a collector", () => {
  it("costs calls nothing, whatever it does", async () => {
    const without = await started({});
    const given = {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_TIMEOUT: "3000",
    };
    const withCollector = await started(given);
    const nobody = await started({
      ...given,
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
    });
    const ratios: Record<string, number> = {};
    for (const [name, manner] of Object.entries(badly)) {
      collector.manner = manner;
      ratios[name] = await compared(withCollector, without);
    }
    ratios["is not there"] = await compared(nobody, without);
    console.log("p95 of calls against none without telemetry:", ratios);
    // The machine that tests is busy: what would wait for a collector takes seconds.
    for (const ratio of Object.values(ratios)) expect(ratio).toBeLessThan(4);
  }, 300_000);

  it("that hangs costs no memory", async () => {
    collector.manner = "hang";
    const host = await started({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_TIMEOUT: "5000",
    });
    const gateway = processOf(host);
    const memory: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      await timesOf(host, 480);
      memory.push(gateway.memory());
    }
    console.log("memory after each 480 requests, MB:", memory.map(Math.round));
    // The queue is full after the first round or two; what still grows is the runtime's heap.
    const [, , full = 0, ...later] = memory;
    expect(Math.max(...later) - full).toBeLessThan(60);
  }, 300_000);

  it("gets what waits when the process ends", async () => {
    collector.manner = "take";
    const host = await started({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_SERVICE_NAME: "ends",
    });
    await timesOf(host, 80);
    await host.stop();
    await sleep(100);
    expect(collector.spans().length).toBe(80 * perRequest);
  });
});
