/** The lines of requests as `npm start` passes them on. */
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../kit/asking.ts";
import { openLane } from "../kit/lane.ts";
import { whole } from "../kit/script.ts";
import { endpoints } from "../kit/wire/index.ts";
import { addressHeader, ask, world, type World } from "../smoke/gateway.ts";
import { type Host, npmStart, scratch } from "../smoke/host.ts";

const { folder, remove } = scratch();
const canary = "canary-7f3a";
let host: Host;
let places: World[];

beforeAll(async () => {
  host = await npmStart({
    state: path.join(folder, "state"),
    environment: { LOG: "All", TRUSTED_IP_HEADER: addressHeader },
  });
  const lane = openLane();
  await lane.answer(whole(endpoints.chat.whole({ text: canary }, "m")));
  const broken = openLane();
  await broken.answer(whole({ error: { message: `no: ${canary}`, type: "x" } }, 400));
  const base = { kind: "custom", format: "chat", api_key: `sk-${canary}` };
  const models = [{ id: "m", cost: { input: 1, output: 1 } }];
  const providers = [
    { ...base, id: "good", base_url: `${lane.url}/v1`, models },
    { ...base, id: "bad", base_url: `${broken.url}/v1`, models },
  ];
  // Each has ten slots.
  places = await Promise.all(Array.from({ length: 8 }, () => world(host, { providers })));
});

afterAll(async () => {
  await host.stop();
  remove();
});

/** What is printed that looks like a line of a request. */
function printed(): Json[] {
  return host
    .output()
    .split("\n")
    .filter((line) => line.includes('"req_'))
    .map((line) => JSON.parse(line) as Json);
}

/** One request of any kind; its id. */
async function send(at: number): Promise<string> {
  const where = places[at % places.length];
  if (where === undefined) throw new Error("there is no world");
  const model = ["good/m", "bad/m", `made-up-${canary}`][at % 3];
  const text = `${canary} ${"long ".repeat(at % 50)}`;
  const messages = [{ role: "user", content: text }];
  const answer = await ask(where, {
    client: "chat",
    body: { model, messages },
    ...(at % 7 === 0 && { key: `gw_${canary}` }),
  });
  await answer.text();
  return answer.headers.get("x-gateway-request-id") ?? "";
}

describe("npm start with LOG=all", () => {
  it("prints one whole line for each of 640 requests, 64 at a time, in which nothing is quoted", async () => {
    const ids: string[] = [];
    for (let batch = 0; batch < 10; batch += 1)
      ids.push(
        ...(await Promise.all(Array.from({ length: 64 }, (_, at) => send(batch * 64 + at)))),
      );
    // A line is written before its request ends, and read a moment later.
    for (let waited = 0; printed().length < ids.length && waited < 100; waited += 1)
      await sleep(50);
    const lines = printed();
    expect(lines).toHaveLength(ids.length);
    expect(new Set(lines.map(({ id }) => id))).toEqual(new Set(ids));
    expect(new Set(lines.map(({ status }) => status))).toEqual(new Set([200, 400, 401, 404]));
    expect(host.output()).not.toContain(canary);
  });

  it("does not wait for whoever reads its output, and breaks no line of which there is no room", async () => {
    const before = printed().length;
    const asked = 3000;
    host.child.stdout?.pause();
    const statuses = new Set<number>();
    for (let sent = 0; sent < asked; sent += 50)
      await Promise.all(
        Array.from({ length: 50 }, async () => {
          const answer = await fetch(`${host.base}/v1/chat/completions`, { method: "POST" });
          await answer.text();
          statuses.add(answer.status);
        }),
      );
    host.child.stdout?.resume();
    await sleep(1000);
    // Its address has no more room among strangers at some point. A line that is no JSON would throw.
    expect(statuses).toEqual(new Set([401, 429]));
    const written = printed().length - before;
    expect(written).toBeGreaterThan(0);
    expect(written).toBeLessThan(asked);
  });
});
