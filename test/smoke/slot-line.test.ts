/** Requests that wait for a slot, in a gateway as users run it: SDK-like retries, the end of the process, a restart. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { openLane as laneOn, provider, replyScript, type Lane } from "../kit/asking.ts";
import { ask, inFlight, world, type World } from "./gateway.ts";
import { npmStart, scratch, type Host } from "./host.ts";

const slots = 10;
const patience = { timeout: 120_000 };
const space = scratch();
let host: Host;

beforeAll(async () => {
  host = await npmStart({ state: space.folder });
});

afterAll(async () => {
  await host.stop();
  space.remove();
});

async function scene(queue: number, seconds: number): Promise<{ where: World; lane: Lane }> {
  const lane = laneOn(inject("upstream"));
  const script = replyScript("chat", { text: "GOOD" }, { stream: false });
  await lane.answer({ ...script, delay: seconds * 1000 });
  const where = await world(host, {
    providers: [provider({ id: "p", format: "chat", lane })],
    harnesses: [{ id: "h", name: "H", queue }],
  });
  return { where, lane };
}

const body = { model: "p/m", messages: [{ role: "user", content: "hi" }] };

/** Asks again twice, when `Retry-After` says so: the statuses. */
async function retried(where: World): Promise<number[]> {
  const statuses: number[] = [];
  for (let tries = 0; tries < 3; tries++) {
    const answer = await ask(where, { client: "chat", body });
    statuses.push(answer.status);
    await answer.text();
    if (answer.status !== 429) break;
    await sleep(Number(answer.headers.get("retry-after")) * 1000);
  }
  return statuses;
}

it("a client that obeys Retry-After finds a slot with two retries, 25 at once", patience, async () => {
  const { where } = await scene(0, 2);
  const statuses = await Promise.all(Array.from({ length: 25 }, () => retried(where)));
  expect(statuses.map((tries) => tries.at(-1))).toEqual(statuses.map(() => 200));
  expect(statuses.flat()).toContain(429);
});

it("25 at once wait their turn where the harness has a queue", patience, async () => {
  const { where } = await scene(30, 1);
  const answers = await Promise.all(
    Array.from({ length: 25 }, () => ask(where, { client: "chat", body })),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  while ((await inFlight(where)) > 0) await sleep(20);
});

it("a process that ended leaves no slot taken and nobody waiting", patience, async () => {
  const { where } = await scene(60, 1);
  const cut = Array.from({ length: 30 }, async () => {
    await ask(where, { client: "chat", body }).catch(() => undefined);
  });
  while ((await inFlight(where)) < slots) await sleep(20);
  process.kill(host.child.pid ?? 0, "SIGKILL");
  await Promise.all(cut);
});
