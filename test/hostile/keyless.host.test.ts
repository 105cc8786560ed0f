/** A caller without a good key gets little work for its bytes, whatever they are. */
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addressHeader } from "../smoke/gateway.ts";
import { npmStart, scratch, type Host } from "../smoke/host.ts";
import { post } from "./connection.ts";
import { processOf, type GatewayProcess } from "./process.ts";

const space = scratch();
let host: Host;
let gateway: GatewayProcess;

beforeAll(async () => {
  host = await npmStart({ state: space.folder, environment: { TRUSTED_IP_HEADER: addressHeader } });
  gateway = processOf(host);
}, 120_000);

afterAll(async () => {
  await host.stop();
  space.remove();
}, 120_000);

const forged = `gw_${"a".repeat(43)}`;
const calls = 40;
let asked = 0;

/** Processor time of so many refused requests, each from an address of its own, in ms. */
async function cost(body: Uint8Array, headers: Record<string, string> = {}): Promise<number> {
  const before = gateway.cpu();
  for (let call = 0; call < calls; call++) {
    asked += 1;
    const heard = await post(host, {
      path: "/v1/chat/completions",
      headers: { authorization: `Bearer ${forged}`, ...headers },
      body,
      address: `10.9.${asked >> 8}.${asked & 255}`,
    });
    expect(heard).toMatchObject({ status: 401, text: expect.stringContaining("M005") });
  }
  return gateway.cpu() - before;
}

/** The least of several runs: a busy machine only ever adds. */
async function leastCost(body: Uint8Array, headers?: Record<string, string>): Promise<number> {
  await cost(body, headers);
  const runs = [await cost(body, headers), await cost(body, headers)];
  return Math.max(10, Math.min(...runs));
}

/** The same number of bytes as JSON that nothing has to be undone of. */
const plainOf = (size: number): Uint8Array => Buffer.from(`{"a":"${"a".repeat(size - 8)}"}`);

describe("a forged key", () => {
  const bombs = [
    { title: "64 MB of a text", inflated: `{"a":"${"a".repeat(64 * 1024 * 1024)}"}` },
    { title: "64 MB of brackets", inflated: "[".repeat(64 * 1024 * 1024) },
    { title: "64 MB of numbers", inflated: `[${"0,".repeat(32 * 1024 * 1024)}0]` },
  ];

  // It may inflate and read a megabyte, which is about fifteen times the bytes that it sent.
  it.each(bombs)("$title in a few kilobytes", async ({ inflated }) => {
    const bomb = gzipSync(inflated);
    const packed = await leastCost(bomb, { "content-encoding": "gzip" });
    const plain = await leastCost(plainOf(bomb.length));
    expect(packed / plain, `${packed} ms, ${plain} ms for plain bytes`).toBeLessThan(25);
  });

  it("a body of 8 MB costs less than eight times one of 1 MB, and some slack", async () => {
    const small = await leastCost(plainOf(1024 * 1024 - 100));
    const large = await leastCost(plainOf(8 * 1024 * 1024));
    expect(large / small, `${large} ms, ${small} ms for a megabyte`).toBeLessThan(10);
  });
});
