/** A process that is killed between an event and its delivery: the next one delivers it, though nobody calls. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { Webhook as Verifier } from "standardwebhooks";
import { afterAll, expect, it } from "vitest";
import { openInbox } from "../../kit/inbox.ts";
import { admin, type Host, npmStart, scratch } from "../../smoke/host.ts";
import { keyOf, world } from "../../smoke/gateway.ts";

const { folder, remove } = scratch();
const hosts: Host[] = [];
afterAll(async () => {
  await hosts.at(-1)?.stop();
  remove();
});

async function start(adminToken?: string): Promise<Host> {
  const state = path.join(folder, "state");
  const host = await npmStart({ state, ...(adminToken !== undefined && { adminToken }) });
  hosts.push(host);
  return host;
}

/** The launcher and workerd, with no time to say anything. */
function kill(): void {
  // Written by the launcher.
  const lock = JSON.parse(readFileSync(path.join(folder, "state", "lock.json"), "utf8")) as Record<
    "launcher" | "workerd",
    { pid: number }
  >;
  process.kill(lock.launcher.pid, "SIGKILL");
  process.kill(lock.workerd.pid, "SIGKILL");
}

it("every event arrives at least once, with the same id, signed anew", async () => {
  const host = await start();
  const { host: own } = await world(host, {});
  const inbox = openInbox();
  await inbox.does({ does: "hang" });
  const made = await admin<{ id: string; secret: string }>(own, "POST /api/webhooks", {
    url: inbox.url,
    events: ["key.created", "key.revoked"],
  });
  for (let key = 0; key < 3; key += 1) await keyOf(own, "h");
  // The first one is under way when the process goes.
  await expect.poll(async () => (await inbox.received()).length).toBe(1);
  kill();
  await host.exited;
  await inbox.does({ status: 500 }, { status: 200 });
  await start(host.adminToken);
  // Nobody asks for the workspace: its alarm was kept.
  await expect
    .poll(
      async () =>
        new Set((await inbox.received()).map(({ headers }) => headers["webhook-id"])).size,
      {
        timeout: 60_000,
        interval: 500,
      },
    )
    .toBe(3);
  const received = await inbox.received();
  const verifier = new Verifier(made.secret);
  for (const { body, headers } of received)
    expect(verifier.verify(body, headers)).toMatchObject({ type: "key.created" });
  const first = received[0]?.headers["webhook-id"];
  await expect
    .poll(
      async () =>
        (await inbox.received()).filter(({ headers }) => headers["webhook-id"] === first).length,
      { timeout: 60_000, interval: 500 },
    )
    .toBeGreaterThanOrEqual(2);
});
