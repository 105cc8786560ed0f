/** A provider's answer takes bounded memory, whatever it sends: bytes are counted inflated, while they are read. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { request, type Json } from "../kit/asking.ts";
import { addressHeader, ask, sendRequest, world, type World } from "../smoke/gateway.ts";
import { admin, npmStart, scratch, type Host } from "../smoke/host.ts";
import { endlessProvider, type EndlessAnswer, type EndlessProvider } from "./endless-provider.ts";
import { processOf, type GatewayProcess } from "./process.ts";

/** MB above the start, for one endless answer after the other. */
const ceiling = 400;

const space = scratch();
let host: Host;
let provider: EndlessProvider;
let where: World;
let gateway: GatewayProcess;
let before: number;

const ids: Record<EndlessAnswer, string> = {
  "whole answer": "whole",
  "stream for a whole answer": "collected",
  "comments before the first content": "comments",
  "events without content": "empty",
  "event without an end": "long",
  "lines of one event": "lines",
  "token count": "count",
  "error text": "error",
  "model list": "list",
  content: "content",
};

function entry(answer: EndlessAnswer): Json {
  return {
    id: ids[answer],
    kind: "custom",
    format: answer === "token count" ? "messages" : "chat",
    base_url: `${provider.url(answer)}/v1`,
    api_key: "sk-test-0123456789",
    ...(answer !== "model list" && { models: [{ id: "m" }] }),
  };
}

beforeAll(async () => {
  provider = await endlessProvider();
  host = await npmStart({ state: space.folder, environment: { TRUSTED_IP_HEADER: addressHeader } });
  gateway = processOf(host);
  // Its keys are those of the record.
  const answers = Object.keys(ids) as EndlessAnswer[];
  where = await world(host, { providers: answers.map(entry) });
  before = gateway.memory();
}, 120_000);

afterAll(async () => {
  await host.stop();
  provider.close();
  space.remove();
}, 120_000);

/** Reads an answer and forgets it. */
async function readAway(response: Response): Promise<number> {
  let length = 0;
  for await (const piece of response.body ?? []) length += piece.length;
  return length;
}

function generation(answer: EndlessAnswer, stream: boolean): Promise<Response> {
  const body = request("chat", { model: `${ids[answer]}/m`, stream });
  return ask(where, { client: "chat", body });
}

async function expectBounded(work: Promise<unknown>): Promise<void> {
  const peak = await gateway.peak(work);
  expect(peak - before, `${before} MB before, ${peak} MB at most`).toBeLessThan(ceiling);
}

describe("a provider that never stops", () => {
  const refused: { answer: EndlessAnswer; stream: boolean; status: number }[] = [
    { answer: "whole answer", stream: false, status: 502 },
    { answer: "whole answer", stream: true, status: 502 },
    { answer: "stream for a whole answer", stream: false, status: 502 },
    { answer: "comments before the first content", stream: true, status: 502 },
    { answer: "comments before the first content", stream: false, status: 502 },
    { answer: "events without content", stream: true, status: 502 },
    { answer: "event without an end", stream: true, status: 502 },
    { answer: "lines of one event", stream: true, status: 502 },
    { answer: "error text", stream: false, status: 500 },
  ];

  it.each(refused)("$answer, stream: $stream", async ({ answer, stream, status }) => {
    const work = generation(answer, stream).then(async (response) => {
      expect(response.status, await response.text()).toBe(status);
    });
    await expectBounded(work);
  });

  it("the count of tokens is estimated instead", async () => {
    const body = JSON.stringify({ model: "count/m", messages: [{ role: "user", content: "hi" }] });
    const work = sendRequest(host, "/v1/messages/count_tokens", {
      method: "POST",
      headers: { authorization: `Bearer ${where.key}`, "content-type": "application/json" },
      body,
    }).then(async (response) => {
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({ input_tokens: expect.any(Number) });
    });
    await expectBounded(work);
  });

  it("a model list is too large to be read", async () => {
    const work = admin(where.host, "POST /api/providers/list/test").then((answer) => {
      expect(answer).toMatchObject({ ok: false, message: expect.stringContaining("too large") });
    });
    await expectBounded(work);
  });

  it("content that its client reads as it comes", async () => {
    await expectBounded(generation("content", true).then(readAway));
  });
});
