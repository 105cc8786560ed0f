/** `docs/api.md`: the public endpoints by hand, the admin API from the definitions of its routes. */
import { readFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { adminRoutes } from "../../src/admin/routes/index.ts";
import type { AnyAdminRoute, RouteAccess } from "../../src/admin/shared/define-route.ts";
import { asObject, type JsonObject, parseJson } from "../../src/lib/json.ts";
import { root } from "../host/paths.ts";
import { cell, typeText } from "./schema-text.ts";

const who: Readonly<Record<RouteAccess, string>> = {
  open: "anyone",
  "read-own": "viewers and owners; members for their own",
  "write-own": "owners; members for their own",
  read: "viewers and owners",
  write: "owners",
  identified: "anyone who is signed in",
  operator: "operators and root",
  billing: "operators, root and the billing system",
  root: "root",
};

/** The page as Markdown. */
export function apiPage(): string {
  const routes: readonly AnyAdminRoute[] = adminRoutes;
  const groups = [...new Set(routes.map(groupOf))];
  const sections = groups.map((name) =>
    sectionText(
      name,
      routes.filter((route) => groupOf(route) === name),
    ),
  );
  return [handWritten(), ...sections].join("\n");
}

/** What comes before the routes. */
function handWritten(): string {
  return readFileSync(path.join(root, "scripts/docs/api-head.md"), "utf8");
}

/** Routes belong together by their first word: `/api/harnesses/{id}/keys` to `harnesses`. */
function groupOf({ path: where }: AnyAdminRoute): string {
  const [, , word = ""] = where.split("/");
  return word;
}

function sectionText(name: string, routes: readonly AnyAdminRoute[]): string {
  const title = name === "" ? "/healthz" : `/api/${name}`;
  return `## ${title}\n\n${routes.map(routeText).join("\n")}`;
}

function routeText(route: AnyAdminRoute): string {
  const { name, summary, access } = route;
  const parts = [
    `### ${name}`,
    `${summary}.`,
    `Access: ${who[access]}. Returns ${answerText(route)}.`,
    ...membersText("Query", route.query),
    ...(route.upload === undefined ? [] : [`Body: a file (\`${route.upload}\`).`]),
    ...membersText(route.body?.optional === true ? "Body (optional)" : "Body", route.body?.schema),
    ...("answer" in route ? membersText("Response", route.answer) : []),
  ];
  return `${parts.join("\n\n")}\n`;
}

function answerText(route: AnyAdminRoute): string {
  if (route.status === 204) return "204 without a body";
  if ("lines" in route) return "200 with JSON Lines";
  if ("file" in route) return `200 with a file (\`${route.file}\`)`;
  const files =
    route.exports === true ? "; with `Accept`, a file: `text/csv` or `application/x-ndjson`" : "";
  return `${route.status}${files}`;
}

/** The members of an object, or what else it is; nothing where there is none. */
function membersText(title: string, schema: z.ZodType | undefined): string[] {
  if (schema === undefined) return [];
  const io = title === "Response" ? "output" : "input";
  const written = jsonSchemaOf(schema, io);
  const members = Object.entries(asObject(written["properties"]) ?? {});
  if (members.length === 0) return [`${title}: ${typeText(written)}.`];
  const needed = new Set(Array.isArray(written["required"]) ? written["required"] : []);
  const rows = members.map(([name, found]) => {
    const member = asObject(found) ?? {};
    const optional = io === "input" && needed.has(name) ? " (required)" : "";
    const text = typeof member["description"] === "string" ? member["description"] : "";
    return [`\`${name}\`${optional}`, cell(typeText(member)), cell(text)];
  });
  return [tableText([title, "value", "what"], rows)];
}

/** A table, without its last column where no row has anything in it. */
function tableText(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const width = rows.some((row) => row.at(-1) !== "") ? head.length : head.length - 1;
  const lines = [head, head.map(() => "---"), ...rows].map((row) => row.slice(0, width));
  return lines.map((row) => `| ${row.join(" | ")} |`).join("\n");
}

function jsonSchemaOf(schema: z.ZodType, io: "input" | "output"): JsonObject {
  const written = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return asObject(parseJson(JSON.stringify(written))) ?? {};
}
