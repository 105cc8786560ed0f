/** Webhooks and events on the disk: older states, rotated encryption keys, ages, and addresses that are refused. */
import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { keyringOf } from "../../../src/store/keyring.ts";
import { openWebhookSecret } from "../../../src/store/webhook-secrets.ts";
import { senderOf } from "../../../src/workspace/events/send.ts";
import { EventAge } from "../../../src/workspace/storage/event-age.ts";
import { workspaceMigrations } from "../../../src/workspace/storage/migrations.ts";
import { migrate } from "../../../src/workspace/storage/sql/schema-version.ts";
import { readWebhooks } from "../../../src/workspace/storage/tables/webhooks.ts";
import { WorkspaceObject } from "../../../src/worker-objects.ts";
import { openInbox } from "../../kit/inbox.ts";
import { env, newKey, newWorkspace, object, restart } from "../workers-kit.ts";
import { addedWebhook, inObject, madeWebhook, typesOf } from "./kit.ts";

function objectOf(workspace: string) {
  return env.WORKSPACE.get(env.WORKSPACE.idFromName(workspace));
}

it("a state of the version before opens, and tells of what happens from then on", async () => {
  const workspace = newWorkspace();
  await runInDurableObject(objectOf(workspace), async (_instance, state) => {
    await state.storage.deleteAll();
    migrate(state.storage, workspaceMigrations.slice(0, 5));
    state.storage.sql.exec(
      `INSERT INTO keys (id, hash, name, harness, last4, created_at, expires_at)
       VALUES ('key_old', 'abc', 'old', 'default', '1234', '2020-01-01T00:00:00.000Z', '2021-01-01T00:00:00.000Z')`,
    );
    await state.storage.sync();
    state.abort("restarted by a test");
  }).catch(() => undefined);
  expect(await object(workspace).events({ limit: 5 })).toEqual({ events: [], next: null });
  expect(await object(workspace).webhooks()).toEqual([]);
  const inbox = openInbox();
  await addedWebhook(workspace, inbox.url);
  await newKey(workspace);
  await expect.poll(async () => (await inbox.received()).length).toBe(1);
  // A key that expired long ago is no news.
  expect(await typesOf(workspace)).toEqual(["key.created"]);
});

it("secrets are sealed by the newest key after a rotation, and verify as before", async () => {
  const workspace = newWorkspace();
  const { id, secret } = await addedWebhook(workspace, openInbox().url);
  const [first = ""] = env.ENCRYPTION_KEY.split(",");
  const second = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))));
  await restart(workspace);
  const sealed = await runInDurableObject(objectOf(workspace), async (_instance, state) => {
    const rotated = { ...env, ENCRYPTION_KEY: `${second},${first}` };
    const woken = new WorkspaceObject(state, rotated);
    await state.blockConcurrencyWhile(async () => undefined);
    expect(woken.webhooks().length).toBe(1);
    return readWebhooks(state.storage.sql)[0]?.sealed_secret ?? "";
  });
  expect(await openWebhookSecret(sealed, { workspace, id }, await keyringOf(second))).toBe(secret);
  expect(await openWebhookSecret(sealed, { workspace, id: "other" }, await keyringOf(second))).toBe(
    undefined,
  );
});

it("old events and deliveries are forgotten, the newest event and what waits are not", async () => {
  const workspace = newWorkspace();
  const [good, dead] = [openInbox(), openInbox()];
  await dead.does({ status: 500 });
  const [one, two] = [
    await addedWebhook(workspace, good.url),
    await addedWebhook(workspace, dead.url),
  ];
  for (let made = 0; made < 3; made += 1) await newKey(workspace);
  const many = async (id: string) =>
    (await object(workspace).deliveries(id, { limit: 9 }))?.deliveries.length;
  await expect
    .poll(async () => (await object(workspace).webhooks()).map(({ waiting }) => waiting))
    .toEqual([0, 3]);
  const day = 86_400_000;
  await inObject(workspace, ({ sql }) => {
    const age = new EventAge(sql, () => ({ rows: 100 * day }));
    const now = Date.now();
    expect(age.forget(now)).toBe(false);
    expect(age.next()).toBeLessThanOrEqual(now + 30 * day);
    expect(age.forget(now + 31 * day)).toBe(true);
    expect(age.forget(now + 31 * day)).toBe(false);
  });
  expect([await many(one.id), await many(two.id)]).toEqual([0, 3]);
  expect((await typesOf(workspace)).length).toBe(3);
  await inObject(workspace, ({ sql }) => {
    const age = new EventAge(sql, () => ({ rows: day }));
    expect(age.forget(Date.now() + 2 * day)).toBe(true);
    expect(age.next()).toBeUndefined();
  });
  expect((await object(workspace).events({ limit: 9 })).events.map(({ seq }) => seq)).toEqual([3]);
});

it("private addresses are refused at every attempt where the deployment says so, in our own words", async () => {
  const workspace = newWorkspace();
  const event = { seq: 1, id: "evt_1", type: "test", time: "", data: { workspace } } as const;
  const attempt = async (mode: string, url: string) => {
    const { record } = await madeWebhook(workspace, url);
    const send = senderOf({ workspace, env: { ...env, MODE: mode }, links: {} });
    return await send(record, { ...event });
  };
  const inbox = openInbox();
  for (const url of [inbox.url, "http://169.254.169.254/latest", "https://[::1]/", "http://db/"]) {
    expect(await attempt("cloud", url)).toMatchObject({
      status: null,
      error: expect.stringContaining("private network address"),
    });
  }
  expect(await attempt("self-hosted", inbox.url)).toEqual({ status: 200, error: null });
  expect(await attempt("self-hosted", inbox.url.replace("//", "//user:secret@"))).toEqual({
    status: null,
    error: "url: must not contain a user name or a password",
  });
  expect((await inbox.received()).length).toBe(1);
});
