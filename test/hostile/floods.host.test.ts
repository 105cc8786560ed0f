/** Floods of strangers: whoever has no good key takes nothing from those who have one. */
import { readdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addressHeader, keyOf, sendRequest } from "../smoke/gateway.ts";
import { admin, newKey, npmStart, scratch, type Host } from "../smoke/host.ts";

const spaces = [scratch(), scratch()] as const;
/** A process that starts on a busy machine. */
const patience = 120_000;

let own: Host;
let cloud: Host;

beforeAll(async () => {
  [own, cloud] = await Promise.all([
    npmStart({ state: spaces[0].folder, environment: { TRUSTED_IP_HEADER: addressHeader } }),
    npmStart({ state: spaces[1].folder, environment: { MODE: "cloud" } }),
  ]);
}, patience);

afterAll(async () => {
  await Promise.all([own.stop(), cloud.stop()]);
  for (const space of spaces) space.remove();
}, patience);

let addresses = 0;
const newAddress = (): string => `203.0.113.${(addresses += 1)}`;

async function list(address: string, key?: string): Promise<number> {
  const headers = {
    [addressHeader]: address,
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
  };
  const answer = await sendRequest(own, "/v1/models", { headers });
  await answer.arrayBuffer();
  return answer.status;
}

/** So many requests, fifty at once; how often each status came. */
async function flood(count: number, send: (index: number) => Promise<number>) {
  const statuses = new Map<number, number>();
  for (let sent = 0; sent < count; sent += 50) {
    const answers = Array.from({ length: 50 }, (_, index) => send(sent + index));
    for (const status of await Promise.all(answers))
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  return Object.fromEntries(statuses);
}

/** A key with the random bytes of another: everything right but the check. */
function forged(key: string, index: number): string {
  const at = key.length - 20;
  return key.slice(0, at) + String(index).padStart(6, "A") + key.slice(at + 6);
}

describe("a good key is served from an address", () => {
  it("while two thousand requests without a key come from there", async () => {
    const address = newAddress();
    const key = await newKey(own);
    const served: number[] = [];
    const statuses = await flood(2000, async (index) => {
      if (index % 25 === 0) served.push(await list(address, key));
      return await list(address);
    });
    expect(statuses).toEqual({ 401: 500, 429: 1500 });
    expect(served).toEqual(Array(80).fill(200));
  });

  it("after floods of forged and malformed keys", async () => {
    const address = newAddress();
    const key = await newKey(own);
    const guesses = (index: number): string => (index % 2 === 0 ? forged(key, index) : "gw_guess");
    expect(await flood(600, (index) => list(address, guesses(index)))).toEqual({
      401: 500,
      429: 100,
    });
    expect(await list(address, key)).toBe(200);
  });

  it("after a flood of a key that was good once", async () => {
    const address = newAddress();
    const config = await admin<{ harnesses: { id: string }[] }>(own, "GET /api/config");
    const harness = String(config.harnesses[0]?.id);
    const key = await keyOf(own, harness);
    const path = `/api/harnesses/${harness}/keys`;
    const made = await admin<{ id: string; key: string }>(own, `POST ${path}`, {});
    expect(await list(address, made.key)).toBe(200);
    const headers = { authorization: `Bearer ${own.adminToken}` };
    await fetch(`${own.base}${path}/${made.id}`, { method: "DELETE", headers });
    const statuses = await flood(600, () => list(address, made.key));
    expect(statuses[401]).toBeLessThanOrEqual(550);
    expect(statuses[429]).toBeGreaterThanOrEqual(50);
    expect(statuses[200]).toBeUndefined();
    expect(await flood(100, () => list(address, key))).toEqual({ 200: 100 });
  });
});

it("a client's word for the platform's header is not believed by a process of one's own", async () => {
  const statuses = await flood(550, async (index) => {
    const headers = { "cf-connecting-ip": `198.51.${index >> 8}.${index & 255}` };
    const answer = await fetch(`${cloud.base}/v1/models`, { headers });
    await answer.arrayBuffer();
    return answer.status;
  });
  expect(statuses).toEqual({ 401: 500, 429: 50 });
});

it("addresses by the thousand leave sixteen objects", async () => {
  await flood(3000, (index) => list(`10.9.${index >> 8}.${index & 255}`));
  const folder = `${spaces[0].folder}/objects`;
  const made = readdirSync(folder)
    .filter((name) => name.includes("IpObject"))
    .flatMap((name) => readdirSync(`${folder}/${name}`))
    .filter((name) => name.endsWith(".sqlite") && name !== "metadata.sqlite");
  expect(made.length).toBeLessThanOrEqual(16);
});
