/**
 * The admin API as tests call it: by the names of its routes, with typed input. Every successful answer is parsed
 * by the route's own schema, and a member that the schema does not name is a failure.
 */
import { expect } from "vitest";
import type * as z from "zod";
import { adminRoutes } from "../../src/admin/routes/index.ts";
import type {
  AnyAdminRoute,
  RouteAnswer,
  RouteParameters,
} from "../../src/admin/shared/define-route.ts";

type Routes = (typeof adminRoutes)[number];
/** `GET /api/config` and all the others. */
export type RouteName = Routes["name"];
type RouteNamed<Name extends RouteName> = Extract<Routes, { name: Name }>;

const routes: readonly AnyAdminRoute[] = adminRoutes;

/** Who asks. */
export interface Caller {
  token: string;
  /** For the deployment's token: the workspace to act on. */
  workspace?: string;
}

type ParamsOf<Name extends RouteName> = keyof RouteParameters<RouteNamed<Name>> extends never
  ? { params?: undefined }
  : { params: RouteParameters<RouteNamed<Name>> };

type BodyOf<Name extends RouteName> =
  RouteNamed<Name> extends { body: { schema: infer Schema extends z.ZodType } }
    ? { body?: z.input<Schema> }
    : RouteNamed<Name> extends { upload: string }
      ? { body?: Uint8Array; headers?: Record<string, string> }
      : { body?: undefined };

/** What a call of that route takes. */
export type AdminCall<Name extends RouteName> = ParamsOf<Name> &
  BodyOf<Name> & { query?: Record<string, string>; headers?: Record<string, string> };

/** Brings a request to the gateway. */
export type Send = (request: Request) => Promise<Response>;

/** An answer, read. */
export interface AdminReply {
  status: number;
  headers: Headers;
  /** The body parsed; an empty object where there is none, or a file. */
  json: Record<string, unknown>;
  /** The body of a file. */
  bytes?: Uint8Array;
}

/** One call by method and path, without a claim about its answer. */
export async function askAdmin(
  send: Send,
  call: string,
  given: Caller & { body?: unknown; headers?: Record<string, string> },
): Promise<AdminReply> {
  const { token, workspace, body, headers } = given;
  const [method = "", path = ""] = call.split(" ");
  const request = new Request(`http://gateway.test${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(workspace !== undefined && { "x-gateway-workspace": workspace }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: sentBody(body) }),
  });
  const response = await send(request);
  if (response.headers.get("content-type") === "application/octet-stream") {
    const bytes = new Uint8Array(await response.arrayBuffer());
    return { status: response.status, headers: response.headers, json: {}, bytes };
  }
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    json: parsed(text, response.headers.get("content-type") ?? ""),
  };
}

function sentBody(body: unknown): string | Uint8Array {
  return typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
}

/** Lines of JSON stand under `lines`. */
function parsed(text: string, type: string): Record<string, unknown> {
  if (text === "") return {};
  if (!type.includes("ndjson")) return JSON.parse(text) as Record<string, unknown>;
  return {
    lines: text
      .trimEnd()
      .split("\n")
      .map((line): unknown => JSON.parse(line)),
  };
}

/** Fails unless the answer to `GET /api/requests?limit=1` has that route's status and nothing but what it documents. */
export function expectDocumented(call: string, { status, json, bytes, headers }: AdminReply): void {
  const route = routeOf(call);
  expect(status, `${call}: ${JSON.stringify(json)}`).toBe(route.status);
  if ("file" in route) {
    expect(headers.get("content-type")).toBe(route.file);
    expect(bytes?.length).toBeGreaterThan(0);
    return;
  }
  // Parsing leaves out what a schema does not name; nothing may be left out.
  if ("lines" in route) {
    const lines = json["lines"] as unknown[];
    expect(lines.map((line) => route.lines.parse(line))).toEqual(lines);
    return;
  }
  expect("answer" in route ? route.answer.parse(json) : {}, call).toEqual(json);
}

function routeOf(call: string): AnyAdminRoute {
  const [method = "", target = ""] = call.split(" ");
  const [path = ""] = target.split("?");
  const found = routes.find((route) => route.method === method && patternOf(route.path).test(path));
  if (found === undefined) throw new Error(`no admin route is called ${call}`);
  return found;
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`);
}

/** A client of the admin API for one caller. */
export type AdminClient = ReturnType<typeof adminClient>;

/** Calls by the names of routes. `called` holds the names of those that were answered as documented. */
export function adminClient(send: Send, caller: Caller) {
  const called = new Set<string>();
  return {
    called,
    async call<Name extends RouteName>(
      name: Name,
      given: AdminCall<Name>,
    ): Promise<RouteAnswer<RouteNamed<Name>>> {
      const { params, query, body, headers } = given;
      const path = name.replace(/\{(\w+)\}/g, (_, parameter: string) =>
        encodeURIComponent(String(Reflect.get(params ?? {}, parameter))),
      );
      const search = query === undefined ? "" : `?${new URLSearchParams(query).toString()}`;
      const reply = await askAdmin(send, path + search, {
        ...caller,
        body,
        ...(headers !== undefined && { headers }),
      });
      expectDocumented(path + search, reply);
      called.add(name);
      const answer = reply.bytes === undefined ? reply.json : new Response(reply.bytes);
      // Parsed above by this route's schema.
      return answer as RouteAnswer<RouteNamed<Name>>;
    },
  };
}
