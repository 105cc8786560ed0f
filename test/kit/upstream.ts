/**
 * The scripted provider: a real HTTP server on loopback. Each test has a lane, the first part of the path, with
 * its own answers and its own record; `lane.ts` is the other end. A `respond` function answers what has no lane.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Received, Script } from "./script.ts";

export interface Upstream {
  /** `http://127.0.0.1:<port>`. */
  url: string;
  /** Connections are refused from now on, or taken again. */
  refuse(): Promise<void>;
  accept(): Promise<void>;
  close(): Promise<void>;
}

export interface UpstreamOptions {
  /** Answers requests outside lanes. */
  respond?: (request: Received) => Script | Promise<Script>;
}

interface Lane {
  scripts: Script[];
  received: Received[];
}

const noScript: Script = { status: 500, body: "no answer was scripted" };

/** Starts a scripted provider on a free port. */
export async function startUpstream(options: UpstreamOptions = {}): Promise<Upstream> {
  const lanes = new Map<string, Lane>();
  const server = createServer((request, response) => {
    response.socket?.setNoDelay(true);
    handle({ request, response }, lanes, options).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500);
      response.end(String(error));
    });
  });
  server.keepAliveTimeout = 60_000;
  const port = await listen(server, 0);
  return {
    url: `http://127.0.0.1:${port}`,
    refuse: () => stop(server),
    accept: async () => void (await listen(server, port)),
    close: () => stop(server),
  };
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

async function handle(
  exchange: Exchange,
  lanes: Map<string, Lane>,
  options: UpstreamOptions,
): Promise<void> {
  const { request, response } = exchange;
  const text = await readText(request);
  const [, kind, name = "", ...rest] = (request.url ?? "/").split("/");
  if (kind === "control")
    return control({ response, text, method: request.method ?? "" }, laneOf(lanes, name), rest);
  const lane = kind === "lane" ? laneOf(lanes, name) : undefined;
  const received = receive(
    exchange,
    text,
    lane === undefined ? (request.url ?? "/") : `/${rest.join("/")}`,
  );
  if (lane === undefined)
    return perform(exchange, (await options.respond?.(received)) ?? noScript, received);
  lane.received.push(received);
  // The last answer stays: what comes after it gets the same.
  const script = lane.scripts.length > 1 ? lane.scripts.shift() : lane.scripts[0];
  return perform(exchange, script ?? noScript, received);
}

function laneOf(lanes: Map<string, Lane>, name: string): Lane {
  const lane = lanes.get(name) ?? { scripts: [], received: [] };
  lanes.set(name, lane);
  return lane;
}

function receive({ request, response }: Exchange, text: string, path: string): Received {
  const received: Received = {
    method: request.method ?? "",
    path,
    headers: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    ),
    text,
    at: Date.now(),
    finished: false,
  };
  response.on("close", () => {
    if (!received.finished) received.leftAt = Date.now();
  });
  return received;
}

/** PUT sets the answers, GET gives the record, GET …/left/<index>/<ms> waits for that request's client to leave. */
async function control(
  { response, text, method }: { response: ServerResponse; text: string; method: string },
  lane: Lane,
  [verb, index = "0", patience = "0"]: string[],
): Promise<void> {
  // Written by lane.ts, in the same words.
  if (method === "PUT") lane.scripts = JSON.parse(text) as Script[];
  const until = Date.now() + Number(patience);
  const left = () => lane.received[Number(index)]?.leftAt;
  if (verb === "left") while (left() === undefined && Date.now() < until) await sleep(5);
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(lane.received));
}

async function perform({ response }: Exchange, script: Script, received: Received): Promise<void> {
  if (script.delay !== undefined) await sleep(script.delay);
  if (script.mute !== true) {
    response.writeHead(script.status ?? 200, script.headers ?? {});
    response.flushHeaders();
    await write(response, script);
  }
  const end = script.end ?? "close";
  switch (end) {
    case "close":
      received.finished = true;
      response.end();
      return;
    case "cut":
      received.finished = true;
      response.socket?.end();
      return;
    case "reset":
      received.finished = true;
      response.socket?.resetAndDestroy();
      return;
    case "hang":
      return;
    default:
      end satisfies never;
  }
}

async function write(response: ServerResponse, script: Script): Promise<void> {
  const pieces = typeof script.body === "string" ? [script.body] : (script.body ?? []);
  let left = script.limit ?? Number.POSITIVE_INFINITY;
  for (const [index, piece] of pieces.entries()) {
    if (index > 0 && script.pace !== undefined) await sleep(script.pace);
    const bytes = Buffer.from(piece);
    const size = script.chop ?? Math.max(1, bytes.length);
    for (let at = 0; at < bytes.length && left > 0; at += size) {
      if (response.destroyed) return;
      const part = bytes.subarray(at, Math.min(at + size, at + left));
      left -= part.length;
      await send(response, part);
    }
  }
}

/** Resolves once the bytes are on their way, so that two writes are two packets. */
function send(response: ServerResponse, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    response.once("close", resolve);
    response.write(bytes, () => {
      response.off("close", resolve);
      resolve();
    });
  });
}

async function readText(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  // Without setEncoding a request yields buffers.
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", reject);
      // A listening TCP server has such an address.
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
