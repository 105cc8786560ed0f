import { createExecutionContext } from "cloudflare:test";
import { env as bindings } from "cloudflare:workers";
import { expect, it } from "vitest";
import type { Env } from "../../src/store/env.ts";
import worker from "../../src/worker.ts";
import { clients, paths, read, request } from "../kit/asking.ts";
import { admin, newKey, world } from "./kit.ts";

// The pool gives the bindings of wrangler.toml, which Env describes.
const env = bindings as unknown as Env;

/** A streaming request where the process may hold `limit` descriptors. */
async function askWithin(limit: number, variant: "A" | "B", client: (typeof clients)[number]) {
  const { key } = await world({});
  const asking = new Request(`http://gateway.test${paths[client]}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ ...request(client), stream: true }),
  });
  const settings = { ...env, VARIANT: variant, DESCRIPTOR_LIMIT: String(limit) };
  return await read(await worker.fetch(asking, settings, createExecutionContext()));
}

it.each(clients)(
  "a %s request that finds no descriptor gets 503, never an answer",
  async (client) => {
    const answer = await askWithin(8, "A", client);
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(answer.headers.get("content-type")).toContain("application/json");
    expect(answer.json).toMatchObject({
      error: { message: expect.stringMatching(/^\[gateway M501\] /), code: "overloaded" },
    });
  },
);

it("variant B's code is the number of the status", async () => {
  const answer = await askWithin(8, "B", "chat");
  expect(answer.json).toMatchObject({ error: { type: "server_error", code: 503 } });
});

it("the admin API refuses a workspace for which there is no room, and others go on", async () => {
  const [first, second] = [await world({}), await world({})];
  const config = (token: string): Promise<Response> => {
    const asking = new Request("http://gateway.test/api/config", {
      headers: { authorization: `Bearer ${token}` },
    });
    // Room for one workspace.
    const settings = { ...env, DESCRIPTOR_LIMIT: "16" };
    return Promise.resolve(worker.fetch(asking, settings, createExecutionContext()));
  };
  expect((await config(first.token)).status).toBe(200);
  const refused = await config(second.token);
  expect(refused.status).toBe(503);
  expect(await refused.json()).toMatchObject({ error: { code: "overloaded" } });
  expect((await config(first.token)).status).toBe(200);
  await admin(second.token, "GET /api/config");
  await newKey(second.token, "h");
});
