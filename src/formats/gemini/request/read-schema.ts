/**
 * Schemas as JSON Schema. Gemini's own subset writes types in upper case, counts as texts, `nullable` and
 * `propertyOrdering`; clients write upper-case types where the service takes JSON Schema too.
 */
import { isObject, type JsonObject, type JsonValue } from "../../../lib/json.ts";
import { putMember } from "../../../translation/members.ts";
import { camelCase } from "./read-members.ts";

const types: Readonly<Record<string, string>> = {
  STRING: "string",
  NUMBER: "number",
  INTEGER: "integer",
  BOOLEAN: "boolean",
  ARRAY: "array",
  OBJECT: "object",
  NULL: "null",
};

/** Keywords by what stands in them. Everything else is a value and stays as it is. */
const maps = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
]);
const lists = new Set(["anyOf", "oneOf", "allOf", "prefixItems"]);
const single = new Set([
  "items",
  "additionalProperties",
  "not",
  "if",
  "then",
  "else",
  "contains",
  "propertyNames",
]);
const counts = new Set([
  "minItems",
  "maxItems",
  "minLength",
  "maxLength",
  "minProperties",
  "maxProperties",
]);
/** Keywords of the subset that clients may write in snake_case. */
const subsetKeywords = new Set([
  ...counts,
  "anyOf",
  "prefixItems",
  "additionalProperties",
  "propertyOrdering",
]);
/** What the subset says in a way of its own. */
const ownKeywords = new Set(["nullable", "propertyOrdering", "example"]);

/** The schema in words that every provider knows. */
export function readSchema(schema: JsonObject): JsonObject {
  const read: JsonObject = {};
  for (const name in schema) {
    const value = schema[name];
    const keyword = keywordOf(name);
    if (value === undefined || ownKeywords.has(keyword)) continue;
    const written = readKeyword(keyword, value);
    if (written !== undefined) putMember(read, keyword, written);
  }
  if (schema["example"] !== undefined && read["examples"] === undefined)
    read["examples"] = [schema["example"]];
  orderProperties(read, schema["propertyOrdering"] ?? schema["property_ordering"]);
  return schema["nullable"] === true ? nullable(read) : read;
}

function keywordOf(name: string): string {
  if (!name.includes("_")) return name;
  const camel = camelCase(name);
  return subsetKeywords.has(camel) ? camel : name;
}

function readKeyword(keyword: string, value: JsonValue): JsonValue | undefined {
  if (keyword === "type") return typeOf(value);
  // Says what `enum` beside it says.
  if (keyword === "format" && value === "enum") return undefined;
  if (counts.has(keyword)) return countOf(value);
  if (maps.has(keyword) && isObject(value)) return mapOf(value);
  if (lists.has(keyword) || single.has(keyword)) return inner(value);
  return value;
}

function inner(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item) => (isObject(item) ? readSchema(item) : item));
  return isObject(value) ? readSchema(value) : value;
}

function mapOf(schemas: JsonObject): JsonObject {
  const read: JsonObject = {};
  for (const [name, schema] of Object.entries(schemas))
    if (schema !== undefined) putMember(read, name, inner(schema));
  return read;
}

function typeOf(type: JsonValue): JsonValue | undefined {
  if (Array.isArray(type)) return type.map((one) => typeOf(one) ?? one);
  if (typeof type !== "string") return type;
  if (type === "TYPE_UNSPECIFIED") return undefined;
  return Object.hasOwn(types, type) ? types[type] : type;
}

function countOf(value: JsonValue): JsonValue {
  return typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
}

/** The order in which the model is to write them is that of the members; names that are not listed follow. */
function orderProperties(schema: JsonObject, ordering: JsonValue | undefined): void {
  const { properties } = schema;
  if (!isObject(properties) || !Array.isArray(ordering)) return;
  const ordered: JsonObject = {};
  const names = ordering.filter((name) => typeof name === "string");
  for (const name of [...names, ...Object.keys(properties)]) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property !== undefined) putMember(ordered, name, property);
  }
  schema["properties"] = ordered;
}

function nullable(schema: JsonObject): JsonObject {
  const { type, anyOf, enum: choices } = schema;
  const choice = Array.isArray(choices) && !choices.includes(null) && { enum: [...choices, null] };
  if (typeof type === "string" && type !== "null")
    return { ...schema, type: [type, "null"], ...choice };
  if (Array.isArray(type) && !type.includes("null"))
    return { ...schema, type: [...type, "null"], ...choice };
  return Array.isArray(anyOf) ? { ...schema, anyOf: [...anyOf, { type: "null" }] } : schema;
}
