/** A started host, asked from outside: workspaces made through its admin API, requests over real sockets. */
import http from "node:http";
import net from "node:net";
import { paths, read, request, type Answer, type Client, type Json } from "../kit/asking.ts";
import { admin, type Host } from "./host.ts";

export interface World {
  host: Host;
  /** The workspace's own admin token. */
  token: string;
  key: string;
}

interface Document {
  providers?: Json[];
  harnesses?: Json[];
}

/** The header in which a host of these tests believes the client's address. */
export const addressHeader = "x-test-address";

let addresses = 0;

/** One request to the host, from an address of its own where the host trusts the header. */
export async function sendRequest(
  host: Host,
  path: string,
  init: RequestInit = {},
): Promise<Response> {
  const headers = new Headers(init.headers);
  addresses += 1;
  if (!headers.has(addressHeader))
    headers.set(
      addressHeader,
      `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`,
    );
  return await fetch(host.base + path, { ...init, headers });
}

/** A workspace of its own with this document, and a key of its first harness. */
export async function world(host: Host, document: Document): Promise<World> {
  const made = await admin<{ admin_token: string }>(host, "POST /api/workspaces", { name: "test" });
  const own = { ...host, adminToken: made.admin_token };
  const harnesses = document.harnesses ?? [{ id: "h", name: "H" }];
  await admin(own, "PUT /api/config", { providers: [], ...document, harnesses });
  const key = await keyOf(own, String(harnesses[0]?.["id"]));
  return { host: own, token: made.admin_token, key };
}

/** A new key of a harness of the workspace that the host's token acts on. */
export async function keyOf(host: Host, harness: string): Promise<string> {
  return (await admin<{ key: string }>(host, `POST /api/harnesses/${harness}/keys`, {})).key;
}

export interface Ask {
  client: Client;
  /** The body, or its exact text. */
  body?: Json | string;
  headers?: Record<string, string>;
  /** "" sends none. */
  key?: string;
  signal?: AbortSignal;
}

/** A generation request of the world's key. */
export async function ask(where: World, given: Ask): Promise<Response> {
  const { client, body, headers, signal, key = where.key } = given;
  return await sendRequest(where.host, paths[client], {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(key !== "" && { authorization: `Bearer ${key}` }),
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body ?? request(client)),
    ...(signal && { signal }),
  });
}

export async function asked(where: World, given: Ask): Promise<Answer> {
  return await read(await ask(where, given));
}

export async function inFlight({ host }: World): Promise<number> {
  return (await admin<{ in_flight: number }>(host, "GET /api/status")).in_flight;
}

/** The log's row of a request, once it is written. */
export async function rowOf({ host }: World, id: string | null): Promise<Json> {
  for (;;) {
    const row = await admin<Json>(host, `GET /api/requests/${id}`).catch(() => undefined);
    if (row !== undefined) return row;
  }
}

export interface Exact {
  /** As it is to stand in the request line. */
  path: string;
  method?: string;
  headers?: Record<string, string>;
  /** Sent in chunks, without a length. */
  chunks?: Iterable<string>;
}

/** One request that `fetch` would tidy up or refuse to send. */
export function exactly(host: Host, { path, method, headers, chunks }: Exact): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(host.base);
    const sending = http.request({ hostname, port, path, method, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("error", reject);
      response.on("end", () => {
        const pairs = Object.entries(response.headers).map(([name, value]): [string, string] => [
          name,
          String(value),
        ]);
        const init = { status: response.statusCode ?? 0, headers: pairs };
        resolve(read(new Response(Buffer.concat(parts), init)));
      });
    });
    sending.on("error", reject);
    for (const chunk of chunks ?? []) sending.write(chunk);
    sending.end();
  });
}

/** Writes this, closes its own half of the connection, and reads what still comes. */
export function halfClosed(host: Host, text: string): Promise<string> {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(host.base);
    let heard = "";
    const socket = net.connect({ host: hostname, port: Number(port), allowHalfOpen: true }, () => {
      socket.end(text);
    });
    socket.on("data", (part: Buffer) => (heard += part.toString()));
    // However the host takes it: it may just close.
    socket.on("error", () => resolve(heard));
    socket.on("close", () => resolve(heard));
    socket.on("end", () => resolve(heard));
  });
}
