/**
 * One typed definition of an admin route. The router, validation, the OpenAPI document and the tests' client
 * all derive from it.
 */
import type * as z from "zod";
import type { Right } from "../../store/roles.ts";
import type {
  AdminContext,
  BillingContext,
  IdentifiedContext,
  WorkspaceContext,
} from "./context.ts";

/** HTTP methods of admin routes. */
export type RouteMethod = "GET" | "PUT" | "POST" | "PATCH" | "DELETE";

/**
 * Who may call: anybody; whoever has a right in the workspace; whoever is known at all; those who run the deployment;
 * these and its billing system; only its administrator.
 */
export type RouteAccess = "open" | Right | "identified" | "operator" | "billing" | "root";

/** A JSON body. */
export interface RouteBody {
  readonly schema: z.ZodType;
  /** An empty body counts as `{}`. */
  readonly optional?: true;
  /** The most bytes that are read; 2 MB unless set. */
  readonly longest?: number;
}

interface RouteRequest {
  readonly method: RouteMethod;
  /** Parameters in braces, as OpenAPI writes them: `/api/harnesses/{id}/keys`. */
  readonly path: string;
  /** One line for the OpenAPI document. */
  readonly summary: string;
  readonly access: RouteAccess;
  readonly query?: z.ZodObject;
  readonly body?: RouteBody;
  /** Its answer has an `ETag`; a change with `If-Match` is refused with 412 where that is another one by now. */
  readonly tagged?: true;
  /** Media type of a body that the handler reads by itself, however long. */
  readonly upload?: string;
  /** The answer is signed for the billing system. */
  readonly signed?: true;
}

/** The successful answer: JSON with a schema, values as lines of JSON, or nothing. */
type RouteSuccess =
  | {
      readonly status: 200 | 201;
      readonly answer: z.ZodType;
      /** The handler may answer with a file instead, where the caller accepts one: see `export.ts`. */
      readonly exports?: true;
    }
  | { readonly status: 200; readonly lines: z.ZodType }
  /** Media type of a file, which the handler answers with. */
  | { readonly status: 200; readonly file: string }
  | { readonly status: 204 };

/** Everything about a route but its handler. */
export type RouteDefinition = RouteRequest & RouteSuccess;

type ParameterName<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterName<Rest>
  : never;

/** The path's parameters, by name. */
export type RouteParameters<Route extends RouteDefinition> = Readonly<
  Record<ParameterName<Route["path"]>, string>
>;

/** What a handler gets of the request, validated. */
export interface RouteInput<Route extends RouteDefinition> {
  readonly params: RouteParameters<Route>;
  readonly query: Route extends { readonly query: infer Query extends z.ZodType }
    ? z.output<Query>
    : undefined;
  readonly body: Route extends { readonly body: { readonly schema: infer Body extends z.ZodType } }
    ? z.output<Body>
    : undefined;
}

/** What a handler must return. */
export type RouteAnswer<Route extends RouteDefinition> = Route extends {
  readonly answer: infer Answer extends z.ZodType;
}
  ? z.output<Answer>
  : Route extends { readonly lines: infer Line extends z.ZodType }
    ? AsyncIterable<z.output<Line>>
    : Route extends { readonly file: string }
      ? Response
      : void;

/** What a handler returns: its answer, or a file where the route has exports. */
type RouteResult<Route extends RouteDefinition> = Route extends { readonly exports: true }
  ? RouteAnswer<Route> | Response
  : RouteAnswer<Route>;

type RouteContext<Route extends RouteDefinition> = Route["access"] extends Right
  ? WorkspaceContext
  : Route["access"] extends "open"
    ? AdminContext
    : Route["access"] extends "billing"
      ? BillingContext
      : IdentifiedContext;

/** A definition with its handler. */
export type AdminRoute<Route extends RouteDefinition> = Route & {
  /** `GET /api/config`. */
  readonly name: `${Route["method"]} ${Route["path"]}`;
  handle(input: RouteInput<Route>, context: RouteContext<Route>): Promise<RouteResult<Route>>;
};

/** Any route, for code that treats all of them alike. The router hands each one only what its schemas accepted. */
export type AnyAdminRoute = RouteDefinition & {
  readonly name: string;
  handle(
    input: {
      readonly params: Readonly<Record<string, string>>;
      readonly query: unknown;
      readonly body: unknown;
    },
    context: AdminContext,
  ): Promise<unknown>;
};

/** A route of the admin API: its definition, and the function that answers. */
export function defineRoute<const Route extends RouteDefinition>(
  definition: Route,
  handle: AdminRoute<Route>["handle"],
): AdminRoute<Route> {
  const { method, path }: { method: Route["method"]; path: Route["path"] } = definition;
  return { ...definition, name: `${method} ${path}`, handle };
}
