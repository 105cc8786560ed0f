/**
 * A gateway in process, asked from outside: workspaces made through the admin API, requests through the
 * worker's own `fetch`.
 */
import { createExecutionContext } from "cloudflare:test";
import { env as bindings } from "cloudflare:workers";
import type { Env } from "../../src/store/env.ts";
import worker from "../../src/worker.ts";
import {
  paths,
  read,
  request,
  type Answer,
  type Client,
  type Json,
  type Variant,
} from "../kit/asking.ts";
import { expectDocumented } from "../kit/admin-api.ts";

// The pool gives the bindings of wrangler.toml, which Env describes.
const base = bindings as unknown as Env;
const environments = {
  A: { ...base, VARIANT: "A", TRUSTED_IP_HEADER: "x-test-address" },
  B: { ...base, VARIANT: "B", TRUSTED_IP_HEADER: "x-test-address" },
  cloud: { ...base, VARIANT: "A", MODE: "cloud" },
} satisfies Record<Variant | "cloud", Env>;

let addresses = 0;

/** One request at the worker's door, from an address of its own unless it names one. */
export async function knock(
  path: string,
  init: RequestInit = {},
  variant: Variant | "cloud" = "A",
): Promise<Response> {
  const knocking = new Request(`http://gateway.test${path}`, init);
  if (!knocking.headers.has("x-test-address")) {
    addresses += 1;
    knocking.headers.set("x-test-address", `10.1.${addresses >> 8}.${addresses & 255}`);
  }
  return await worker.fetch(knocking, environments[variant], createExecutionContext());
}

/** One call of the admin API in a workspace (by its token); throws on an error status. */
export async function admin<T>(token: string, call: string, body?: unknown): Promise<T> {
  const [method = "GET", path = ""] = call.split(" ");
  const answer = await knock(path, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${call}: ${answer.status} ${text}`);
  const json = JSON.parse(text === "" ? "{}" : text) as Json;
  expectDocumented(call, { status: answer.status, headers: answer.headers, json });
  // The tests name the contract's shape of each call.
  return json as T;
}

export interface World {
  token: string;
  key: string;
  variant: Variant;
}

/** A workspace of its own with this document, and a key of its first harness. */
export async function world(
  config: { providers?: Json[]; harnesses?: Json[]; limits?: Json[] },
  variant: Variant = "A",
): Promise<World> {
  const made = await admin<{ admin_token: string }>(base.ADMIN_TOKEN, "POST /api/workspaces", {
    name: "test",
  });
  const token = made.admin_token;
  const harnesses = config.harnesses ?? [{ id: "h", name: "H" }];
  await admin(token, "PUT /api/config", { providers: [], ...config, harnesses });
  return { token, key: await newKey(token, String(harnesses[0]?.["id"])), variant };
}

export async function newKey(token: string, harness: string, more: Json = {}): Promise<string> {
  const call = `POST /api/harnesses/${harness}/keys`;
  return (await admin<{ key: string }>(token, call, more)).key;
}

export interface Ask {
  client: Client;
  /** The body, or its exact text. */
  body?: Json | string;
  headers?: Record<string, string>;
  /** "" sends none. */
  key?: string;
  query?: string;
}

/** A generation request of the world's key. */
export async function ask(where: World, { client, body, headers, key, query }: Ask) {
  const bearer = key ?? where.key;
  const text = typeof body === "string" ? body : JSON.stringify(body ?? request(client));
  return await knock(
    paths[client] + (query ?? ""),
    {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(bearer !== "" && { authorization: `Bearer ${bearer}` }),
        ...headers,
      },
      body: text,
    },
    where.variant,
  );
}

export async function asked(where: World, given: Ask): Promise<Answer> {
  return await read(await ask(where, given));
}

/** The log's row of a request, once it is written. */
export async function rowOf({ token }: World, id: string | null): Promise<Json> {
  for (;;) {
    const row = await admin<Json>(token, `GET /api/requests/${id}`).catch((error: unknown) => {
      if (!String(error).includes(": 404 ")) throw error;
      return undefined;
    });
    if (row !== undefined) return row;
  }
}

export async function inFlight({ token }: World): Promise<number> {
  return (await admin<{ in_flight: number }>(token, "GET /api/status")).in_flight;
}
