import { expect, it, describe } from "vitest";
import {
  at,
  events,
  openLane,
  parsed,
  provider,
  replyScript,
  type Answer,
  type Json,
  type Lane,
  type WireFormat,
} from "../kit/asking.ts";
import { restart, workspaces } from "../workspace/workers-kit.ts";
import { admin, asked, newKey, rowOf, world, type World } from "./kit.ts";

const signature = "c2lnbmF0dXJlLW9mLXRoZS1tb2RlbA";
const thinking = { text: "The weather must be asked for.", state: signature };
const calls = [
  { id: "call_paris", name: "weather", input: '{"city":"Paris"}' },
  { id: "call_rome", name: "weather", input: '{"city":"Rome"}' },
];
const tools = [{ type: "function", function: { name: "weather", parameters: { type: "object" } } }];
const question = { role: "user", content: "Where is it warmer?" };
const others = ["messages", "responses", "gemini"] as const;

interface Scene {
  where: World;
  lane: Lane;
}

async function scene(format: WireFormat, stream: boolean): Promise<Scene> {
  const lane = openLane();
  await lane.answer(
    replyScript(format, { thinking, calls }, { stream }),
    replyScript(format, { text: "Rome." }, { stream }),
  );
  const providers = [provider({ id: "lab", format, lane })];
  const harnesses = [
    { id: "h", name: "H" },
    { id: "other", name: "O" },
  ];
  return { where: await world({ providers, harnesses }), lane };
}

interface Turn {
  messages: Json[];
  stream: boolean;
  key?: string;
}

async function turn({ where }: Scene, { messages, stream, key }: Turn): Promise<Answer> {
  const body = {
    model: "lab/m",
    messages,
    tools,
    reasoning_effort: "high",
    max_tokens: 20_000,
    ...(stream && { stream }),
  };
  const answer = await asked(where, { client: "chat", body, ...(key !== undefined && { key }) });
  expect(answer.status, answer.text).toBe(200);
  return answer;
}

/** What a client that knows OpenAI's documentation alone brings back of an answer with calls. */
function plainHistory({ text, json }: Answer, stream: boolean): Json[] {
  const said = stream
    ? events(text).flatMap((event) => at(event.json, "choices", 0, "delta", "tool_calls") ?? [])
    : at(json, "choices", 0, "message", "tool_calls");
  const ids = (said as Json[]).flatMap((call) => call["id"] ?? []);
  expect(ids).toHaveLength(calls.length);
  const brought = calls.map(({ name, input }, index) => ({
    id: ids[index],
    type: "function",
    function: { name, arguments: input },
  }));
  return [
    question,
    { role: "assistant", content: null, tool_calls: brought },
    ...ids.map((id) => ({ role: "tool", tool_call_id: id, content: "20 degrees" })),
  ];
}

async function lastBody(lane: Lane): Promise<Json> {
  const posts = (await lane.received()).filter(({ method }) => method === "POST");
  return parsed(posts.at(-1)?.text ?? "");
}

const rows = others.flatMap((format) => [true, false].map((stream) => ({ format, stream })));

describe("a chat client that brings back nothing but the calls", () => {
  it.each(rows)("gives $format its reasoning back all the same, stream $stream", async (given) => {
    const { format, stream } = given;
    const made = await scene(format, stream);
    const first = await turn(made, { messages: [question], stream });
    await turn(made, { messages: plainHistory(first, stream), stream });
    const body = await lastBody(made.lane);
    switch (format) {
      case "messages": {
        expect(body["thinking"]).toMatchObject({ type: "enabled" });
        const content = at(body, "messages", 1, "content");
        expect(content).toMatchObject([
          { type: "thinking", thinking: thinking.text, signature },
          { type: "tool_use" },
          { type: "tool_use" },
        ]);
        break;
      }
      case "responses":
        expect((body["input"] as Json[]).map(({ type }) => type ?? "message")).toEqual([
          "message",
          "reasoning",
          "function_call",
          "function_call",
          "function_call_output",
          "function_call_output",
        ]);
        expect(at(body, "input", 1)).toMatchObject({ encrypted_content: signature });
        break;
      case "gemini":
        expect(at(body, "contents", 1, "parts", 0)).toMatchObject({
          functionCall: { name: "weather" },
          thoughtSignature: signature,
        });
        break;
      default:
        format satisfies never;
    }
  });

  it("has it after a restart", async () => {
    const made = await scene("messages", false);
    const first = await turn(made, { messages: [question], stream: false });
    // The row is on the disk, and what goes with it too.
    await rowOf(made.where, first.headers.get("x-request-id"));
    const holder = await workspaces.identify(made.where.key);
    if (typeof holder === "string") throw new Error(holder);
    await restart(holder.workspace);
    await turn(made, { messages: plainHistory(first, false), stream: false });
    expect(JSON.stringify(await lastBody(made.lane))).toContain(signature);
  });

  it("is given nothing that another key or harness was given", async () => {
    const made = await scene("messages", false);
    const first = await turn(made, { messages: [question], stream: false });
    const messages = plainHistory(first, false);
    for (const harness of ["h", "other"]) {
      const key = await newKey(made.where.token, harness);
      await turn(made, { messages, stream: false, key });
      expect(JSON.stringify(await lastBody(made.lane))).not.toContain(signature);
    }
    await turn(made, { messages, stream: false });
    expect(JSON.stringify(await lastBody(made.lane))).toContain(signature);
  });

  it("leaves out what another provider made, without a word of it", async () => {
    const made = await scene("messages", false);
    const first = await turn(made, { messages: [question], stream: false });
    const lane = openLane();
    await lane.answer(replyScript("messages", { text: "Rome." }, { stream: false }));
    const config = await admin<{ providers: Json[]; generation: number }>(
      made.where.token,
      "GET /api/config",
    );
    const providers = [...config.providers, provider({ id: "new", format: "messages", lane })];
    await admin(made.where.token, "PUT /api/config", { ...config, providers });
    const body = { model: "new/m", messages: plainHistory(first, false), tools };
    const answer = await asked(made.where, { client: "chat", body });
    expect(answer.status, answer.text).toBe(200);
    expect(JSON.stringify(await lastBody(lane))).not.toContain(signature);
    expect(answer.headers.get("x-gateway-dropped")).toBeNull();
  });
});

it("nothing is kept for a client that brings it back itself, nor shown in the log", async () => {
  const made = await scene("messages", false);
  const first = await turn(made, { messages: [question], stream: false });
  const message = at(first.json, "choices", 0, "message") as Json;
  const results = calls.map(({ id }) => ({ role: "tool", tool_call_id: id, content: "20" }));
  await turn(made, { messages: [question, message, ...results], stream: false });
  const sent = JSON.stringify(await lastBody(made.lane));
  expect(sent.match(new RegExp(signature, "g"))).toHaveLength(1);
  const row = await rowOf(made.where, first.headers.get("x-request-id"));
  expect(JSON.stringify(row)).not.toContain("sealed");
});
