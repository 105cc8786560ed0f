/** A provider's answer takes bounded memory, whatever it sends: bytes are counted inflated, while they are read. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { request, type Json } from "../kit/asking.ts";
import { addressHeader, world, type World } from "../smoke/gateway.ts";
import { admin, npmStart, scratch, type Host } from "../smoke/host.ts";
import { post, type Heard } from "./connection.ts";
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

const ask = (path: string, body: Json): Promise<Heard> =>
  post(host, {
    path,
    headers: { authorization: `Bearer ${where.key}` },
    body: JSON.stringify(body),
  });

const generation = (answer: EndlessAnswer, stream: boolean): Promise<Heard> =>
  ask("/v1/chat/completions", request("chat", { model: `${ids[answer]}/m`, stream }));

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
    const heard = generation(answer, stream);
    await expectBounded(heard);
    expect(await heard).toMatchObject({ status });
  });

  it("the count of tokens is estimated instead", async () => {
    const messages = [{ role: "user", content: "hi" }];
    const heard = ask("/v1/messages/count_tokens", { model: "count/m", messages });
    await expectBounded(heard);
    expect(await heard).toMatchObject({
      status: 200,
      text: expect.stringMatching(/"input_tokens":\d/),
    });
  });

  it("a model list is too large to be read", async () => {
    const tested = admin(where.host, "POST /api/providers/list/test");
    await expectBounded(tested);
    expect(await tested).toMatchObject({
      ok: false,
      message: expect.stringContaining("too large"),
    });
  });

  it("content that its client reads as it comes", async () => {
    const heard = generation("content", true);
    await expectBounded(heard);
    expect((await heard).length).toBeGreaterThan(500 * 1024 * 1024);
  });
});
