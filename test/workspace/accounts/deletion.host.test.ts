/** A deleted workspace leaves nothing: its keys are refused at once, and no byte of it stays in any file. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openLane, provider, replyScript } from "../../kit/asking.ts";
import { admin, type Host, npmStart, scratch } from "../../smoke/host.ts";
import { ask, keyOf, sendRequest, type World } from "../../smoke/gateway.ts";

const canary = `canary${"z7q".repeat(6)}`;
const { folder, remove } = scratch();
let host: Host;

beforeAll(async () => {
  host = await npmStart({ state: path.join(folder, "state"), environment: {} });
});
afterAll(async () => {
  await host.stop();
  remove();
});

/** Files of the state folder that hold the text. */
function filesWith(text: string): string[] {
  const state = path.join(folder, "state");
  const names = readdirSync(state, { recursive: true, encoding: "utf8" });
  const files = names
    .map((name) => path.join(state, name))
    .filter((file) => statSync(file).isFile());
  return files.filter((file) => readFileSync(file).includes(text));
}

/** A workspace in which everything has the text, in several versions. */
async function filled(text: string): Promise<World & { id: string }> {
  const made = await admin<{ id: string; admin_token: string }>(host, "POST /api/workspaces", {
    name: `${text} before`,
  });
  await admin(host, `PATCH /api/workspaces/${made.id}`, { name: `${text} ${"now ".repeat(20)}` });
  const own = { ...host, adminToken: made.admin_token };
  const lane = openLane();
  const answer = replyScript("chat", { text: `${text} answer` }, { stream: false });
  await lane.answer(...Array.from({ length: 20 }, () => answer));
  const entry = provider({ id: `${text}-p`, format: "chat", lane, models: [{ id: text }] });
  for (const version of ["one", "two", "three"])
    await admin(own, "PUT /api/config", {
      providers: [{ ...entry, api_key: `sk-${text}`, headers: { "x-note": `${text}${version}` } }],
      harnesses: [{ id: `${text}-h`, name: `${text} ${version.repeat(20)}`, log_text: true }],
    });
  // Nothing listens there: what is on its way stays on the disk.
  await admin(own, "POST /api/webhooks", {
    url: `http://127.0.0.1:9/${text}`,
    events: ["key.created"],
  });
  const key = await keyOf(own, `${text}-h`);
  const where = { host: own, token: made.admin_token, key, id: made.id };
  const messages = [{ role: "user", content: `${text} question` }];
  for (let sent = 0; sent < 5; sent += 1) {
    const body = { model: `${text}-p/${text}`, messages };
    expect((await ask(where, { client: "chat", body })).status).toBe(200);
  }
  await sleep(1500);
  return where;
}

async function models(key: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  const answer = await sendRequest(host, "/v1/models", { headers });
  await answer.arrayBuffer();
  return answer.status;
}

it("refuses its keys at once, keeps nothing of it in any file, and leaves others alone", async () => {
  const other = await filled("bystander");
  const where = await filled(canary);
  expect(filesWith(canary).length).toBeGreaterThan(2);

  const lines = await fetch(`${host.base}/api/workspaces/${where.id}/export`, {
    headers: { authorization: `Bearer ${where.token}` },
  });
  const exported = await lines.text();
  expect(exported).toContain(`${canary} question`);
  expect(exported).not.toContain(`sk-${canary}`);
  expect(exported).not.toContain(`127.0.0.1:9/${canary}`);
  expect(
    exported
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).type),
  ).toEqual(
    expect.arrayContaining(["workspace", "document", "key", "webhook", "event", "request", "sum"]),
  );

  const call = (search: string, token: string) =>
    fetch(`${host.base}/api/workspaces/${where.id}${search}`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${token}` },
    });
  expect((await call("", where.token)).status).toBe(400);
  expect((await call(`?confirm=${where.id}`, other.token)).status).toBe(403);
  expect(await models(where.key)).toBe(200);
  expect((await call(`?confirm=${where.id}`, where.token)).status).toBe(204);

  expect(await models(where.key)).toBe(401);
  expect((await call(`?confirm=${where.id}`, where.token)).status).toBe(401);
  expect((await call(`?confirm=${where.id}`, host.adminToken)).status).toBe(404);
  expect(filesWith(canary)).toEqual([]);

  const { data } = await admin<{ data: { id: string }[] }>(host, "GET /api/workspaces");
  expect(data.map(({ id }) => id)).not.toContain(where.id);
  expect(data.map(({ id }) => id)).toContain(other.id);
  expect(await models(other.key)).toBe(200);
  expect(
    (
      await fetch(`${host.base}/api/workspaces/default?confirm=default`, {
        method: "DELETE",
        headers: { authorization: `Bearer ${host.adminToken}` },
      })
    ).status,
  ).toBe(409);

  expect(await host.stop()).toBe(0);
  expect(filesWith(canary)).toEqual([]);
  host = await npmStart({ state: path.join(folder, "state"), adminToken: host.adminToken });
  expect(await models(where.key)).toBe(401);
  expect(await models(other.key)).toBe(200);
  expect(filesWith(canary)).toEqual([]);
});
