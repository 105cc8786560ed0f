/** Events arrive at least once, signed, in order, whatever their receiver does. */
import { runDurableObjectAlarm } from "cloudflare:test";
import { Webhook as Verifier } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import type { Delivery } from "../../../src/workspace/contract/events.ts";
import { openInbox, type Received } from "../../kit/inbox.ts";
import { env, newKey, newWorkspace, object, restart } from "../workers-kit.ts";
import { addedWebhook, eventsOf, inObject, madeWebhook } from "./kit.ts";

async function deliveriesOf(workspace: string, id: string): Promise<Delivery[]> {
  const page = await object(workspace).deliveries(id, { limit: 500 });
  if (page === undefined) throw new Error("no such webhook");
  return page.deliveries.reverse();
}

function verified(secret: string, { body, headers }: Received): { type: string } {
  return new Verifier(secret).verify(body, headers) as { type: string };
}

/** Whatever waits is due now, as if its time had come. */
async function hurry(workspace: string): Promise<void> {
  await inObject(workspace, ({ sql }) => {
    sql.exec("UPDATE deliveries SET due = 0 WHERE state = 'waiting'");
  });
  // A new instance knows of no webhook that rests.
  await restart(workspace);
  await object(workspace).eventSeq();
}

describe("a receiver that answers", () => {
  it("gets every event once, signed, in order, behind its cause", async () => {
    const workspace = newWorkspace();
    const inbox = openInbox();
    const { id, secret } = await addedWebhook(workspace, inbox.url);
    for (let made = 0; made < 5; made += 1) await newKey(workspace);
    await expect.poll(async () => (await inbox.received()).length).toBe(5);
    const received = await inbox.received();
    expect(received.map((one) => verified(secret, one).type)).toEqual(
      Array.from({ length: 5 }, () => "key.created"),
    );
    const events = await eventsOf(workspace);
    expect(received.map(({ headers }) => headers["webhook-id"])).toEqual(events.map((e) => e.id));
    expect(JSON.parse(received[0]?.body ?? "")).toEqual({
      type: "key.created",
      timestamp: events[0]?.time,
      data: events[0]?.data,
    });
    await expect
      .poll(async () => (await deliveriesOf(workspace, id)).map(({ state }) => state))
      .toEqual(Array.from({ length: 5 }, () => "delivered"));
    expect(await object(workspace).webhooks()).toMatchObject([
      { waiting: 0, failed: 0, last: { ok: true, status: 200 } },
    ]);
  });

  it("gets only what it is told of, and each webhook its own", async () => {
    const workspace = newWorkspace();
    const [one, other] = [openInbox(), openInbox()];
    await addedWebhook(workspace, one.url, { events: ["key.revoked"] });
    await addedWebhook(workspace, other.url, { events: ["key.created"] });
    const key = await newKey(workspace);
    await object(workspace).deleteKey("default", key.id);
    await expect.poll(async () => (await one.received()).length).toBe(1);
    await expect.poll(async () => (await other.received()).length).toBe(1);
    expect((await one.received())[0]?.body).toContain("key.revoked");
    expect((await other.received())[0]?.body).toContain("key.created");
  });

  it("may send an answer without end: nothing of it is read", async () => {
    const workspace = newWorkspace();
    const inbox = openInbox();
    await inbox.does({ does: "endless" });
    const { id } = await addedWebhook(workspace, inbox.url);
    expect(await object(workspace).testWebhook(id)).toMatchObject({
      state: "delivered",
      status: 200,
      event: { type: "test", data: { workspace } },
    });
  });
});

