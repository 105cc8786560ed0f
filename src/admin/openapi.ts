/** The OpenAPI document, made from the schemas that validate. */
import { z } from "zod";
import { asObject, type JsonObject, parseJson } from "../lib/json.ts";
import { configSchema } from "../store/config.ts";
import * as schemas from "./schemas.ts";
import { version } from "./version.ts";

interface Operation {
  method: "get" | "put" | "post" | "patch" | "delete";
  /** With `{names}` as OpenAPI writes them. */
  path: string;
  summary: string;
  query?: z.ZodObject;
  body?: z.ZodType;
  bodyOptional?: true;
  status: number;
  answer?: z.ZodType;
  /** Needs no token. */
  open?: true;
}

/** Every route of the admin API. */
export const operations: readonly Operation[] = [
  {
    method: "get",
    path: "/healthz",
    summary: "Whether the service runs",
    status: 200,
    answer: schemas.healthAnswerSchema,
    open: true,
  },
  {
    method: "get",
    path: "/api/config",
    summary: "The workspace's document, secrets masked",
    status: 200,
    answer: configSchema,
  },
  {
    method: "put",
    path: "/api/config",
    summary: "Replace the document",
    body: configSchema,
    status: 200,
    answer: configSchema,
  },
  {
    method: "post",
    path: "/api/harnesses/{id}/keys",
    summary: "Make a key; it is shown this once",
    body: schemas.newKeySchema,
    bodyOptional: true,
    status: 201,
    answer: schemas.newKeyAnswerSchema,
  },
  {
    method: "get",
    path: "/api/harnesses/{id}/keys",
    summary: "A harness's keys",
    status: 200,
    answer: schemas.keysAnswerSchema,
  },
  {
    method: "delete",
    path: "/api/harnesses/{id}/keys/{keyId}",
    summary: "Revoke a key",
    status: 204,
  },
  {
    method: "post",
    path: "/api/route",
    summary: "The routing decision for a request, nothing forwarded",
    body: schemas.routeSchema,
    status: 200,
    answer: schemas.routeAnswerSchema,
  },
  {
    method: "get",
    path: "/api/usage",
    summary: "Sums by hour or day",
    query: schemas.usageQuerySchema,
    status: 200,
    answer: schemas.usageAnswerSchema,
  },
  {
    method: "get",
    path: "/api/requests",
    summary: "The request log, newest first",
    query: schemas.requestsQuerySchema,
    status: 200,
    answer: schemas.requestsAnswerSchema,
  },
  {
    method: "get",
    path: "/api/requests/{id}",
    summary: "One request",
    status: 200,
    answer: schemas.requestAnswerSchema,
  },
  {
    method: "get",
    path: "/api/limits",
    summary: "Limits with what is used of them",
    status: 200,
    answer: schemas.limitsAnswerSchema,
  },
  {
    method: "get",
    path: "/api/blocks",
    summary: "Limits that blocked or were crossed, newest first",
    status: 200,
    answer: schemas.blocksAnswerSchema,
  },
  {
    method: "get",
    path: "/api/status",
    summary: "What is under way",
    status: 200,
    answer: schemas.statusAnswerSchema,
  },
  {
    method: "post",
    path: "/api/providers/{id}/test",
    summary: "Ask a provider for its models",
    status: 200,
    answer: schemas.providerTestAnswerSchema,
  },
  {
    method: "get",
    path: "/api/summary",
    summary: "A span of time in a few numbers; the last day unless `from` says otherwise",
    query: schemas.summaryQuerySchema,
    status: 200,
    answer: schemas.summaryAnswerSchema,
  },
  {
    method: "get",
    path: "/api/models",
    summary: "Models that keys can route to",
    status: 200,
    answer: schemas.modelsAnswerSchema,
  },
  {
    method: "get",
    path: "/api/harnesses/{id}/tiers",
    summary: "The models that serve each tier now, and why",
    status: 200,
    answer: schemas.tiersAnswerSchema,
  },
  {
    method: "get",
    path: "/api/harnesses/{id}/learning",
    summary: "How requests ended, by tier; the offset follows from it while the harness learns",
    status: 200,
    answer: schemas.learningAnswerSchema,
  },
  {
    method: "delete",
    path: "/api/harnesses/{id}/learning",
    summary: "Forget how requests ended: all counts begin anew",
    status: 204,
  },
  {
    method: "get",
    path: "/api/local",
    summary: "Model servers found on this machine (self-hosted)",
    status: 200,
    answer: schemas.localAnswerSchema,
  },
  {
    method: "post",
    path: "/api/admin-token",
    summary:
      "Replace the administrator's token; the new one is shown this once. The deployment's belongs into the setting ADMIN_TOKEN too: npm start signs in with what stands there",
    status: 201,
    answer: schemas.adminTokenAnswerSchema,
  },
  {
    method: "delete",
    path: "/api/sessions",
    summary: "Sign out everywhere from the dashboard",
    status: 204,
  },
  {
    method: "post",
    path: "/api/workspaces",
    summary: "Make a workspace",
    body: schemas.newWorkspaceSchema,
    status: 201,
    answer: schemas.newWorkspaceAnswerSchema,
  },
  {
    method: "get",
    path: "/api/workspaces",
    summary: "All workspaces",
    status: 200,
    answer: schemas.workspacesAnswerSchema,
  },
  {
    method: "patch",
    path: "/api/workspaces/{id}",
    summary: "Change a workspace",
    body: schemas.workspaceChangeSchema,
    status: 200,
    answer: schemas.workspaceAnswerSchema,
  },
];

