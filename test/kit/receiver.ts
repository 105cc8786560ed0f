/** A receiver of webhooks that does as it is told: it answers, fails, hangs, redirects, dies. `inbox.ts` asks it. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { InboxStep, Received } from "./inbox.ts";

interface Inbox {
  /** What it does next; the last one stays. */
  steps: InboxStep[];
  received: Received[];
}

/** Starts it on a free port of this machine. */
export async function startReceiver(): Promise<{ url: string; close: () => Promise<void> }> {
  const inboxes = new Map<string, Inbox>();
  const server = createServer((request, response) => {
    serve(inboxes, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => closed(server) };
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

/** `PUT /<inbox>` sets its steps, `GET` says what came, `POST` delivers. */
async function serve(
  inboxes: Map<string, Inbox>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const name = request.url ?? "";
  const inbox = inboxes.get(name) ?? { steps: [{ status: 200 }], received: [] };
  inboxes.set(name, inbox);
  const body = await textOf(request);
  if (request.method === "PUT") inbox.steps = JSON.parse(body) as InboxStep[];
  if (request.method !== "POST") return void response.end(JSON.stringify(inbox.received));
  const headers = Object.entries(request.headers).map(([key, value]) => [key, String(value)]);
  const one: Received = { at: Date.now(), headers: Object.fromEntries(headers), body };
  inbox.received.push(one);
  const [step = { status: 200 }] = inbox.steps;
  if (inbox.steps.length > 1) inbox.steps.shift();
  await act(step, request, response);
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const part of request) text += String(part);
  return text;
}

async function act(
  step: InboxStep,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if ("status" in step) {
    response.writeHead(step.status, step.headers);
    response.end(step.body ?? "thank you");
    return;
  }
  switch (step.does) {
    case "hang":
      return;
    case "die":
      response.writeHead(200, { "content-length": "1000" });
      response.write("half");
      await sleep(20);
      request.socket.destroy();
      return;
    case "refuse":
      request.socket.destroy();
      return;
    case "drip":
      // The status line, one byte at a time, is never whole.
      for (const byte of `HTTP/1.1 200 OK\r\nx-slow: ${"z".repeat(1000)}`) {
        if (request.socket.destroyed) return;
        request.socket.write(byte);
        await sleep(200);
      }
      return;
    case "endless":
      response.writeHead(200);
      while (!request.socket.destroyed) {
        response.write("x".repeat(65_536));
        await sleep(5);
      }
      return;
    default:
      step.does satisfies never;
  }
}
