/** Large and slow bodies: what they take of the memory, and that nobody else pays for them. */
import { createHash } from "node:crypto";
import { createServer, type Server, type ServerResponse } from "node:http";
import net, { type AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { request } from "../kit/asking.ts";
import { addressHeader, world, type World } from "../smoke/gateway.ts";
import { npmStart, scratch, type Host } from "../smoke/host.ts";
import { post, type Heard } from "./connection.ts";
import { processOf, type GatewayProcess } from "./process.ts";

const megabyte = 1024 * 1024;
const space = scratch();
let host: Host;
let provider: Server;
let where: World;
let gateway: GatewayProcess;

/** Whole answers in both formats that say `text`. */
const answers = {
  chat: (text: string) => ({
    id: "a",
    choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: "stop" }],
  }),
  messages: (text: string) => ({
    id: "a",
    type: "message",
    role: "assistant",
    content: [{ type: "text", text }],
    stop_reason: "end_turn",
  }),
};
const digest = (text: string): string => createHash("sha256").update(text).digest("hex");
const events = 40;

interface Body {
  stream?: boolean;
  messages: { content: string | { text: string }[] }[];
}

/** Answers with the digest of what was said, when it has read all; a stream takes some seconds. */
function startProvider(): Promise<Server> {
  const server = createServer((asked, response) => {
    const parts: Buffer[] = [];
    asked.on("data", (part: Buffer) => parts.push(part));
    asked.on("end", () => {
      // Written by the gateway from what the tests send.
      const body = JSON.parse(Buffer.concat(parts).toString()) as Body;
      if (body.stream === true) {
        void stream(response);
        return;
      }
      const said = body.messages[0]?.content ?? "";
      const text = digest(typeof said === "string" ? said : (said[0]?.text ?? ""));
      const format = asked.url?.includes("messages") === true ? "messages" : "chat";
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(answers[format](text)));
    });
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

async function stream(response: ServerResponse): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (let event = 0; event < events; event++) {
    const choices = [{ index: 0, delta: { content: `[${event}]` } }];
    response.write(`data: ${JSON.stringify({ id: "a", choices })}\n\n`);
    await sleep(200);
  }
  response.end("data: [DONE]\n\n");
}

beforeAll(async () => {
  provider = await startProvider();
  // A listening TCP server has such an address.
  const { port } = provider.address() as AddressInfo;
  host = await npmStart({ state: space.folder, environment: { TRUSTED_IP_HEADER: addressHeader } });
  gateway = processOf(host);
  const entry = {
    kind: "custom",
    base_url: `http://127.0.0.1:${port}/v1`,
    api_key: "sk-test-0123",
  };
  const models = [{ id: "m", context_window: 1_000_000_000 }];
  const providers = [
    { ...entry, id: "chat", format: "chat", models },
    { ...entry, id: "messages", format: "messages", models },
  ];
  where = await world(host, { providers });
}, 120_000);

afterAll(async () => {
  await host.stop();
  provider.closeAllConnections();
  provider.close();
  space.remove();
}, 120_000);

const ask = (model: string, text: string, more: object = {}): Promise<Heard> =>
  post(host, {
    path: "/v1/chat/completions",
    headers: { authorization: `Bearer ${where.key}` },
    body: JSON.stringify(
      request("chat", { model, messages: [{ role: "user", content: text }], ...more }),
    ),
  });

describe("a body of 30 MB", () => {
  it.each(["chat/m", "messages/m"])("takes at most four times its size: %s", async (model) => {
    await ask(model, "hi");
    const before = gateway.memory();
    const text = "a".repeat(30 * megabyte);
    const heard = ask(model, text);
    const peak = await gateway.peak(heard);
    expect(await heard).toMatchObject({
      status: 200,
      text: expect.stringContaining(digest(text)),
    });
    expect(peak - before, `${before} MB before, ${peak} MB at most`).toBeLessThan(4 * 30);
  });

  it.each(["chat/m", "messages/m"])("arrives as it was sent: %s", async (model) => {
    const numbered = Array.from({ length: 300_000 }, (_, at) => `${at} "\\ é 😀\n`).join("");
    const heard = await ask(model, numbered);
    expect(heard).toMatchObject({ status: 200, text: expect.stringContaining(digest(numbered)) });
  });

  it("eight at once: some wait, the process and its other streams live, small requests pass", async () => {
    const neighbour = ask("chat/m", "hi", { stream: true });
    await sleep(500);
    const text = "a".repeat(30 * megabyte);
    const large = Array.from({ length: 8 }, () => ask("chat/m", text).catch(() => undefined));
    const small = ask("chat/m", "hi");
    const heard = (await Promise.all(large)).filter((each) => each !== undefined);
    const statuses = heard.map(({ status }) => status);
    expect(statuses).toContain(200);
    expect(statuses).toContain(503);
    for (const { status, headers, text: said } of heard) {
      if (status !== 503) continue;
      expect(headers["retry-after"]).toMatch(/^\d+$/);
      expect(JSON.parse(said)).toMatchObject({
        error: {
          type: "server_error",
          code: "overloaded",
          message: expect.stringMatching(/^\[gateway M501\]/),
        },
      });
    }
    expect((await small).status).toBe(200);
    expect((await neighbour).text).toContain(`[${events - 1}]`);
    expect(processOf(host).pid).toBe(gateway.pid);
    // What they took is given back.
    expect((await ask("chat/m", text)).status).toBe(200);
  });
});

describe("a body that is sent too slowly", () => {
  const framings = [
    { title: "with a stated length", lines: "content-length: 500\r\n\r\n{" },
    { title: "in chunks", lines: "transfer-encoding: chunked\r\n\r\n1\r\n{\r\n" },
  ];

  it.concurrent.each(framings)("$title: 400", async ({ lines }) => {
    const heard = await silentAfter(
      `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nauthorization: Bearer ${where.key}\r\n${lines}`,
    );
    expect(heard).toMatch(/^HTTP\/1\.1 400 /);
    expect(heard).toContain("sent too slowly");
  });

  it.concurrent("to the admin API: 400", async () => {
    const heard = await silentAfter(
      `PUT /api/config HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${host.adminToken}\r\ncontent-length: 500\r\n\r\n{`,
    );
    expect(heard).toMatch(/^HTTP\/1\.1 400 /);
    expect(heard).toContain("sent too slowly");
  });
});

/** Sends this and nothing more; what is heard until the answer is there. */
function silentAfter(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(host.base);
    let heard = "";
    const socket = net.connect(Number(port), hostname, () => socket.write(text));
    socket.on("error", reject);
    socket.on("close", () => resolve(heard));
    socket.on("data", (part: Buffer) => {
      heard += part.toString();
      if (heard.includes("sent too slowly")) socket.destroy();
    });
  });
}
