/** `docs/configuration.md`, from the schema that validates the document. */
import * as z from "zod";
import { asObject, type JsonObject, type JsonValue, parseJson } from "../../src/lib/json.ts";
import {
  capabilitiesSchema,
  configSchema,
  costSchema,
  harnessSchema,
  headerRuleSchema,
  limitSchema,
  modelEntrySchema,
  providerSchema,
  redactSchema,
  retentionSchema,
  roleRoutingSchema,
  routingSchema,
  signInSchema,
  tiersSchema,
  timeoutsSchema,
  webSearchSchema,
} from "../../src/store/config.ts";
import { anchorOf } from "../host/build/docs/anchors.ts";
import { cell, typeText } from "./schema-text.ts";

interface Section {
  readonly title: string;
  readonly schema: z.ZodObject;
  /** What to read beside it. */
  readonly more?: string;
}

const sections: readonly Section[] = [
  { title: "The document", schema: configSchema },
  {
    title: "A provider",
    schema: providerSchema,
    more: "Guides: [providers](providers.md).",
  },
  { title: "A model", schema: modelEntrySchema },
  { title: "Capabilities", schema: capabilitiesSchema },
  { title: "Prices", schema: costSchema },
  {
    title: "Timeouts",
    schema: timeoutsSchema,
    more: "All in seconds. What each one limits: [timeouts](limits.md#timeouts).",
  },
  {
    title: "A harness",
    schema: harnessSchema,
    more: "How limits are counted: [limits](limits.md). The model that judges tool calls: [auto mode](clients/claude-code.md#auto-mode).",
  },
  { title: "Routing", schema: routingSchema, more: "How `auto` decides: [routing](routing.md)." },
  { title: "Tiers", schema: tiersSchema },
  {
    title: "A role",
    schema: roleRoutingSchema,
    more: "The names of roles: [roles](routing.md#roles).",
  },
  { title: "A header rule", schema: headerRuleSchema },
  { title: "A limit", schema: limitSchema, more: "How they are counted: [limits](limits.md)." },
  {
    title: "Redaction",
    schema: redactSchema,
    more: "What the rules find: [redaction](observability.md#what-is-kept-and-redacted).",
  },
  { title: "Web search", schema: webSearchSchema, more: "See [web search](web-search.md)." },
  { title: "Retention", schema: retentionSchema },
  {
    title: "Sign-in of coding tools",
    schema: signInSchema,
    more: "See [company sign-in from Claude Code](claude-code-sign-in.md).",
  },
];

const head = `# Configuration

A workspace's configuration is one JSON document. Change it on the pages of the dashboard, or with \`GET\` and
\`PUT /api/config\`. Unknown members are refused, and an invalid document changes nothing. Settings of the whole deployment (port,
tokens, sign-in) are in [settings](settings.md).

\`\`\`json
{
  "providers": [{ "id": "lab", "kind": "openai", "api_key": "YOUR_PROVIDER_KEY" }],
  "harnesses": [{
    "id": "code", "name": "Code",
    "aliases": { "claude-*": "auto" },
    "routing": { "quality": "balanced", "tiers": { "complex": ["lab/gpt-5.2"] } },
    "limits": [{ "metric": "cost", "period": "day", "max": 5, "action": "block" }],
    "queue": 30
  }]
}
\`\`\`

To read it, edit it and send it back:

<!-- run -->
\`\`\`sh
curl http://127.0.0.1:2099/api/config -H "Authorization: Bearer $ADMIN_TOKEN" > config.json
curl -X PUT http://127.0.0.1:2099/api/config -H "Authorization: Bearer $ADMIN_TOKEN" \\
  -H "Content-Type: application/json" -d @config.json
\`\`\`

A PUT replaces the whole document: what you leave out is removed. \`PUT /api/config?dry_run=true\` shows what would change.
Secrets are shown as \`***\`; sending \`***\` back keeps the stored secret. Every change creates a version. The last 50 versions are
kept with their secrets; restore one on the dashboard (Settings, History) or with \`POST /api/history/{n}/restore\`. The document
can have up to 1.9 MB.

This page is generated from the schema by \`npm run docs\`.
`;

/** The page as Markdown. */
export function configurationPage(): string {
  return [head, ...sections.map(sectionText)].join("\n");
}

function sectionText({ title, schema, more }: Section): string {
  const { properties, required } = jsonSchemaOf(schema);
  const needed = new Set(Array.isArray(required) ? required : []);
  const rows = Object.entries(asObject(properties) ?? {}).map(([name, found]) => {
    const described = asObject(found) ?? {};
    return row({
      name,
      described,
      required: needed.has(name),
      section: sectionOf(schema.shape[name]),
    });
  });
  const lines = ["| member | value | what |", "| --- | --- | --- |", ...rows];
  const beside = more === undefined ? "" : `${more}\n\n`;
  return `## ${title}\n\n${beside}${lines.join("\n")}\n`;
}

interface Row {
  readonly name: string;
  readonly described: JsonObject;
  readonly required: boolean;
  /** The section that explains its value. */
  readonly section: Section | undefined;
}

function row({ name, described, required, section }: Row): string {
  const what = [
    `${String(described["description"] ?? "")}.`,
    ...(required ? ["Required."] : []),
    ...(described["default"] === undefined ? [] : [`Default: ${code(described["default"])}.`]),
    ...exampleOf(described),
  ];
  const value = section === undefined ? typeText(described) : linkedType(described, section);
  return `| \`${name}\` | ${cell(value)} | ${cell(what.join(" "))} |`;
}

function linkedType({ type, maxItems }: JsonObject, { title }: Section): string {
  const link = `[${title.toLowerCase()}](#${anchorOf(title)})`;
  if (type !== "array") return link;
  return `list (up to ${Number(maxItems).toLocaleString("en-US")}, each ${link})`;
}

function exampleOf({ examples }: JsonObject): string[] {
  return Array.isArray(examples) ? examples.map((each) => `Example: ${code(each)}.`) : [];
}

function code(value: JsonValue): string {
  return `\`${JSON.stringify(value)}\``;
}

/** The section of the member's schema, below what makes it optional, a list or named values. */
function sectionOf(schema: unknown): Section | undefined {
  const own = sections.find((section) => section.schema === schema);
  if (own !== undefined) return own;
  if (schema instanceof z.ZodOptional) return sectionOf(schema.unwrap());
  if (schema instanceof z.ZodArray) return sectionOf(schema.element);
  return undefined;
}

function jsonSchemaOf(schema: z.ZodObject): JsonObject {
  const written = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return asObject(parseJson(JSON.stringify(written))) ?? {};
}
