/** The fields of a JSON body, by path. */

export interface FieldShape {
  /** `string`, `number`, `boolean`, `null`, `object`, `array`, `schema`. */
  types: string[];
  /** Of fields that name kinds; of a schema its keywords. */
  values?: string[];
}

/** Fields whose values are words of the protocol. */
const told = new Set([
  "type", "role", "stream", "effort", "summary", "display", "keep", "mode", "include", "include_usage",
  "tool_choice", "parallel_tool_calls", "store", "verbosity", "context", "thinkingLevel", "includeThoughts",
  "service_tier", "phase", "execution", "syntax", "strict", "defer_loading", "eager_input_streaming", "ttl",
]); // prettier-ignore

/** Fields that hold a JSON Schema: its keywords matter, its members are the tool's. */
const schemas = new Set([
  "parameters", "input_schema", "parametersJsonSchema", "schema", "responseSchema", "responseJsonSchema",
]); // prettier-ignore

/** Fields that hold what a tool takes or gives. */
const opaque = new Set(["input", "args", "response"]);
const word = /^[\w.:/-]{1,64}$/;

/** Adds the fields of this body to those that are known. What is no JSON adds nothing. */
export function bodyShape(
  text: string,
  before: Readonly<Record<string, FieldShape>>,
): Record<string, FieldShape> {
  const fields = new Map(Object.entries(before));
  if (text !== "") walk(parsed(text), "", fields);
  return Object.fromEntries(fields);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function walk(value: unknown, path: string, fields: Map<string, FieldShape>): void {
  const name = lastName(path);
  if (schemas.has(name) && isRecord(value)) return note(fields, path, ["schema", keywords(value)]);
  if (path !== "") note(fields, path, [typeOf(value), told.has(name) ? words(value) : []]);
  if (Array.isArray(value)) for (const item of value) walk(item, `${path}[]`, fields);
  else if (isRecord(value) && !opaque.has(name))
    for (const [member, inner] of Object.entries(value))
      walk(inner, path === "" ? member : `${path}.${member}`, fields);
}

function note(
  fields: Map<string, FieldShape>,
  path: string,
  [type, values]: [string, string[]],
): void {
  const before = fields.get(path);
  const types = unique([...(before?.types ?? []), type]);
  const all = unique([...(before?.values ?? []), ...values]);
  fields.set(path, all.length === 0 ? { types } : { types, values: all });
}

/** The keywords that a schema and those inside it use. */
function keywords(schema: unknown): string[] {
  if (Array.isArray(schema)) return unique(schema.flatMap(keywords));
  if (!isRecord(schema)) return [];
  const inside = Object.entries(schema).flatMap(([keyword, value]) => {
    const named = keyword === "properties" || keyword === "$defs" || keyword === "definitions";
    if (named) return isRecord(value) ? Object.values(value).flatMap(keywords) : [];
    return keyword === "enum" || keyword === "default" || keyword === "examples"
      ? []
      : keywords(value);
  });
  return unique([...Object.keys(schema), ...inside]);
}

function words(value: unknown): string[] {
  if (typeof value === "boolean") return [String(value)];
  return typeof value === "string" && word.test(value) ? [value] : [];
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1).replaceAll("[]", "");
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function unique(values: string[]): string[] {
  return [...new Set(values)].toSorted();
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
