import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { openLane } from "../kit/lane.ts";
import { stream } from "../kit/script.ts";
import { endpoints } from "../kit/wire/index.ts";
import { admin, connect, newKey, npmRunDev, npmStart, scratch, type Host } from "./host.ts";

const weather = {
  name: "get_weather",
  description: "The weather of a city",
  schema: { type: "object" as const, properties: { city: { type: "string" } }, required: ["city"] },
};

const hosts = {
  "npm start": (folder: string) => npmStart({ state: folder }),
  "npm run dev": npmRunDev,
};

describe.concurrent.each(Object.entries(hosts))("%s", (_name, start) => {
  const { folder, remove } = scratch();
  let host: Host;
  let key: string;

  beforeAll(async () => {
    host = await start(folder);
    key = await newKey(host);
  });

  afterAll(async () => {
    await host.stop();
    remove();
  });

  const openai = () => new OpenAI({ baseURL: `${host.base}/v1`, apiKey: key, maxRetries: 0 });
  const anthropic = () =>
    new Anthropic({ baseURL: host.base, authToken: key, apiKey: null, maxRetries: 0 });
  const question = { role: "user" as const, content: "Say hello" };

  it("answers its health check without a key", async () => {
    const answer = await fetch(`${host.base}/healthz`);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ status: "ok", version: expect.any(String) });
  });

  it("answers that it is ready without a key", async () => {
    const answer = await fetch(`${host.base}/readyz`);
    expect(answer.status).toBe(200);
    const checks = { settings: "ok", kv: "ok", objects: "ok" };
    expect(await answer.json()).toEqual({ status: "ok", checks });
  });

  it("serves the dashboard's static files, compressed on request, by their own names alone", async () => {
    const page = await (await fetch(`${host.base}/dashboard/sign-in`)).text();
    const files = [...new Set(page.match(/\/dashboard\/assets\/[\w.-]+/g))];
    expect(files.map((file) => file.replace(/.*\/|-\w+/g, ""))).toEqual(
      expect.arrayContaining(["app.js", "app.css", "icon.svg"]),
    );
    for (const file of files) {
      const text = async (coding: string): Promise<[Headers, string]> => {
        const answer = await fetch(host.base + file, { headers: { "accept-encoding": coding } });
        expect(answer.status).toBe(200);
        return [answer.headers, await answer.text()];
      };
      const [headers, plain] = await text("identity");
      expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect(headers.get("content-security-policy")).toContain("default-src 'self'");
      expect(headers.get("content-encoding")).toBeNull();
      const [compressed, same] = await text("gzip, br");
      expect(compressed.get("vary")).toBe("Accept-Encoding");
      expect(compressed.get("content-encoding")).toBe("gzip");
      expect(same).toBe(plain);
      // Nothing is served around the Worker.
      expect((await fetch(`${host.base}/${file.split("/").at(-1)}`)).status).toBe(404);
    }
    expect((await fetch(`${host.base}/dashboard/assets/app.js`)).status).toBe(404);
  });

  it("lists auto first, then the demo's models", async () => {
    const ids = (await openai().models.list()).data.map((model) => model.id);
    expect(ids[0]).toBe("auto");
    expect(ids).toContain("demo/echo");
  });

  it("answers chat, whole and streamed", async () => {
    const request = { model: "auto", messages: [question] };
    const whole = await openai().chat.completions.create(request);
    expect(whole.choices[0]?.message.content).toMatch(/demo/i);
    const streamed = await openai().chat.completions.stream(request).finalChatCompletion();
    expect(streamed.choices[0]?.message.content).toBe(whole.choices[0]?.message.content);
    expect(streamed.choices[0]?.finish_reason).toBe("stop");
  });

  it("answers Responses, whole and streamed", async () => {
    const request = { model: "auto", input: "Say hello" };
    const whole = await openai().responses.create(request);
    expect(whole.output_text).toMatch(/demo/i);
    const streamed = await openai().responses.stream(request).finalResponse();
    expect(streamed.output_text).toBe(whole.output_text);
    expect(streamed.status).toBe("completed");
  });

  it("answers Messages, whole and streamed", async () => {
    const request = { model: "auto", max_tokens: 500, messages: [question] };
    const whole = await anthropic().messages.create(request);
    const streamed = await anthropic().messages.stream(request).finalMessage();
    expect(streamed.content).toEqual(whole.content);
    expect(whole.content[0]).toMatchObject({ type: "text", text: expect.stringMatching(/demo/i) });
    expect(streamed.stop_reason).toBe("end_turn");
  });

  it("calls a tool when one is offered, in every format", async () => {
    const { name, description, schema } = weather;
    const chat = await openai().chat.completions.create({
      model: "demo/tools",
      messages: [question],
      tools: [{ type: "function", function: { name, description, parameters: schema } }],
    });
    expect(chat.choices[0]?.message.tool_calls?.[0]).toMatchObject({ function: { name } });
    const responses = await openai()
      .responses.stream({
        model: "demo/tools",
        input: "Say hello",
        tools: [{ type: "function", name, description, parameters: schema, strict: false }],
      })
      .finalResponse();
    expect(responses.output).toContainEqual(
      expect.objectContaining({ type: "function_call", name }),
    );
    const messages = await anthropic()
      .messages.stream({
        model: "demo/tools",
        max_tokens: 500,
        messages: [question],
        tools: [{ name, description, input_schema: schema }],
      })
      .finalMessage();
    expect(messages.content).toContainEqual(expect.objectContaining({ type: "tool_use", name }));
    expect(messages.stop_reason).toBe("tool_use");
  });

  it("refuses a wrong key with M005 and a wrong admin token with 401", async () => {
    const wrong = new OpenAI({
      baseURL: `${host.base}/v1`,
      apiKey: `gw_${"a".repeat(43)}`,
      maxRetries: 0,
    });
    await expect(
      wrong.chat.completions.create({ model: "auto", messages: [question] }),
    ).rejects.toMatchObject({
      status: 401,
      message: expect.stringContaining("[gateway M005]"),
    });
    await expect(admin({ ...host, adminToken: "wrong" }, "GET /api/config")).rejects.toThrow("401");
  });

  // One after the other: both change the same document.
  it.sequential.each(["chat", "messages"] as const)(
    "a client that leaves in mid-stream ends the call of a %s provider within 2 s",
    async (format) => {
      const lane = openLane(inject("upstream"));
      const text = "a long answer that the client will not wait for ".repeat(40);
      await lane.answer(stream(endpoints[format].events({ text }, "m"), { pace: 50 }));
      const id = `slow-${format}`;
      await connect(host, {
        id,
        kind: "custom",
        format,
        base_url: `${lane.url}/v1`,
        models: [{ id: "m" }],
      });
      const leave = new AbortController();
      const answer = await fetch(`${host.base}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ model: `${id}/m`, stream: true, messages: [question] }),
        signal: leave.signal,
      });
      await answer.body?.getReader().read();
      leave.abort();
      const left = Date.now();
      const seen = await lane.left(0, 5000);
      expect((seen.leftAt ?? Number.POSITIVE_INFINITY) - left).toBeLessThan(2000);
    },
  );
});
