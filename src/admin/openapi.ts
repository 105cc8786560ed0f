/** The OpenAPI document, made from the routes and the schemas that validate. */
import * as z from "zod";
import { asObject, type JsonObject, parseJson } from "../lib/json.ts";
import { adminRoutes } from "./routes/index.ts";
import type { AnyAdminRoute } from "./shared/define-route.ts";
import { errorSchema } from "./shared/errors.ts";
import { linesType } from "./shared/export/lines.ts";
import { version } from "./shared/health/version.ts";

let made: JsonObject | undefined;

/** OpenAPI 3.1, whose schemas are JSON Schema 2020-12 as zod writes it. Made once an isolate. */
export function openApi(): JsonObject {
  made ??= describeAll(adminRoutes);
  return made;
}

/** Recursive schemas, which stand once in the document, by name. */
type SharedSchemas = Record<string, JsonObject>;

function describeAll(routes: readonly AnyAdminRoute[]): JsonObject {
  const schemas: SharedSchemas = {};
  const paths: Record<string, JsonObject> = {};
  for (const route of routes) {
    const operation = describe(route, schemas);
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Routing gateway: admin API", version },
    components: { securitySchemes: { token: { type: "http", scheme: "bearer" } }, schemas },
    security: [{ token: [] }],
    paths,
  };
}

function describe(route: AnyAdminRoute, schemas: SharedSchemas): JsonObject {
  return {
    summary: route.summary,
    ...(route.access === "open" && { security: [] }),
    parameters: [
      ...pathParameters(route.path),
      ...workspaceHeader(route),
      ...matchHeader(route),
      ...queryParameters(route, schemas),
    ],
    ...requestBody(route, schemas),
    responses: {
      [String(route.status)]: success(route, schemas),
      default: {
        description: "Refused, with the reason",
        ...jsonContent(errorSchema, "output", schemas),
      },
    },
  };
}

function requestBody({ body, upload }: AnyAdminRoute, schemas: SharedSchemas): JsonObject {
  if (upload !== undefined) return { requestBody: { required: true, ...fileContent(upload) } };
  if (body === undefined) return {};
  const required = body.optional !== true;
  return { requestBody: { required, ...jsonContent(body.schema, "input", schemas) } };
}

function success(route: AnyAdminRoute, schemas: SharedSchemas): JsonObject {
  if (route.status === 204) return { description: "Done" };
  if ("lines" in route) {
    const schema = jsonSchema(route.lines, "output", schemas);
    return { description: "Success, one value per line", content: { [linesType]: { schema } } };
  }
  if ("file" in route) return { description: "Success", ...fileContent(route.file) };
  const { content } = jsonContent(route.answer, "output", schemas);
  const exports = route.exports === true ? exportContent : {};
  return { description: "Success", ...tagHeader(route), content: { ...content, ...exports } };
}

function tagHeader({ tagged }: AnyAdminRoute): JsonObject {
  if (tagged !== true) return {};
  const ETag = { description: "Of the current document, for If-Match", schema: { type: "string" } };
  return { headers: { ETag } };
}

function fileContent(type: string): { content: JsonObject } {
  return { content: { [type]: { schema: { type: "string", format: "binary" } } } };
}

/** Every row that matches, by the `Accept` header. */
const exportContent: JsonObject = {
  "text/csv": { schema: { type: "string" } },
  "application/x-ndjson": { schema: { type: "string" } },
};

function jsonContent(
  schema: z.ZodType,
  direction: "input" | "output",
  schemas: SharedSchemas,
): { content: JsonObject } {
  return { content: { "application/json": { schema: jsonSchema(schema, direction, schemas) } } };
}

/** The schema as JSON Schema; its recursive parts go to `schemas`. */
function jsonSchema(schema: z.ZodType, io: "input" | "output", schemas: SharedSchemas): JsonObject {
  const written = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  // References inside a schema count from the document's root, where OpenAPI keeps such parts elsewhere.
  const text = JSON.stringify(written).replaceAll(`"#/$defs/`, `"#/components/schemas/`);
  const { $schema: _version, $defs, ...rest } = asObject(parseJson(text)) ?? {};
  for (const [name, part] of Object.entries(asObject($defs) ?? {})) {
    schemas[name] = asObject(part) ?? {};
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

function workspaceHeader({ access }: AnyAdminRoute): JsonObject[] {
  const isWorkspaces = ["read", "read-own", "write-own", "write"].includes(access);
  if (!isWorkspaces) return [];
  const description =
    "The workspace to act on. Default: `default` for the deployment's administrator, a person's first workspace otherwise";
  return [{ name: "X-Gateway-Workspace", in: "header", description, schema: { type: "string" } }];
}

function matchHeader({ tagged, method }: AnyAdminRoute): JsonObject[] {
  if (tagged !== true || method === "GET") return [];
  const description =
    "The ETag that the change is based on; if it is no longer current, nothing changes and the response is 412";
  return [{ name: "If-Match", in: "header", description, schema: { type: "string" } }];
}

function queryParameters({ query }: AnyAdminRoute, schemas: SharedSchemas): JsonObject[] {
  if (query === undefined) return [];
  const { properties } = jsonSchema(query, "input", schemas);
  return Object.entries(asObject(properties) ?? {}).map(([name, schema]) => ({
    name,
    in: "query",
    schema,
  }));
}
