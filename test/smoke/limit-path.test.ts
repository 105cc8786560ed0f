/** Limits on several nodes of a path, in a gateway that is killed in the middle of a race. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Host, startHost } from "../../scripts/soak/host.ts";
import { openLane, provider, replyScript, request, type Json, type Lane } from "../kit/asking.ts";

let host: Host;

beforeAll(async () => {
  host = await startHost();
});

afterAll(() => host.stop());

/** `name`: method and path. */
async function call(token: string, name: string, body?: Json): Promise<Json> {
  const [method = "", path = ""] = name.split(" ");
  const answer = await fetch(host.base + path, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${name}: ${answer.status} ${text}`);
  return JSON.parse(text) as Json;
}

interface Scene {
  token: string;
  key: string;
  lane: Lane;
}

const max = 60;
const limit = (more: number): Json[] => [
  { metric: "requests", period: "month", max: max + more, action: "block" },
];

/** A workspace whose tightest limit is that of the node. */
async function setUp(tightest: string): Promise<Scene> {
  const lane = openLane();
  await lane.answer(replyScript("chat", { text: "GOOD" }, { stream: false }));
  const made = await call(host.adminToken, "POST /api/workspaces", { name: tightest });
  const token = String(made["admin_token"]);
  const limitOf = (node: string): Json => ({ limits: limit(node === tightest ? 0 : 30) });
  await call(token, "PUT /api/config", {
    ...limitOf("workspace"),
    providers: [provider({ id: "lab", format: "chat", lane })],
    harnesses: [{ id: "h", name: "H", errors: "status", ...limitOf("harness") }],
  });
  const key = await call(token, "POST /api/harnesses/h/keys", limitOf("key"));
  return { token, key: String(key["key"]), lane };
}

/** The status of one request; 0 where the gateway was gone. */
async function ask({ key }: Scene): Promise<number> {
  const sent = fetch(`${host.base}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(request("chat", { model: "lab/m" })),
  });
  const answer = await sent.catch(() => undefined);
  await answer?.text().catch(() => undefined);
  return answer?.status ?? 0;
}

const race = async (scene: Scene): Promise<number[]> =>
  await Promise.all(Array.from({ length: 10 }, () => ask(scene)));

async function untilHealthy(): Promise<void> {
  for (;;) {
    const healthy = await fetch(`${host.base}/healthz`).catch(() => undefined);
    if (healthy?.ok === true) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A batch is due after half a second; on a busy machine it is written a little later. */
const mayBeLost = 2 * 500;

describe.each(["workspace", "harness", "key"])("a limit of the %s", (tightest) => {
  it("is overrun after kill -9 by what was admitted in the last moment at most", async () => {
    const scene = await setUp(tightest);
    for (let sent = 0; sent < 2; sent += 1) await race(scene);
    const last = race(scene);
    await new Promise((resolve) => setTimeout(resolve, 30));
    const killed = Date.now();
    host.kill();
    await last;
    await untilHealthy();
    let statuses: number[] = [];
    do statuses = await race(scene);
    while (statuses.some((status) => status !== 429));
    const received = await scene.lane.received();
    const lately = received.filter(({ at }) => at > killed - mayBeLost && at <= killed + 100);
    expect(received.length).toBeLessThanOrEqual(max + lately.length);
    const { data } = await call(scene.token, "GET /api/limits");
    for (const { used, max: most } of data as { used: number; max: number }[])
      expect(used).toBeLessThanOrEqual(most);
  });
});