describe("a receiver that does not", () => {
  const cases = [
    [{ status: 500 }, { status: 500, error: "answered 500" }],
    [
      { status: 302, headers: { location: "http://127.0.0.1:9/" } },
      { status: 302, error: "answered with a redirect, which is not followed" },
    ],
    [{ does: "refuse" }, { status: null, error: "no connection" }],
  ] as const;
  for (const [step, outcome] of cases) {
    it(`is asked again later: ${JSON.stringify(step)}`, async () => {
      const workspace = newWorkspace();
      const inbox = openInbox();
      await inbox.does(step, { status: 204 });
      const { id, secret } = await addedWebhook(workspace, inbox.url);
      await newKey(workspace);
      await expect
        .poll(async () => await deliveriesOf(workspace, id))
        .toMatchObject([{ state: "waiting", attempts: 1, ...outcome }]);
      const [waiting] = await deliveriesOf(workspace, id);
      const wait = Date.parse(waiting?.next_at ?? "") - Date.parse(waiting?.last_at ?? "");
      expect(wait).toBeGreaterThanOrEqual(4000);
      expect(wait).toBeLessThanOrEqual(5000);
      await hurry(workspace);
      await expect
        .poll(async () => await deliveriesOf(workspace, id))
        .toMatchObject([{ state: "delivered", attempts: 2, status: 204, error: null }]);
      const received = await inbox.received();
      expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
      for (const one of received) verified(secret, one);
    });
  }

  it("hangs, or answers one byte at a time: it has ten seconds, and holds up nobody", async () => {
    const workspace = newWorkspace();
    const [dead, slow, good] = [openInbox(), openInbox(), openInbox()];
    await dead.does({ does: "hang" });
    await slow.does({ does: "drip" });
    const hooks = [
      await addedWebhook(workspace, dead.url),
      await addedWebhook(workspace, slow.url),
      await addedWebhook(workspace, good.url),
    ];
    for (let made = 0; made < 3; made += 1) await newKey(workspace);
    await expect.poll(async () => (await good.received()).length).toBe(3);
    for (const { id } of hooks.slice(0, 2)) {
      expect(await deliveriesOf(workspace, id)).toMatchObject([
        { state: "waiting" },
        { state: "waiting" },
        { state: "waiting" },
      ]);
      await expect
        .poll(async () => (await deliveriesOf(workspace, id))[0], { timeout: 40_000 })
        .toMatchObject({ attempts: 1, status: null, error: "no answer within 10 s" });
    }
  });

  it("says that it is gone: nothing more is tried", async () => {
    const workspace = newWorkspace();
    const inbox = openInbox();
    await inbox.does({ status: 410 });
    const { id } = await addedWebhook(workspace, inbox.url);
    await newKey(workspace);
    await expect
      .poll(async () => await deliveriesOf(workspace, id))
      .toMatchObject([{ state: "failed", attempts: 1, status: 410, next_at: null }]);
    expect(await object(workspace).webhooks()).toMatchObject([{ waiting: 0, failed: 1 }]);
  });

  it("asks to be left alone for a while, and is", async () => {
    const workspace = newWorkspace();
    const inbox = openInbox();
    await inbox.does({ status: 429, headers: { "retry-after": "600" } });
    const { id } = await addedWebhook(workspace, inbox.url);
    await newKey(workspace);
    await expect.poll(async () => (await deliveriesOf(workspace, id))[0]?.attempts).toBe(1);
    const [waiting] = await deliveriesOf(workspace, id);
    expect(Date.parse(waiting?.next_at ?? "") - Date.parse(waiting?.last_at ?? "")).toBe(600_000);
  });

  it("dies after its status: that one arrived", async () => {
    const workspace = newWorkspace();
    const inbox = openInbox();
    await inbox.does({ does: "die" });
    const { id } = await addedWebhook(workspace, inbox.url);
    expect(await object(workspace).testWebhook(id)).toMatchObject({ state: "delivered" });
  });

  it("comes back later: all that waited is sent in order", async () => {
    const workspace = newWorkspace();
    const inbox = openInbox();
    await inbox.does({ status: 503 });
    const { id } = await addedWebhook(workspace, inbox.url);
    for (let made = 0; made < 4; made += 1) await newKey(workspace);
    await expect
      .poll(async () => (await deliveriesOf(workspace, id)).filter((d) => d.attempts > 0).length)
      .toBeGreaterThanOrEqual(2);
    await inbox.does({ status: 200 });
    const before = (await inbox.received()).length;
    await expect
      .poll(async () => (await deliveriesOf(workspace, id)).map(({ state }) => state), {
        timeout: 40_000,
      })
      .toEqual(Array.from({ length: 4 }, () => "delivered"));
    const ids = (await inbox.received()).slice(before).map(({ headers }) => headers["webhook-id"]);
    const events = (await eventsOf(workspace)).map((event) => event.id);
    expect(new Set(ids)).toEqual(new Set(events));
    const rest = ids.slice(1);
    expect(rest).toEqual(events.filter((event) => rest.includes(event)));
  });
});

describe("deliveries by hand", () => {
  it("send it again with the same id, also what arrived", async () => {
    const workspace = newWorkspace();
    const inbox = openInbox();
    const { id, secret } = await addedWebhook(workspace, inbox.url);
    await newKey(workspace);
    await expect
      .poll(async () => await deliveriesOf(workspace, id))
      .toMatchObject([{ n: 1, state: "delivered" }]);
    await inbox.does({ status: 500 }, { status: 200 });
    expect(await object(workspace).retryDelivery(id, 1)).toMatchObject({
      state: "delivered",
      attempts: 2,
      status: 500,
    });
    expect(await object(workspace).retryDelivery(id, 1)).toMatchObject({
      attempts: 3,
      error: null,
    });
    const received = await inbox.received();
    expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    for (const one of received) verified(secret, one);
    expect(await object(workspace).retryDelivery(id, 2)).toBeUndefined();
    expect(await object(workspace).retryDelivery("wh_none", 1)).toBeUndefined();
  });

  it("a test that fails is not tried again", async () => {
    const workspace = newWorkspace();
    const inbox = openInbox();
    await inbox.does({ status: 400 });
    const { id } = await addedWebhook(workspace, inbox.url);
    expect(await object(workspace).testWebhook(id)).toMatchObject({
      state: "failed",
      attempts: 1,
      next_at: null,
    });
    expect(await object(workspace).testWebhook("wh_none")).toBeUndefined();
    expect(await object(workspace).events({ limit: 5 })).toEqual({ events: [], next: null });
  });
});

