/** One HTTP call of a provider. Whatever goes wrong before a usable answer's headers are here is a value. */
import type { ClientFormat, ProviderFormat } from "../core/format.ts";
import type { Failure } from "../core/failure.ts";
import type { Target } from "../core/model.ts";
import { Problem } from "../core/problem.ts";
import type { JsonObject } from "../lib/json.ts";
import type { Mode } from "../store/env.ts";
import { checkBaseUrl } from "../providers/connection/address.ts";
import { wirePath } from "../providers/catalogue/record.ts";
import { fixedHeaders, isInProcess, rootOf } from "../providers/connection/connect.ts";
import type { Connection } from "../providers/connection/connection.ts";
import { answerDemo } from "./demo/answer.ts";
import { connectionFailure, statusFailure, typeFailure } from "./failures.ts";
import { readText } from "../providers/connection/read-text.ts";

export interface SendCall {
  connection: Connection;
  target: Target;
  /** The target's dialect: it reads the words of an error. */
  dialect: ProviderFormat;
  /** The opened credential. */
  secret: string | undefined;
  /** Opened headers of the entry that are kept sealed. */
  secretHeaders?: Readonly<Record<string, string>>;
  body: JsonObject;
  /** The client's query string (`?beta=true`), forwarded from Messages to Messages. */
  query: string;
  /** The client's headers; few of them pass, and only from Messages to Messages. */
  headers: Headers;
  /** Ends the call, its answer's body included; with the reason `TimedOut` when its time is over. */
  signal: AbortSignal;
  /** The client speaks the target's dialect. */
  relay: boolean;
  /** In cloud mode private addresses are refused here again. */
  mode: Mode;
  /** Asks for the number of tokens instead of an answer. */
  counts?: boolean;
}

export type Sent = { ok: true; response: Response } | { ok: false; failure: Failure };

/** Longest text of an error that is read, in bytes, and the longest time it may take, in milliseconds. */
const errorCap = 64 * 1024;
const errorTime = 5000;

/** The provider's answer once its headers show that it can be one, or why there is none. */
export async function send(call: SendCall): Promise<Sent> {
  if (isInProcess(call.connection)) return { ok: true, response: demoResponse(call) };
  const secrets = secretsOf(call);
  const answered = await request(call);
  if (!answered.ok) return answered;
  const { response } = answered;
  const unusable = typeFailure(response);
  if (response.status >= 200 && response.status < 300) {
    if (unusable === undefined) return answered;
    await discard(response);
    return { ok: false, failure: unusable };
  }
  if (response.status < 400) {
    await discard(response);
    const message = "The provider answered with a redirect, which is never followed.";
    return { ok: false, failure: { cause: "redirect", status: 502, message } };
  }
  const text = await readText(response, { cap: errorCap, time: errorTime });
  return { ok: false, failure: statusFailure({ response, text, dialect: call.dialect, secrets }) };
}

/** Everything that must not be seen in a provider's words. */
export function secretsOf(call: Pick<SendCall, "secret" | "secretHeaders">): string[] {
  const values = Object.values(call.secretHeaders ?? {});
  return [call.secret, ...values, ...values.map((value) => value.replace(/^\S+ /, ""))].filter(
    (value): value is string => value !== undefined && value !== "",
  );
}

async function request(call: SendCall): Promise<Sent> {
  const { signal } = call;
  const url = targetUrl(call);
  const headers = requestHeaders(call);
  const body = JSON.stringify(call.body);
  try {
    const init = { method: "POST", headers, body, redirect: "manual", signal } as const;
    return { ok: true, response: await fetch(url, init) };
  } catch (error) {
    return { ok: false, failure: connectionFailure(error, signal) };
  }
}

/** What every call over a connection repeats, worked out once: addresses and headers do not change under it. */
interface Route {
  addresses: Map<string, string>;
  headers: Map<string, Readonly<Record<string, string>>>;
}

const routes = new WeakMap<Connection, Route>();

function routeOf(connection: Connection): Route {
  let route = routes.get(connection);
  if (route === undefined) {
    route = { addresses: new Map(), headers: new Map() };
    routes.set(connection, route);
  }
  return route;
}

