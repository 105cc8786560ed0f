/** One HTTP call of a provider. Whatever goes wrong before a usable answer's headers are here is a value. */
import { withoutEnd } from "../lib/trim-end.ts";
import type { PassedOn, ProviderFormat, ReadContext } from "../core/format.ts";
import type { Target } from "../core/model.ts";
import { Problem, problemCodes } from "../core/problem.ts";
import { editedPieces } from "../lib/json-edit.ts";
import { jsonStream } from "../lib/json-stream.ts";
import { textStream } from "../lib/text-stream.ts";
import type { Failure } from "../core/failure.ts";
import type { JsonObject } from "../lib/json.ts";
import { checkBaseUrl } from "../providers/connection/address.ts";
import type { Connection } from "../providers/connection/connection.ts";
import {
  addEntryHeaders,
  fixedHeaders,
  rootOf,
  secretsOf,
  type Credentials,
} from "../providers/connection/credentials.ts";
import { connectionFailure } from "../providers/connection/failures.ts";
import { readTextWithin } from "../providers/connection/read-text.ts";
import type { Reach } from "../store/env.ts";
import { failed, statusFailure, typeFailure } from "./failures.ts";
import { shownHeaders } from "./prepare.ts";
import type { Opened } from "./start.ts";
import type { SentText } from "./client-request.ts";
import type { Prepared } from "./upstream.ts";

export interface SendCall {
  readonly prepared: Pick<Prepared, "model" | "target" | "format" | "relay"> & {
    readonly body: JsonObject;
    readonly context?: ReadContext;
  };
  readonly credentials: Credentials;
  /** Where providers must be public, private addresses are refused here again. */
  readonly reach: Reach;
  /** The client's headers and query string (`?beta=true`): a relay hands on what its format lists. */
  readonly headers: Headers;
  readonly query: string;
  /** Ends the call, its answer's body included; with the reason `TimedOut` when its time is over. */
  readonly signal: AbortSignal;
  /** Characters of the client's body. */
  readonly size: number;
  /** The client's body with its text: the body of a relay is that one but for few members. */
  readonly sent?: SentText | undefined;
  /** The request's trace, as the provider is told of it. */
  readonly trace?: Readonly<Record<string, string>> | undefined;
  /** Asks for the number of tokens instead of an answer. */
  readonly counts?: boolean;
}

/** Longest text of an error that is read, in bytes, and the longest time it may take, in milliseconds. */
const errorCap = 64 * 1024;
const errorTime = 5000;

/** The provider's answer once its headers show that it can be one, or why there is none. */
export async function send(call: SendCall): Promise<Opened> {
  const route = routeOf(call);
  const url = targetUrl(call, route);
  const headers = requestHeaders(call, route);
  const { signal } = call;
  let response: Response;
  try {
    const init = {
      method: "POST",
      headers,
      body: await bodyOf(call),
      redirect: "manual",
      signal,
    } as const;
    response = await fetch(url, init);
  } catch (error) {
    return { ok: false, failure: connectionFailure(error, signal) };
  }
  if (isSuccess(response) && typeFailure(response) === undefined) return { ok: true, response };
  const { format, context } = call.prepared;
  const secrets = secretsOf(call.credentials);
  const shown = shownHeaders(call.prepared);
  return await usable(response, { format, context, secrets, shown, typeFailure });
}

function isSuccess({ status }: Response): boolean {
  return status >= 200 && status < 300;
}

/** How an answer is judged before it is read. */
interface Judging {
  readonly format: ProviderFormat;
  /** To read what an error says of usage; undefined: nothing is asked for that reports some. */
  readonly context: ReadContext | undefined;
  readonly secrets: readonly string[];
  /** Beginnings of the names of headers that the client may see. */
  readonly shown?: readonly string[];
  /** Why a 2xx answer can't be one. */
  typeFailure(response: Response): Failure | undefined;
}

/** The response where its status and type show that it can be an answer, or why it is none. */
export async function usable(
  response: Response,
  { format, context, secrets, shown = [], typeFailure: unusableFor }: Judging,
): Promise<Opened> {
  if (isSuccess(response)) {
    const unusable = unusableFor(response);
    if (unusable === undefined) return { ok: true, response };
    await discard(response);
    return { ok: false, failure: unusable };
  }
  if (response.status < 400) {
    await discard(response);
    const message = "The provider answered with a redirect, which is never followed.";
    return { ok: false, failure: failed("redirect", message) };
  }
  const text = await readTextWithin(response, { cap: errorCap, time: errorTime });
  return { ok: false, failure: statusFailure({ response, text, format, context, secrets, shown }) };
}

/** From so many characters on memory counts for more than the time that writing takes. */
const largeBody = 4 * 1024 * 1024;

/** A large body goes as a stream, whose text or bytes are never copied as a whole. */
function bodyOf(call: SendCall): string | Promise<ReadableStream> {
  const { prepared, size } = call;
  const pieces = relayedPieces(call);
  if (pieces !== undefined) return size < largeBody ? pieces.join("") : textStream(pieces);
  return size < largeBody ? JSON.stringify(prepared.body) : jsonStream(prepared.body);
}

/** The client's own text with the few members that a relay changes. */
function relayedPieces({ prepared, sent, size }: SendCall): readonly string[] | undefined {
  if (sent?.text === undefined) return undefined;
  if (prepared.relay) return editedPieces(sent.text, sent.value, prepared.body);
  // A translated body needs no text beside it, and a large one has no room for it.
  if (size >= largeBody) sent.text = undefined;
  return undefined;
}