describe("what waits", () => {
  it("is sent by an instance that knows nothing but the disk, by alarm", async () => {
    const workspace = newWorkspace();
    const inbox = openInbox();
    await inbox.does({ status: 500 }, { status: 200 });
    const { id } = await addedWebhook(workspace, inbox.url);
    await newKey(workspace);
    await expect.poll(async () => (await deliveriesOf(workspace, id))[0]?.attempts).toBe(1);
    await expect
      .poll(async () => await inObject(workspace, (storage) => storage.getAlarm()))
      .not.toBeNull();
    await inObject(workspace, ({ sql }) => {
      sql.exec("UPDATE deliveries SET due = 0 WHERE state = 'waiting'");
    });
    await restart(workspace);
    await runDurableObjectAlarm(env.WORKSPACE.get(env.WORKSPACE.idFromName(workspace)));
    await expect.poll(async () => (await inbox.received()).length).toBe(2);
  });

  it("goes with its webhook, and with its workspace", async () => {
    const workspace = newWorkspace();
    const inbox = openInbox();
    await inbox.does({ status: 500 });
    const { id } = await addedWebhook(workspace, inbox.url);
    await newKey(workspace);
    await expect.poll(async () => (await inbox.received()).length).toBe(1);
    expect(await object(workspace).deleteWebhook(id)).toBe(true);
    expect(await object(workspace).deleteWebhook(id)).toBe(false);
    expect(await object(workspace).deliveries(id, { limit: 5 })).toBeUndefined();
    expect(
      await inObject(workspace, ({ sql }) => sql.exec("SELECT n FROM deliveries").toArray()),
    ).toEqual([]);
    const other = await addedWebhook(workspace, inbox.url);
    await newKey(workspace);
    await expect.poll(async () => (await deliveriesOf(workspace, other.id))[0]?.attempts).toBe(1);
    const came = (await inbox.received()).length;
    await object(workspace).erase();
    await expect.poll(() => object(workspace).snapshot().catch(String)).toContain("was deleted");
    expect((await inbox.received()).length).toBe(came);
  });

  it("is bounded: the oldest are given up, told as such, and counted", async () => {
    const workspace = newWorkspace();
    const inbox = openInbox();
    await inbox.does({ status: 500 });
    const { id } = await addedWebhook(workspace, inbox.url);
    await newKey(workspace);
    await expect.poll(async () => (await deliveriesOf(workspace, id))[0]?.attempts).toBe(1);
    await inObject(workspace, ({ sql }) => {
      sql.exec(
        `WITH RECURSIVE more (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM more WHERE n < 10000)
         INSERT INTO deliveries (webhook, n, event, time, state, due, attempts)
           SELECT webhook, more.n, event, time, 'waiting', ?, 0 FROM deliveries, more WHERE deliveries.n = 1`,
        Date.now() + 3_600_000,
      );
      sql.exec("UPDATE webhooks SET sent = 10000");
    });
    await newKey(workspace);
    expect(await object(workspace).webhooks()).toMatchObject([{ waiting: 10_000, failed: 1 }]);
    const oldest = await object(workspace).deliveries(id, { limit: 1, before: 2 });
    expect(oldest?.deliveries).toMatchObject([
      { n: 1, state: "failed", error: "dropped: more than 10000 deliveries were waiting" },
    ]);
  });
});

it("twenty webhooks are enough", async () => {
  const workspace = newWorkspace();
  const { url } = openInbox();
  for (let made = 0; made < 20; made += 1) await addedWebhook(workspace, url);
  const { record } = await madeWebhook(workspace, url);
  expect(await object(workspace).addWebhook(record)).toBe(false);
  expect((await object(workspace).webhooks()).length).toBe(20);
});

it("the audit log has the origin of an address, which may be a secret, and no more", async () => {
  const workspace = newWorkspace();
  const { id, record } = await madeWebhook(workspace, "https://hooks.test/T0/B0/canary");
  const by = { type: "user", id: "usr_1" } as const;
  await object(workspace).addWebhook(record, by);
  await object(workspace).deleteWebhook(id, by);
  const { events } = await object(workspace).pageAudit({ limit: 5, action: "webhook" });
  expect(events).toMatchObject([
    { action: "webhook.deleted", target: id, actor: by, before: { url: "https://hooks.test" } },
    { action: "webhook.created", target: id, actor: by, after: { url: "https://hooks.test" } },
  ]);
  expect(JSON.stringify(events)).not.toContain("canary");
  expect(JSON.stringify(await object(workspace).webhooks())).not.toContain("sealed");
});
