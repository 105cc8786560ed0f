/** Requests that wait for a slot, in a gateway as users run it: SDK-like retries, the end of the process, a restart. */
import { readFileSync } from "node:fs";
import path from "node:path";
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

it(
  "a client that obeys Retry-After finds a slot with two retries, 25 at once",
  patience,
  async () => {
    const { where } = await scene(0, 2);
    const statuses = await Promise.all(Array.from({ length: 25 }, () => retried(where)));
    expect(statuses.map((tries) => tries.at(-1))).toEqual(statuses.map(() => 200));
    expect(statuses.flat()).toContain(429);
  },
);

it("25 at once wait their turn where the harness has a queue", patience, async () => {
  const { where } = await scene(30, 1);
  const answers = await Promise.all(
    Array.from({ length: 25 }, () => ask(where, { client: "chat", body })),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  while ((await inFlight(where)) > 0) await sleep(20);
});

/** The process id of the runtime that serves the state. */
function workerdIn(folder: string): number {
  const lock = JSON.parse(readFileSync(path.join(folder, "lock.json"), "utf8")) as {
    workerd: { pid: number };
  };
  return lock.workerd.pid;
}

/** Ten that run and five that wait, none of which its provider has answered. */
async function crowded(
  seconds: number,
): Promise<{ where: World; lane: Lane; asked: Promise<Response | undefined>[] }> {
  const { where, lane } = await scene(60, seconds);
  const asking = (): Promise<Response | undefined> =>
    ask(where, { client: "chat", body }).catch(() => undefined);
  const asked = Array.from({ length: slots }, asking);
  while ((await inFlight(where)) < slots) await sleep(20);
  return { where, lane, asked: [...asked, ...Array.from({ length: 5 }, asking)] };
}

it(
  "those that wait when the end of the process is announced are told to come back",
  patience,
  async () => {
    const { asked } = await crowded(3);
    await sleep(300);
    const announced = await fetch(`${host.base}/api/drain`, {
      method: "POST",
      headers: { authorization: `Bearer ${host.adminToken}`, "content-type": "application/json" },
      body: JSON.stringify({ seconds: 0.2 }),
    });
    expect(announced.status).toBe(204);
    const answers = await Promise.all(asked.slice(slots));
    for (const answer of answers) {
      expect(answer?.status).toBe(503);
      expect(answer?.headers.get("retry-after")).toBe("2");
    }
    await Promise.all(asked);
  },
);

it("a process that was killed leaves no slot taken and nobody waiting", patience, async () => {
  const { where, lane, asked } = await crowded(3);
  process.kill(workerdIn(space.folder), "SIGKILL");
  await Promise.all(asked);
  while (
    !(await fetch(`${host.base}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await sleep(50);
  const before = (await lane.received()).length;
  const again = Array.from({ length: slots }, () => ask(where, { client: "chat", body }));
  const statuses = (await Promise.all(again)).map(({ status }) => status);
  expect(statuses).toEqual(statuses.map(() => 200));
  expect((await lane.received()).length).toBe(before + slots);
});
