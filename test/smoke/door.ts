/** A started host, asked from outside: workspaces made through its admin API, requests over real sockets. */
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
  body?: Json;
  headers?: Record<string, string>;
  key?: string;
  signal?: AbortSignal;
}

/** A generation request of the world's key. */
export async function ask({ host, key }: World, given: Ask): Promise<Response> {
  const { client, body, headers, signal } = given;
  return await fetch(host.base + paths[client], {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${given.key ?? key}`,
      ...headers,
    },
    body: JSON.stringify(body ?? request(client)),
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
