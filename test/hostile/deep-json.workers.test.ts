/** JSON of very many levels, at every door and from every provider: refused before it is parsed, and nobody else suffers. */
import { describe, expect, it } from "vitest";
import { openLane, parsed, provider, replyScript, request, type Json } from "../kit/asking.ts";
import type { Script } from "../kit/script.ts";
import { endpoints } from "../kit/wire/index.ts";
import { asked, knock, world, type World } from "../gateway/kit.ts";

const levels = 100_000;
const nested = (count = levels): string => "[".repeat(count) + "]".repeat(count);
/** A JSON text with one member more, which is nested. */
const withMember = (body: Json, member: string): string =>
  `${JSON.stringify(body).slice(0, -1)},"x":${member}}`;

async function scene(...scripts: Script[]): Promise<World> {
  const providers = await Promise.all(
    scripts.map(async (script, index) => {
      const lane = openLane();
      await lane.answer(script);
      return provider({ id: `p${index}`, format: "chat", lane });
    }),
  );
  const routing = { fallbacks: { "p0/m": scripts.slice(1).map((_, index) => `p${index + 1}/m`) } };
  return await world({ providers, harnesses: [{ id: "h", name: "H", routing }] });
}

const good = (stream: boolean): Script => replyScript("chat", { text: "GOOD" }, { stream });

async function posted(where: World, path: string, sent: { body: BodyInit; encoding?: string }) {
  const { body, encoding = "identity" } = sent;
  const response = await knock(path, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "content-encoding": encoding,
      authorization: `Bearer ${where.key}`,
    },
    body,
  });
  return { status: response.status, text: await response.text() };
}

const contents = [{ role: "user", parts: [{ text: "hi" }] }];
const doors: Record<string, Json> = {
  "/v1/chat/completions": request("chat", { model: "p0/m" }),
  "/v1/responses": request("responses", { model: "p0/m" }),
  "/v1/messages": request("messages", { model: "p0/m" }),
  "/v1/messages/count_tokens": request("messages", { model: "p0/m" }),
  "/v1beta/models/p0%2Fm:generateContent": { contents },
  "/v1beta/models/p0%2Fm:countTokens": { contents },
  "/v1/embeddings": { model: "p0/m", input: "hi" },
};

describe.each(Object.entries(doors))("a body for %s", (path, body) => {
  it("is refused with the member and the bound where it is nested too deep", async () => {
    const where = await scene(good(false));
    const { status, text } = await posted(where, path, {
      body: withMember(body, nested()),
    });
    expect(status, text).toBe(400);
    expect(text).toContain("M300");
    expect(text).toContain("x: nested deeper than 500 levels");
  });

  it("is read at the deepest level, with brackets in texts besides", async () => {
    const where = await scene(good(false));
    const deep = withMember(body, `[${nested(498)},${JSON.stringify('\\"['.repeat(levels))}]`);
    expect((await posted(where, path, { body: deep })).text).not.toContain("nested");
  });
});

describe("a body that is compressed", () => {
  it("is refused by its depth, as it would be without", async () => {
    const where = await scene(good(false));
    const text = withMember(request("chat", { model: "p0/m" }), nested(3_900_000));
    const packed = new Response(text).body?.pipeThrough(new CompressionStream("gzip"));
    const body = await new Response(packed).arrayBuffer();
    expect(body.byteLength).toBeLessThan(10_000);
    const refused = await posted(where, "/v1/chat/completions", { body, encoding: "gzip" });
    expect(refused).toMatchObject({
      status: 400,
      text: expect.stringContaining("nested deeper than 500 levels"),
    });
  });
});

describe("a message over a WebSocket", () => {
  it("is refused with the same words", async () => {
    const where = await scene(good(true));
    const { webSocket } = await knock("/v1/responses", {
      headers: { upgrade: "websocket", authorization: `Bearer ${where.key}` },
    });
    const frame = new Promise<string>((resolve) =>
      webSocket?.addEventListener("message", ({ data }) => resolve(String(data))),
    );
    webSocket?.accept();
    webSocket?.send(
      withMember({ type: "response.create", ...request("responses", { model: "p0/m" }) }, nested()),
    );
    expect(await frame).toContain("x: nested deeper than 500 levels");
    webSocket?.close();
  });
});

describe("a body for the admin API", () => {
  it.each(["PUT /api/config", "POST /api/webhooks", "POST /api/route"])(
    "is refused before it is parsed: %s",
    async (call) => {
      const where = await scene(good(false));
      const [method = "", path = ""] = call.split(" ");
      const response = await knock(path, {
        method,
        headers: { authorization: `Bearer ${where.token}`, "content-type": "application/json" },
        body: withMember({ providers: [] }, nested()),
      });
      expect(response.status).toBe(400);
      expect(await response.text()).toContain("body: nested deeper than 500 levels");
    },
  );
});

describe("a provider's answer that is nested too deep", () => {
  const whole: Script = {
    headers: { "content-type": "application/json" },
    body: withMember({ choices: [{ message: { content: "a" } }] }, nested()),
  };
  const first: Script = {
    headers: { "content-type": "text/event-stream" },
    body: [`data: ${withMember({ choices: [{ delta: { content: "a" } }] }, nested())}\n\n`],
  };

  it("is a failed attempt where it is the only one", async () => {
    const where = await scene(whole);
    const answer = await asked(where, { client: "chat", body: request("chat", { model: "p0/m" }) });
    expect(answer.status).toBe(502);
    expect(answer.text).toContain("nested too deeply");
  });

  it.each([
    ["whole", false, whole],
    ["in its first event", true, first],
  ])("%s, leads to the fallback", async (_, stream, bad) => {
    const where = await scene(bad, good(stream));
    const body = request("chat", { model: "p0/m", stream });
    const answer = await asked(where, { client: "chat", body });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.text).toContain("GOOD");
  });

  it("ends a stream that has begun with an error event, for clients of every format", async () => {
    const events = endpoints.chat.events({ text: "GOOD" }, "m");
    const deep = `data: ${withMember({ choices: [{ index: 0, delta: { content: "b" } }] }, nested())}\n\n`;
    const where = await scene({
      headers: { "content-type": "text/event-stream" },
      body: [...events.slice(0, -2), deep],
    });
    for (const client of ["responses", "messages"] as const) {
      const body = request(client, { model: "p0/m", stream: true });
      const answer = await asked(where, { client, body });
      expect(answer.status).toBe(200);
      expect(answer.text).toContain("GOOD");
      expect(answer.text).toMatch(/event: (?:error|response\.failed)/);
    }
  });
});

describe("arguments of a call that are nested too deep", () => {
  it("reach a provider that wants an object as their text", async () => {
    const lane = openLane();
    await lane.answer(replyScript("messages", { text: "GOOD" }, { stream: false }));
    const where = await world({ providers: [provider({ id: "lab", format: "messages", lane })] });
    const inside = `{"a":${nested()}}`;
    const call = { id: "c", type: "function", function: { name: "look", arguments: inside } };
    const body = request("chat", {
      model: "lab/m",
      messages: [
        { role: "user", content: "hi" },
        { role: "assistant", content: null, tool_calls: [call] },
        { role: "tool", tool_call_id: "c", content: "found" },
      ],
    });
    expect((await asked(where, { client: "chat", body })).status).toBe(200);
    const got = (await lane.received()).findLast(({ method }) => method === "POST");
    const sent = parsed(got?.text ?? "") as { messages: { content: { input?: Json }[] }[] };
    expect(sent.messages[1]?.content[0]?.input).toEqual({ _raw: inside });
  });
});