/** What every call of one target repeats, worked out once: addresses and headers do not change under it. */
interface Route {
  /** By the kind of call, once the address was checked. */
  readonly addresses: { answer?: string; count?: string };
  /** The headers with the credentials that they were made with. */
  fixed?: FixedHeaders;
}

interface FixedHeaders {
  readonly credentials: Credentials;
  readonly headers: Headers;
}

/** Targets are made once a model, format and form of the answer. */
const routes: Readonly<Record<Reach, WeakMap<Connection, WeakMap<Target, Route>>>> = {
  everywhere: new WeakMap(),
  public: new WeakMap(),
};

function routeOf({ prepared: { model, target }, reach }: SendCall): Route {
  let known = routes[reach].get(model.connection);
  if (known === undefined) routes[reach].set(model.connection, (known = new WeakMap()));
  let route = known.get(target);
  if (route === undefined) known.set(target, (route = { addresses: {} }));
  return route;
}

/** Root, path and query of one call. A target's address is checked before its first call. */
function targetUrl(call: SendCall, { addresses }: Route): string {
  const { prepared, query } = call;
  const { format, relay } = prepared;
  const address =
    call.counts === true
      ? (addresses.count ??= addressOf(call))
      : (addresses.answer ??= addressOf(call));
  const passes = query !== "" && relay && format.endpoint.passes?.query === true;
  return passes ? withQuery(address, query) : address;
}

/** Throws M303 and M300 for an address that may not be called. */
function addressOf({ prepared, reach, counts }: SendCall): string {
  const { model, target, format } = prepared;
  const url = checkBaseUrl(rootOf(model.connection, target.format), reach);
  const kind = counts === true ? "count" : target.stream ? "stream" : "whole";
  const [path = "", query] = format.endpoint.path(target.model, kind).split("?", 2);
  url.pathname = withoutEnd(url.pathname, "/") + path;
  return withQuery(url.href, query ?? "");
}

function withQuery(address: string, query: string): string {
  const url = new URL(address);
  for (const [name, value] of new URLSearchParams(query)) url.searchParams.set(name, value);
  return url.href;
}

/** The headers of one call, built from nothing: of the client's own only those that the format hands on. */
function requestHeaders(call: SendCall, route: Route): Headers {
  const { prepared, credentials, trace } = call;
  const { model, target, format, relay } = prepared;
  if (route.fixed?.credentials !== credentials)
    route.fixed = { credentials, headers: connectionHeaders(call) };
  // A header of the entry's own by that name stands.
  const fixed = trace === undefined ? route.fixed.headers : withTrace(route.fixed.headers, trace);
  const { passes } = format.endpoint;
  if (!relay || passes === undefined) return fixed;
  const own = new Headers(fixed);
  passClientHeaders(own, call.headers, { passes, target });
  // What the entry says stands over what a client says.
  addEntryHeaders(own, model.connection, credentials.secretHeaders);
  return own;
}

function withTrace(fixed: Headers, trace: Readonly<Record<string, string>>): Headers {
  const headers = new Headers(trace);
  fixed.forEach((value, name) => headers.set(name, value));
  return headers;
}

function connectionHeaders({ prepared, credentials }: SendCall): Headers {
  const { model, target } = prepared;
  const { connection } = model;
  try {
    const headers = new Headers(fixedHeaders(connection, target.format, credentials.secret));
    headers.set("content-type", "application/json");
    headers.set(
      "accept",
      target.stream ? "text/event-stream, application/json" : "application/json",
    );
    headers.set("user-agent", "routing-gateway");
    addEntryHeaders(headers, connection, credentials.secretHeaders);
    return headers;
  } catch (error) {
    // The runtime's own message would repeat the value.
    if (error instanceof TypeError)
      throw new Problem(
        problemCodes.providerCredential,
        `The credential of ${connection.id} can't be sent in a header.`,
      );
    throw error;
  }
}

function passClientHeaders(
  headers: Headers,
  client: Headers,
  { passes, target }: { passes: PassedOn; target: Target },
): void {
  for (const [name, value] of client) {
    if (value === "" || !(passes.headers.includes(name) || passes.passesToo(name))) continue;
    if (name !== passes.joined) headers.set(name, value);
    else joinHeader(headers, { name, value, passes: (part) => passes.passesValue(part, target) });
  }
}

interface JoinedHeader {
  readonly name: string;
  /** The client's values, by commas. */
  readonly value: string;
  passes(part: string): boolean;
}

/** The client's values as it wrote them, and behind them the connection's own. */
function joinHeader(headers: Headers, { name, value, passes }: JoinedHeader): void {
  const parts = value.split(",");
  const passed = parts.filter((part) => passes(part.trim()));
  const own = headers.get(name);
  const isNew = own !== null && !passed.some((part) => part.trim() === own);
  const text = passed.length === parts.length ? value : passed.join(",").trim();
  const joined = [...(text === "" ? [] : [text]), ...(isNew ? [own] : [])];
  if (joined.length > 0) headers.set(name, joined.join(","));
}

async function discard(response: Response): Promise<void> {
  // The body's end does not matter any more, nor how its connection takes it.
  await response.body?.cancel().catch(() => undefined);
}
