/** Wrong administrators' tokens: refused with a wait after too many, and no right token is ever held up by them. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addressHeader } from "../smoke/gateway.ts";
import { admin, npmStart, scratch, type Host } from "../smoke/host.ts";

const space = scratch();
/** A process that starts on a busy machine. */
const patience = 120_000;

let host: Host;

beforeAll(async () => {
  const environment = { TRUSTED_IP_HEADER: addressHeader };
  host = await npmStart({ state: space.folder, environment });
}, patience);

afterAll(async () => {
  await host.stop();
  space.remove();
}, patience);

interface Try {
  status: number;
  wait: string | null;
}

async function signIn(token: string, address: string): Promise<Try> {
  const answer = await fetch(`${host.base}/dashboard/sign-in`, {
    method: "POST",
    redirect: "manual",
    headers: { origin: host.base, [addressHeader]: address },
    body: new URLSearchParams({ token }),
  });
  await answer.arrayBuffer();
  return { status: answer.status, wait: answer.headers.get("retry-after") };
}

async function bring(token: string, address: string): Promise<Try> {
  const headers = { authorization: `Bearer ${token}`, [addressHeader]: address };
  const answer = await fetch(`${host.base}/api/config`, { headers });
  await answer.arrayBuffer();
  return { status: answer.status, wait: answer.headers.get("retry-after") };
}

const wrong = (index: number): string => `gwa_${String(index).padStart(43, "w")}`;

/** Brings wrong tokens one after the other; their statuses. */
async function guesses(count: number, one: (token: string) => Promise<Try>): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < count; index += 1) statuses.push((await one(wrong(index))).status);
  return statuses;
}

describe("at the sign-in page", () => {
  it("the sixth wrong token waits, and the right one signs in from the same address", async () => {
    const address = "192.0.2.1";
    const statuses = await guesses(6, (token) => signIn(token, address));
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    expect(Number((await signIn("short", address)).wait)).toBeGreaterThan(200);
    expect((await signIn(host.adminToken, address)).status).toBe(303);
    expect((await signIn("short", address)).status).toBe(401);
  });

  it("a workspace's token signs in too", async () => {
    const address = "192.0.2.2";
    const made = await admin<{ admin_token: string }>(host, "POST /api/workspaces", { name: "w" });
    await guesses(6, (token) => signIn(token, address));
    expect((await signIn(made.admin_token, address)).status).toBe(303);
  });
});

describe("at the admin API", () => {
  it("the fifty-first wrong token waits, and right ones are served from the same address", async () => {
    const address = "192.0.2.3";
    const made = await admin<{ admin_token: string }>(host, "POST /api/workspaces", { name: "w" });
    const statuses = await guesses(60, (token) => bring(token, address));
    expect(statuses).toEqual([...Array(50).fill(401), ...Array(10).fill(429)]);
    expect(Number((await bring("short", address)).wait)).toBeGreaterThan(200);
    for (const token of [host.adminToken, made.admin_token])
      expect((await bring(token, address)).status).toBe(200);
    expect((await bring(wrong(0), "192.0.2.4")).status).toBe(401);
  });

  it("a request without a token is told so, however many there are", async () => {
    const address = { [addressHeader]: "192.0.2.5" };
    for (let sent = 0; sent < 60; sent += 1) {
      const answer = await fetch(`${host.base}/api/config`, { headers: address });
      await answer.arrayBuffer();
      expect(answer.status).toBe(401);
    }
  });
});