/** Root, path and query of one call. A connection's address is checked before its first call. */
function targetUrl(call: SendCall): string {
  const { connection, target, mode } = call;
  const kind = call.counts === true ? "count" : target.stream ? "stream" : "whole";
  const { addresses } = routeOf(connection);
  const key = `${mode} ${target.format} ${kind} ${target.model}`;
  let address = addresses.get(key);
  if (address === undefined) {
    address = addressOf(call, kind);
    addresses.set(key, address);
  }
  return call.relay && target.format === "messages" && call.query !== ""
    ? withQuery(address, call.query)
    : address;
}

function addressOf(
  { connection, target, mode }: SendCall,
  kind: "count" | "stream" | "whole",
): string {
  const url = checkBaseUrl(rootOf(connection, target.format), mode);
  const [path = "", query] = wirePath(target.format, target.model, kind).split("?", 2);
  url.pathname = url.pathname.replace(/\/+$/, "") + path;
  return withQuery(url.href, query ?? "");
}

function withQuery(address: string, query: string): string {
  const url = new URL(address);
  for (const [name, value] of new URLSearchParams(query)) url.searchParams.set(name, value);
  return url.href;
}

/** Never set by an entry: they belong to the connection itself. */
const ownHeaders = new Set([
  "host",
  "content-length",
  "content-type",
  "connection",
  "transfer-encoding",
  "accept-encoding",
]);
/** Sealed text in place of a header's value: its opened form comes with the call. */
const sealedMark = "sealed:";
/** Of a Messages client to a Messages provider. Nothing that tells who the client is. */
const passedHeaders = [
  "anthropic-version",
  "anthropic-beta",
  "user-agent",
  "x-app",
  "x-claude-code-session-id",
];

/** The headers of one call, built from nothing: of the client's own only those that the dialect's servers read. */
function requestHeaders(call: SendCall): Readonly<Record<string, string>> | Headers {
  const { connection, target, secret } = call;
  const { headers } = routeOf(connection);
  const key = `${target.format} ${target.stream} ${secret ?? ""}`;
  let fixed = headers.get(key);
  if (fixed === undefined) {
    fixed = connectionHeaders(call);
    headers.set(key, fixed);
  }
  if (!call.relay || target.format !== "messages") return fixed;
  const own = new Headers(fixed);
  passClientHeaders(own, call.headers);
  // What the entry says stands over what a client says.
  addEntryHeaders(own, connection, call.secretHeaders);
  return own;
}

function connectionHeaders(call: SendCall): Record<string, string> {
  const { connection, target } = call;
  try {
    const headers = new Headers(fixedHeaders(connection, target.format, call.secret));
    headers.set("content-type", "application/json");
    headers.set(
      "accept",
      target.stream ? "text/event-stream, application/json" : "application/json",
    );
    headers.set("user-agent", "routing-gateway");
    addEntryHeaders(headers, connection, call.secretHeaders);
    return Object.fromEntries(headers);
  } catch (error) {
    // The runtime's own words would repeat the value.
    if (error instanceof TypeError)
      throw new Problem("M100", `The credential of ${connection.id} can't be sent in a header.`);
    throw error;
  }
}

/** Whether a call would go out without the credential that the provider wants. */
export function lacksCredential(connection: Connection, secret: string | undefined): boolean {
  return secret === undefined && !connection.keyless;
}

/** The entry's own headers; those that are kept sealed come opened. */
export function addEntryHeaders(
  headers: Headers,
  { entry }: Connection,
  opened?: Readonly<Record<string, string>>,
): void {
  for (const [name, value] of Object.entries({ ...entry.headers, ...opened })) {
    if (ownHeaders.has(name.toLowerCase()) || value.startsWith(sealedMark)) continue;
    headers.set(name, value);
  }
}

function passClientHeaders(headers: Headers, client: Headers): void {
  for (const name of passedHeaders) {
    const value = client.get(name);
    if (value === null || value === "") continue;
    const own = name === "anthropic-beta" ? headers.get(name) : null;
    const known =
      own !== null && !value.split(",").some((part) => part.trim() === own)
        ? `${value},${own}`
        : value;
    headers.set(name, known);
  }
}

function demoResponse(call: SendCall): Response {
  const { dialect } = call;
  if (!speaksToClients(dialect))
    throw new Problem("M500", "The demo speaks the clients' dialects only.");
  return answerDemo({ dialect, body: call.body, model: call.target.model, signal: call.signal });
}

function speaksToClients(dialect: ProviderFormat): dialect is ClientFormat {
  return "readRequest" in dialect;
}

async function discard(response: Response): Promise<void> {
  // The body's end does not matter any more, nor how its connection takes it.
  await response.body?.cancel().catch(() => undefined);
}
