/** Gemini's paths in the hands of hostile clients: every one is answered, and a key in an address stays there. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openLane, provider, replyScript, type Lane } from "../kit/asking.ts";
import { startUpstream, type Upstream } from "../kit/upstream.ts";
import { addressHeader, exactly, rowOf, world, type World } from "../smoke/gateway.ts";
import { admin, npmStart, scratch, type Host } from "../smoke/host.ts";

const space = scratch();
let upstream: Upstream;
let host: Host;
let lane: Lane;
let where: World;

beforeAll(async () => {
  upstream = await startUpstream();
  const environment = { TRUSTED_IP_HEADER: addressHeader, LOG: "all" };
  host = await npmStart({ state: space.folder, environment });
  lane = openLane(upstream.url);
  await lane.answer(replyScript("chat", { text: "GOOD" }, { stream: false }));
  where = await world(host, { providers: [provider({ id: "lab", format: "chat", lane })] });
}, 120_000);

afterAll(async () => {
  await host.stop();
  await upstream.close();
  space.remove();
}, 120_000);

const body = JSON.stringify({ contents: [{ role: "user", parts: [{ text: "hi" }] }] });
const stackOrPath = /node_modules|\.[jt]s:\d|at \w+ \(|(?:Range|Type|Syntax)Error/;
let addresses = 0;

function post(path: string, headers: Record<string, string> = {}) {
  addresses += 1;
  const address = { [addressHeader]: `198.51.100.${addresses % 250}` };
  const type = { "content-type": "application/json" };
  return exactly(host, {
    path,
    method: "POST",
    headers: { ...type, ...address, ...headers },
    chunks: [body],
  });
}

const models = [
  "..",
  "../../api/config",
  "..%2f..%2fapi%2fconfig",
  "%2e%2e/%2e%2e",
  "%00",
  "%0d%0aX-A:b",
  "%ff%fe",
  "%zz",
  "__proto__",
  "constructor",
  ":",
  "//",
  "lab//m",
  "lab/m;x=y",
  "%5c",
  "m%3AgenerateContent",
  "a".repeat(50_000),
  "%2e%2e/".repeat(7_000),
];
const methods = ["generateContent", "streamGenerateContent", "countTokens", "embedContent", "x"];

describe("a path", () => {
  it.each(models.map((model) => [model.slice(0, 40), model]))(
    "with the model %s is answered as the client's fault",
    async (_, model) => {
      for (const method of methods) {
        const key = { "x-goog-api-key": where.key };
        const { status, text } = await post(`/v1beta/models/${model}:${method}`, key);
        // Refusals may be spoken: 200.
        expect(status, `${method}: ${text.slice(0, 300)}`).toBeLessThan(500);
        expect(text).not.toMatch(stackOrPath);
        expect(text.length).toBeLessThan(5_000);
      }
      expect(await lane.received()).toEqual([]);
    },
  );
});

describe("a key in the address", () => {
  const paths = [
    "/v1beta/models/lab/m:generateContent",
    "/v1beta/models/lab%2Fm:countTokens",
    "/v1beta/models/none:generateContent",
    "/v1beta/models/none",
    "/v1beta/files",
    "/v1/models/lab/m:generateContent",
    "/v1/chat/completions",
    "/v1/nothing",
    "/nothing",
  ];

  it("is in no answer, row, line of the log or call of the provider", async () => {
    const ids: (string | null)[] = [];
    for (const path of paths)
      for (const query of [`?key=${where.key}`, `?x=1&%6bey=${where.key}&alt=sse`]) {
        const { headers, text } = await post(path + query);
        expect(JSON.stringify([...headers]) + text, path).not.toContain(where.key);
        ids.push(headers.get("x-gateway-request-id"));
      }
    const row = await rowOf(where, ids[0] ?? null);
    expect(row["requested_model"]).toBe("lab/m");
    const rows = await admin<object>(where.host, "GET /api/requests?limit=100");
    expect(JSON.stringify([row, rows])).not.toContain(where.key);
    const calls = await lane.received();
    expect(calls.length).toBeGreaterThan(0);
    expect(JSON.stringify(calls)).not.toContain(where.key);
    while (!host.output().includes(String(row["id"]))) await new Promise(setImmediate);
    expect(host.output()).not.toContain(where.key);
  });
});
