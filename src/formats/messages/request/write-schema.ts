/** JSON schemas in the form that Messages takes. */
import { isObject, type JsonObject, type JsonValue } from "../../../lib/json.ts";

/** The input schema of a tool: an object at the root, without alternatives there. */
export function toolSchema(schema: JsonObject | undefined): JsonObject {
  if (!schema) return { type: "object", properties: {} };
  const root = resolved(schema);
  const alternatives = ["anyOf", "oneOf", "allOf"].filter((key) => Array.isArray(root[key]));
  const flat = alternatives.reduce(merged, root);
  return {
    ...flat,
    type: "object",
    properties: isObject(flat["properties"]) ? flat["properties"] : {},
  };
}

/** A reference at the root stands for what it points at inside the same schema. */
function resolved(schema: JsonObject): JsonObject {
  const found = referenced(schema);
  if (!found) return schema;
  const { $ref: _, ...rest } = schema;
  return { ...found, ...rest };
}

/** What the schema's own reference points at inside it. */
function referenced(schema: JsonObject): JsonObject | undefined {
  const reference = schema["$ref"];
  if (typeof reference !== "string" || !reference.startsWith("#/")) return undefined;
  let at: JsonValue | undefined = schema;
  for (const step of reference.slice(2).split("/")) at = isObject(at) ? at[step] : undefined;
  return isObject(at) && at !== schema ? at : undefined;
}

/**
 * Alternatives at the root as one object: the members of all of them. All of `allOf` are required; of the others
 * only what every alternative requires. The arguments keep their shape, so that nothing has to be undone in calls.
 */
function merged(root: JsonObject, key: string): JsonObject {
  const { [key]: list, ...rest } = root;
  const parts = (Array.isArray(list) ? list : []).filter(isObject);
  const known = definitions(root);
  const found = new Set<JsonValue | undefined>();
  const lists = new Set<JsonValue | undefined>();
  for (const part of parts) {
    const target = referenced({ ...part, ...known });
    const named = part["properties"] ?? target?.["properties"];
    // Many references may point at one schema: it is copied once, where it stands last.
    found.delete(named);
    found.add(named);
    lists.add(part["required"] ?? target?.["required"]);
  }
  const properties: JsonObject = {};
  for (const one of [...found, rest["properties"]])
    if (isObject(one)) Object.assign(properties, one);
  const required = requiredOf([...lists].map(strings), key === "allOf" ? "any" : "all");
  const all = [...new Set([...strings(rest["required"]), ...required])];
  return { ...rest, properties, ...(all.length > 0 && { required: all }) };
}

/** What any of the lists requires, or all of them. */
function requiredOf(lists: readonly string[][], by: "any" | "all"): string[] {
  if (by === "any") return lists.flat();
  const [first = [], ...others] = lists;
  const sets = others.map((list) => new Set(list));
  return first.filter((name) => sets.every((set) => set.has(name)));
}

function definitions(root: JsonObject): JsonObject {
  return {
    ...(root["$defs"] !== undefined && { $defs: root["$defs"] }),
    ...(root["definitions"] !== undefined && { definitions: root["definitions"] }),
  };
}

function strings(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
}

/** Keywords that the provider's grammar for strict output cannot enforce and therefore refuses. */
const unenforced = new Set([
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "maxItems",
  "uniqueItems",
  "minProperties",
  "maxProperties",
  "minContains",
  "maxContains",
]);

/** Schema of an answer: closed objects, and bounds as words for the model instead of rules for the grammar. */
export function outputSchema(schema: JsonObject, description?: string): JsonObject {
  const closed = closedSchema(schema);
  return description === undefined || closed["description"] !== undefined
    ? closed
    : { ...closed, description };
}

function closedSchema(schema: JsonObject): JsonObject {
  const out: JsonObject = {};
  const bounds: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) {
    if (unenforced.has(key) || (key === "minItems" && Number(value) > 1)) bounds[key] = value;
    else if (key === "oneOf") out["anyOf"] = closedValue("anyOf", value);
    else if (key !== "$schema") out[key] = closedValue(key, value);
  }
  if (out["type"] === "object" || isObject(out["properties"])) out["additionalProperties"] = false;
  if (Object.keys(bounds).length > 0) {
    const said = typeof out["description"] === "string" ? `${out["description"]}\n` : "";
    out["description"] = said + JSON.stringify(bounds);
  }
  return out;
}

/** Recurses where a keyword holds schemas; a property that is called like a keyword is a property. */
function closedValue(key: string, value: JsonValue | undefined): JsonValue | undefined {
  switch (key) {
    case "properties":
    case "$defs":
    case "definitions":
      return isObject(value)
        ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, closedPart(part)]))
        : value;
    case "anyOf":
    case "allOf":
    case "prefixItems":
      return Array.isArray(value) ? value.map((part) => closedPart(part) ?? null) : value;
    case "items":
      return closedPart(value);
    default:
      return value;
  }
}

function closedPart(value: JsonValue | undefined): JsonValue | undefined {
  return isObject(value) ? closedSchema(value) : value;
}

/** Whether the provider takes this schema for strict tool use as it is. */
export function isStrictSchema(schema: JsonObject): boolean {
  const { $schema: _, ...rules } = schema;
  return JSON.stringify(closedSchema(rules)) === JSON.stringify(rules);
}
