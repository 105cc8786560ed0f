/** JSON that grows when it is parsed, and answers of very many small parts: they take bounded memory and time. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { request, type Json } from "../kit/asking.ts";
import { addressHeader, world, type World } from "../smoke/gateway.ts";
import { npmStart, scratch, type Host } from "../smoke/host.ts";
import { post, type Heard } from "./connection.ts";
import { processOf, type GatewayProcess } from "./process.ts";

const megabyte = 1024 * 1024;
/** MB above the start; parsed, each of these would take from 400 to 1400. */
const ceiling = 250;

const space = scratch();
let host: Host;
let provider: Server;
let where: World;
let gateway: GatewayProcess;

const items = (item: string, bytes: number): string =>
  `[${Array(Math.floor(bytes / (item.length + 1)))
    .fill(item)
    .join(",")}]`;
const event = (delta: string, more = ""): string =>
  `data: {"id":"a","choices":[{"index":0,"delta":${delta}}]${more}}\n\n`;
const call = (index: number): string =>
  event(
    `{"tool_calls":[{"index":${index},"id":"c${index}","type":"function","function":{"name":"f","arguments":"{}"}}]}`,
  );

const answers: Record<string, () => { type: string; text: string }> = {
  whole: () => ({
    type: "application/json",
    text: `{"choices":[{"message":{"content":"a"}}],"x":${items("{}", 60 * megabyte)}}`,
  }),
  event: () => ({
    type: "text/event-stream",
    text: event('{"content":"a"}', `,"x":${items("{}", 7 * megabyte)}`),
  }),
  calls: () => ({
    type: "text/event-stream",
    text: Array.from({ length: 150_000 }, (_, index) => call(index)).join(""),
  }),
};

beforeAll(async () => {
  provider = createServer((asked, response) => {
    asked.resume();
    const answer = answers[asked.url?.split("/")[1] ?? ""]?.() ?? { type: "text/plain", text: "" };
    response.writeHead(200, { "content-type": answer.type }).end(answer.text);
  });
  await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
  // A listening TCP server has such an address.
  const { port } = provider.address() as AddressInfo;
  host = await npmStart({ state: space.folder, environment: { TRUSTED_IP_HEADER: addressHeader } });
  gateway = processOf(host);
  const providers = Object.keys(answers).map((id) => ({
    id,
    kind: "custom",
    format: "chat",
    base_url: `http://127.0.0.1:${port}/${id}/v1`,
    api_key: "sk-test-0123",
    models: [{ id: "m" }],
  }));
  where = await world(host, { providers });
}, 120_000);

afterAll(async () => {
  await host.stop();
  provider.closeAllConnections();
  provider.close();
  space.remove();
}, 120_000);

const send = (body: string): Promise<Heard> =>
  post(host, {
    path: "/v1/chat/completions",
    headers: { authorization: `Bearer ${where.key}` },
    body,
  });

async function heardWithin(heard: Promise<Heard>): Promise<Heard> {
  const before = gateway.memory();
  const peak = await gateway.peak(heard);
  expect(peak - before, `${before} MB before, ${peak} MB at most`).toBeLessThan(ceiling);
  return await heard;
}

describe("a body of very many values", () => {
  it.each([
    ["{}", 400, "x: more than 200,000 JSON objects and members"],
    ['{"a":1}', 400, "x: more than 200,000 JSON objects and members"],
    ["[]", 413, "holds more than 1,000,000 JSON values"],
    ["1", 413, "holds more than 1,000,000 JSON values"],
  ])("30 MB of %s: %i that says so", async (item, status, words) => {
    const body = JSON.stringify(request("chat"));
    const dense = `${body.slice(0, -1)},"x":${items(item, 30 * megabyte)}}`;
    expect(await heardWithin(send(dense))).toMatchObject({
      status,
      text: expect.stringContaining(words),
    });
  });

  it("30 MB of brackets: 400", async () => {
    expect(await heardWithin(send("[".repeat(30 * megabyte)))).toMatchObject({
      status: 400,
      text: expect.stringContaining("body: nested deeper than 500 levels"),
    });
  });
});

describe("a provider's answer of very many parts", () => {
  const refused: [string, string][] = [
    ["whole", "too many values"],
    ["event", "too long"],
    ["calls", "too many blocks"],
  ];

  it.each(refused)("%s: the attempt fails", async (id, message) => {
    const body: Json = request("chat", { model: `${id}/m` });
    expect(await heardWithin(send(JSON.stringify(body)))).toMatchObject({
      status: 502,
      text: expect.stringContaining(message),
    });
  });
});
