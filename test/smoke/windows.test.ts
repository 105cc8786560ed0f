import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import {
  clients,
  openLane,
  provider,
  read,
  request,
  replyScript,
  type Client,
} from "../kit/asking.ts";
import { expectEnvelope, expectRetryAfter, expectUnrouted } from "../kit/expectations.ts";
import { addressHeader, asked, keyOf, sendRequest, world, type World } from "./gateway.ts";
import { npmStart, scratch, type Host } from "./host.ts";

const spaces = [scratch(), scratch()] as const;
const ttl = 3000;
let hosts: [Host, Host];

beforeAll(async () => {
  const environment = { TRUSTED_IP_HEADER: addressHeader };
  const throttle = { VARIANT: "B", THROTTLE_LIMIT: "5", THROTTLE_TTL: String(ttl) };
  hosts = await Promise.all([
    npmStart({ state: spaces[0].folder, environment }),
    npmStart({ state: spaces[1].folder, environment: { ...environment, ...throttle } }),
  ]);
});

afterAll(async () => {
  await Promise.all(hosts.map((host) => host.stop()));
  for (const space of spaces) space.remove();
});

async function scene(host: Host): Promise<World> {
  const lane = openLane(inject("upstream"));
  await lane.answer(replyScript("chat", { text: "GOOD" }, { stream: false }));
  const harnesses = [
    { id: "h", name: "H" },
    { id: "other", name: "O" },
  ];
  return await world(host, {
    providers: [provider({ id: "lab", format: "chat", lane })],
    harnesses,
  });
}

/** The statuses of so many lists, all sent before the first is answered. */
async function lists(
  { host }: World,
  count: number,
  headers: Record<string, string>,
): Promise<number[]> {
  const all = Array.from({ length: count }, () => sendRequest(host, "/v1/models", { headers }));
  return (await Promise.all(all)).map(({ status }) => status);
}

const countOf = (statuses: number[], status: number): number =>
  statuses.filter((each) => each === status).length;
const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });
const ways = clients.flatMap((client) => [true, false].map((stream) => ({ client, stream })));
const asking = (client: Client, stream: boolean) => ({
  client,
  body: request(client, { model: "lab/m", ...(stream && { stream }) }),
  headers: { accept: "text/event-stream" },
});

describe("variant A", () => {
  it("of 230 requests at once exactly 200 pass in a workspace; then M201 in every form", async () => {
    const where = await scene(hosts[0]);
    const statuses = await lists(where, 230, bearer(where.key));
    expect([countOf(statuses, 200), countOf(statuses, 429)]).toEqual([200, 30]);
    for (const { client, stream } of ways) {
      const answer = await asked(where, asking(client, stream));
      expectEnvelope(answer, { code: "M201", client, variant: "A" });
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        "x-ratelimit-limit-requests": "200",
        "x-ratelimit-remaining-requests": "0",
        "x-ratelimit-reset-requests": expect.stringMatching(/^\d+$/),
      });
    }
    const other = await scene(hosts[0]);
    expect(await lists(other, 1, bearer(other.key))).toEqual([200]);
  });

  it("of 550 requests at once exactly 500 strangers pass from an address; then M202, but not for a key", async () => {
    const where = await scene(hosts[0]);
    const address = { [addressHeader]: "203.0.113.9" };
    const statuses = await lists(where, 550, { ...address, ...bearer("gw_guess") });
    expect([countOf(statuses, 401), countOf(statuses, 429)]).toEqual([500, 50]);
    for (const { client, stream } of ways) {
      const given = asking(client, stream);
      const stranger = { ...given, key: "gw_guess", headers: { ...given.headers, ...address } };
      const answer = await asked(where, stranger);
      expectEnvelope(answer, { code: "M202", client, variant: "A" });
      expect(answer.headers.get("x-ratelimit-limit-requests")).toBeNull();
    }
    expect(await lists(where, 1, { ...address, ...bearer(where.key) })).toEqual([200]);
    expect(await lists(where, 1, bearer(where.key))).toEqual([200]);
  });

  it("of keys 500 pass from an address too, whatever their workspaces; then M202 in every form", async () => {
    const address = { [addressHeader]: "203.0.113.10" };
    const worlds = await Promise.all([1, 2, 3].map(async () => await scene(hosts[0])));
    const statuses = await Promise.all(
      worlds.map(async (where) => await lists(where, 180, { ...address, ...bearer(where.key) })),
    );
    expect([countOf(statuses.flat(), 200), countOf(statuses.flat(), 429)]).toEqual([500, 40]);
    const [where] = worlds;
    if (where === undefined) throw new Error("there is none");
    for (const { client, stream } of ways) {
      const given = asking(client, stream);
      const answer = await asked(where, { ...given, headers: { ...given.headers, ...address } });
      expectEnvelope(answer, { code: "M202", client, variant: "A" });
    }
  });
});

describe("an address that is full", () => {
  it("stays so over a restart of the process", async () => {
    const space = scratch();
    const start = async (): Promise<Host> =>
      await npmStart({ state: space.folder, environment: { TRUSTED_IP_HEADER: addressHeader } });
    const headers = { [addressHeader]: "203.0.113.20" };
    const strangers = async (host: Host, count: number): Promise<number> => {
      const sent = Array.from({ length: count }, () =>
        sendRequest(host, "/v1/models", { headers }),
      );
      return countOf(
        (await Promise.all(sent)).map(({ status }) => status),
        401,
      );
    };
    const before = await start();
    expect(await strangers(before, 550)).toBe(500);
    // It is saved five seconds after it became busy.
    await sleep(6000);
    await before.stop();
    const after = await start();
    expect(await strangers(after, 10)).toBe(0);
    await after.stop();
    space.remove();
  });
});

describe("variant B", () => {
  it("five requests in three seconds are one agent's; the next is refused in every form", async () => {
    const where = await scene(hosts[1]);
    const statuses = await lists(where, 8, bearer(where.key));
    expect([countOf(statuses, 200), countOf(statuses, 429)]).toEqual([5, 3]);
    for (const { client, stream } of ways) {
      const answer = await asked(where, asking(client, stream));
      expect(answer.status).toBe(429);
      expect(answer.error).toMatchObject({ type: "rate_limit_error", code: 429 });
      expect(answer.error["message"]).toMatch(/^More than 5 requests of this agent/);
      expectRetryAfter(answer, true);
      expectUnrouted(answer, "B", /^refused: /);
    }
    const other = await keyOf(where.host, "other");
    expect(await lists(where, 1, bearer(other))).toEqual([200]);
    await sleep(ttl + 100);
    expect(await lists(where, 1, bearer(where.key))).toEqual([200]);
  });

  it("knows no limit of an address", async () => {
    const where = await scene(hosts[1]);
    const address = { [addressHeader]: "203.0.113.9" };
    const statuses = await lists(where, 600, { ...address, ...bearer("gw_guess") });
    expect(new Set(statuses)).toEqual(new Set([401]));
    const answer = await read(await sendRequest(hosts[1], "/v1/models", { headers: address }));
    expectEnvelope(answer, { code: "M001", client: "chat", variant: "B" });
  });
});