let made: JsonObject | undefined;

/** OpenAPI 3.1, whose schemas are JSON Schema 2020-12 as zod writes it. Made once an isolate. */
export function openApi(): JsonObject {
  made ??= {
    openapi: "3.1.0",
    info: { title: "Routing gateway: admin API", version },
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      schemas: shared,
    },
    security: [{ token: [] }],
    paths: pathsOf(operations),
  };
  return made;
}

function pathsOf(all: readonly Operation[]): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const operation of all) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: described(operation) };
  }
  return paths;
}

function described(operation: Operation): JsonObject {
  const { summary, body, answer, status } = operation;
  const success =
    answer === undefined
      ? { description: "Done" }
      : { description: "Success", ...content(answer, "output") };
  const failure = {
    description: "Refused, with the reason",
    ...content(schemas.errorSchema, "output"),
  };
  return {
    summary,
    ...(operation.open === true ? { security: [] } : {}),
    parameters: [
      ...pathParameters(operation.path),
      ...workspaceHeader(operation),
      ...queryParameters(operation.query),
    ],
    ...(body === undefined
      ? {}
      : { requestBody: { required: operation.bodyOptional !== true, ...content(body, "input") } }),
    responses: { [String(status)]: success, default: failure },
  };
}

function content(schema: z.ZodType, io: "input" | "output"): JsonObject {
  return { content: { "application/json": { schema: jsonSchema(schema, io) } } };
}

/** Recursive schemas, which stand once in the document; `jsonSchema` fills it. */
const shared: Record<string, JsonObject> = {};

function jsonSchema(schema: z.ZodType, io: "input" | "output"): JsonObject {
  const written = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  // References inside a schema count from the document's root, where OpenAPI keeps such parts elsewhere.
  const text = JSON.stringify(written).replaceAll(`"#/$defs/`, `"#/components/schemas/`);
  const { $schema: _dialect, $defs, ...rest } = asObject(parseJson(text)) ?? {};
  for (const [name, part] of Object.entries(asObject($defs) ?? {})) {
    shared[name] = asObject(part) ?? {};
  }
  return rest;
}

function pathParameters(path: string): JsonObject[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
}

function workspaceHeader(operation: Operation): JsonObject[] {
  if (operation.open === true || operation.path.startsWith("/api/workspaces")) return [];
  const description = "The workspace to act on, for the deployment's administrator; else `default`";
  return [{ name: "X-Gateway-Workspace", in: "header", description, schema: { type: "string" } }];
}

function queryParameters(query: z.ZodObject | undefined): JsonObject[] {
  if (query === undefined) return [];
  const { properties } = jsonSchema(query, "input");
  if (typeof properties !== "object" || properties === null || Array.isArray(properties)) return [];
  return Object.entries(properties).map(([name, schema]) => ({ name, in: "query", schema }));
}
