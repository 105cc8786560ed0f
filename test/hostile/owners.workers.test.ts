/** Stored responses belong to the harness that they were given to, where it says so. */
import { beforeEach, describe, expect, it, vi } from "vitest";
import { ask, asked, inFlight, newKey, world, type World } from "../gateway/kit.ts";
import {
  openLane,
  provider,
  replyScript,
  request,
  type Json,
  type Lane,
  type Variant,
} from "../kit/asking.ts";
import { stream } from "../kit/script.ts";
import { endpoints } from "../kit/wire/index.ts";

let lane: Lane;

beforeEach(() => {
  lane = openLane();
});

/** Two strict harnesses and one that is not, of one workspace with one provider. */
async function shared(variant: Variant = "A") {
  const strict = { response_owner: "strict" };
  const where = await world(
    {
      providers: [provider({ id: "lab", format: "responses", lane })],
      harnesses: [
        { id: "own", name: "Own", ...strict },
        { id: "other", name: "Other", ...strict },
        { id: "open", name: "Open" },
      ],
    },
    variant,
  );
  const [other, open] = await Promise.all([
    newKey(where.token, "other"),
    newKey(where.token, "open"),
  ]);
  return { where, own: where.key, other, open };
}

/** The provider answers the next request with this response id. */
async function give(id: string): Promise<void> {
  const script = replyScript("responses", { text: "GOOD" }, { stream: false });
  const body = { ...(JSON.parse(String(script.body)) as Json), id };
  await lane.answer({ ...script, body: JSON.stringify(body) });
}

async function say(where: World, key: string, more: Json = {}) {
  const body = { model: "lab/m", input: "hi", ...more };
  return await asked(where, { client: "responses", key, body });
}

describe("a strict harness", () => {
  it("goes on from its own response, and from none that another was given", async () => {
    const { where, own, other, open } = await shared();
    await give("resp_own");
    expect((await say(where, own)).status).toBe(200);
    await give("resp_next");
    const more = { previous_response_id: "resp_own" };
    expect((await say(where, own, more)).status).toBe(200);
    const calls = (await lane.received()).length;
    const refused = await say(where, other, more);
    expect(refused.status).toBe(400);
    expect(refused.error).toMatchObject({
      type: "invalid_request_error",
      code: "previous_response_not_found",
      param: "previous_response_id",
      message: "[gateway M300] Previous response with id 'resp_own' not found.",
    });
    expect((await lane.received()).length).toBe(calls);
    expect((await say(where, open, more)).status).toBe(200);
  });

  it("is refused with the status where it asks for a stream too", async () => {
    const { where, own } = await shared();
    const more = { previous_response_id: "resp_foreign", stream: true };
    const refused = await say(where, own, more);
    expect(refused.status).toBe(400);
    expect(refused.error).toMatchObject({ code: "previous_response_not_found" });
  });

  it("goes on from what `auto` was answered, also in the background", async () => {
    const { where, own, other } = await shared();
    await give("resp_auto");
    expect((await say(where, own, { model: "auto" })).status).toBe(200);
    const more = { model: "auto", previous_response_id: "resp_auto" };
    const title = "Generate a short title for this conversation. Answer with the title only.";
    expect((await say(where, own, { ...more, input: title, max_output_tokens: 20 })).status).toBe(
      200,
    );
    expect((await say(where, other, more)).status).toBe(400);
  });

  it.each([7, ["resp_own"], { id: "resp_own" }, true, " resp_own", "resp_own\u200b", ""])(
    "is refused what is no plain id: %j",
    async (id) => {
      const { where, other } = await shared();
      const refused = await say(where, other, { previous_response_id: id });
      expect(refused.status).toBe(400);
      expect(refused.error).toMatchObject({
        code: "previous_response_not_found",
        param: "previous_response_id",
      });
      expect(await lane.received()).toHaveLength(0);
    },
  );

  it.each(["chat", "messages"] as const)("is refused the field in %s too", async (client) => {
    const { where, other } = await shared();
    const body = request(client, { model: "lab/m", previous_response_id: "resp_own" });
    const refused = await asked(where, { client, key: other, body });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain("previous_response_not_found");
    expect(await lane.received()).toHaveLength(0);
  });

  it("goes on from an answer that it left", async () => {
    const { where, own, other } = await shared();
    const events = endpoints.responses.events({ text: "GOOD" }, "m");
    await lane.answer(stream(events, { pace: 20 }));
    const body = { model: "lab/m", input: "hi", stream: true };
    const reader = (await ask(where, { client: "responses", key: own, body })).body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    const [, id] = /"id":"(resp[^"]*)"/.exec(new TextDecoder().decode(value)) ?? [];
    await reader?.cancel();
    await vi.waitFor(async () => expect(await inFlight(where)).toBe(0), { timeout: 30_000 });
    await give("resp_next");
    expect(id).toBeDefined();
    const more = { previous_response_id: id };
    expect((await say(where, other, more)).status).toBe(400);
    expect((await say(where, own, more)).status).toBe(200);
  });

  it("has none that was not stored", async () => {
    const { where, own } = await shared();
    await give("resp_gone");
    expect((await say(where, own, { store: false })).status).toBe(200);
    expect((await say(where, own, { previous_response_id: "resp_gone" })).status).toBe(400);
  });
});

it("agents of variant B share the responses of their workspace", async () => {
  const { where, own, other } = await shared("B");
  await give("resp_b");
  expect((await say(where, own)).status).toBe(200);
  expect((await say(where, other, { previous_response_id: "resp_b" })).status).toBe(200);
});
