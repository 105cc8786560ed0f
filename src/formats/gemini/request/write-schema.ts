/**
 * JSON Schema cut down to the subset that Gemini's `parameters` and `responseSchema` take (an OpenAPI object), for
 * models without `parametersJsonSchema`. Keywords are rewritten or left out; names of properties never are.
 */
import {
  asArray,
  asNumber,
  asObject,
  asString,
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../../lib/json.ts";

/** Keywords whose meaning is the same in both and whose values are plain. */
const plain = [
  "title",
  "description",
  "pattern",
  "minimum",
  "maximum",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "minProperties",
  "maxProperties",
  "default",
  "nullable",
  "propertyOrdering",
] as const;

const stringFormats = new Set(["enum", "date-time"]);
const numberFormats = new Set(["float", "double", "int32", "int64"]);

/** References into themselves end here, and so do schemas nested absurdly deep. */
const deepest = 24;

/** Characters of JSON text that references may add to the schemas of a request: a few of them can stand for billions. */
const mostReferenced = 1_000_000;

/** How much references may still add to the schemas of one request, and whether anything had to be cut. */
export interface SchemaBudget {
  left: number;
  /** A part of the schema that was written last is missing. */
  cut: boolean;
  /** Lengths of the JSON texts of what references stand for: each is measured once. */
  readonly lengths: Map<JsonObject, number>;
}

/** The budget of one request. */
export function schemaBudget(): SchemaBudget {
  return { left: mostReferenced, cut: false, lengths: new Map() };
}

interface Place {
  readonly root: JsonObject;
  readonly depth: number;
  readonly budget: SchemaBudget;
}

/** The schema in the subset, undefined when it says no more than "an object"; and whether a part of it is missing. */
export function subsetSchema(
  schema: JsonObject,
  budget: SchemaBudget,
): { readonly subset: JsonObject | undefined; readonly cut: boolean } {
  budget.cut = false;
  const written = rewrite(schema, { root: schema, depth: 0, budget });
  const isAny = written["type"] === "object" && written["properties"] === undefined;
  return { subset: isAny ? undefined : written, cut: budget.cut };
}

function rewrite(source: JsonObject, at: Place): JsonObject {
  if (at.depth > deepest) {
    at.budget.cut = true;
    return { type: "object" };
  }
  const schema = merged(source, at);
  const out: JsonObject = {};
  for (const name of plain) if (schema[name] !== undefined) out[name] = schema[name];
  writeType(out, schema);
  writeEnum(out, schema);
  writeBounds(out, schema);
  writeMembers(out, schema, deeper(at));
  writeChoices(out, schema, deeper(at));
  return out;
}

function deeper(at: Place): Place {
  return { ...at, depth: at.depth + 1 };
}

/** The schema with its reference and the parts of its `allOf` written into it. */
function merged(schema: JsonObject, at: Place): JsonObject {
  if (typeof schema["$ref"] !== "string" && !Array.isArray(schema["allOf"])) return schema;
  const parts: JsonObject[] = [];
  collectParts(schema, at, parts);
  const [only] = parts;
  return parts.length === 1 && only ? only : joined(parts);
}

/** What is said beside an `allOf`, and the parts in it, at any depth: all are joined at once. */
function collectParts(schema: JsonObject, at: Place, parts: JsonObject[]): void {
  const { $ref: reference, allOf, ...own } = schema;
  const found = typeof reference === "string" ? referenced(reference, schema, at) : undefined;
  parts.push(found ? { ...merged(found, deeper(at)), ...own } : own);
  for (const part of asArray(allOf)) if (isObject(part)) collectParts(part, deeper(at), parts);
}

/** What a reference stands for, if there is room for it. */
function referenced(
  reference: string,
  schema: JsonObject,
  { root, depth, budget }: Place,
): JsonObject | undefined {
  const found = lookUp(reference, root);
  if (!found || found === schema) return undefined;
  budget.left -= lengthOf(found, budget.lengths);
  if (budget.left >= 0 && depth <= deepest) return found;
  budget.cut = true;
  return undefined;
}

function lengthOf(schema: JsonObject, lengths: Map<JsonObject, number>): number {
  const known = lengths.get(schema);
  if (known !== undefined) return known;
  const { length } = JSON.stringify(schema);
  lengths.set(schema, length);
  return length;
}

/** All properties and all that any of them requires; of every other keyword the first. */
function joined(parts: readonly JsonObject[]): JsonObject {
  const all = new Map<string, JsonValue | undefined>();
  const properties = new Map<string, JsonValue | undefined>();
  const required = new Set<JsonValue>();
  for (const part of parts) {
    for (const name in part) if (!all.has(name)) all.set(name, part[name]);
    const named = asObject(part["properties"]) ?? {};
    for (const name in named) properties.set(name, named[name]);
    for (const name of asArray(part["required"])) required.add(name);
  }
  if (properties.size > 0) all.set("properties", Object.fromEntries(properties));
  if (required.size > 0) all.set("required", [...required]);
  return Object.fromEntries(all);
}

/** What `#/$defs/Name` points to. */
function lookUp(reference: string, root: JsonObject): JsonObject | undefined {
  if (!reference.startsWith("#")) return undefined;
  let value: JsonValue | undefined = root;
  for (const step of reference.slice(1).split("/").slice(1)) {
    const name = unescaped(step);
    value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return asObject(value);
}

function unescaped(step: string): string {
  const plainStep = step.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(plainStep);
  } catch {
    // A stray percent sign is part of the name.
    return plainStep;
  }
}

function writeType(out: JsonObject, schema: JsonObject): void {
  const types = asArray(schema["type"]).filter((type) => typeof type === "string");
  const single = asString(schema["type"]);
  const real = types.filter((type) => type !== "null");
  if (types.length > real.length) out["nullable"] = true;
  if (single !== undefined) out["type"] = single;
  else if (real.length === 1 && real[0] !== undefined) out["type"] = real[0];
  else if (real.length > 1) out["anyOf"] = real.map((type) => ({ type }));
  else if (schema["properties"] !== undefined) out["type"] = "object";
  else if (schema["items"] !== undefined) out["type"] = "array";
  const format = asString(schema["format"]);
  const known = out["type"] === "string" ? stringFormats : numberFormats;
  if (format !== undefined && known.has(format)) out["format"] = format;
}

/** Enumerations are of strings only; null among the values makes it nullable. */
function writeEnum(out: JsonObject, schema: JsonObject): void {
  const values = "const" in schema ? [schema["const"]] : schema["enum"];
  if (!Array.isArray(values)) return;
  const said = values.filter((value) => value !== null && value !== undefined);
  if (said.length < values.length) out["nullable"] = true;
  if (said.length === 0) return;
  const texts = said.map((value) => (typeof value === "string" ? value : JSON.stringify(value)));
  const type = out["type"];
  if (type === undefined || type === "string") Object.assign(out, { type: "string", enum: texts });
  else if (said.every((value) => typeof value !== "object")) {
    // The subset has no enumeration of numbers: the words say what the type cannot.
    const before = asString(out["description"]);
    out["description"] = `${before ? `${before} ` : ""}One of: ${texts.join(", ")}.`;
  }
}

/** The subset only knows inclusive bounds. */
function writeBounds(out: JsonObject, schema: JsonObject): void {
  const step = out["type"] === "integer" ? 1 : 0;
  const above = asNumber(schema["exclusiveMinimum"]);
  const below = asNumber(schema["exclusiveMaximum"]);
  if (above !== undefined) out["minimum"] = above + step;
  if (below !== undefined) out["maximum"] = below - step;
}

function writeMembers(out: JsonObject, schema: JsonObject, at: Place): void {
  const properties = asObject(schema["properties"]);
  const names = properties ? Object.keys(properties) : [];
  if (properties && names.length > 0) {
    out["properties"] = Object.fromEntries(
      names.map((name) => [name, member(properties[name], at)]),
    );
  }
  const known = new Set<JsonValue>(names);
  const required = asArray(schema["required"]).filter((name) => known.has(name));
  if (required.length > 0) out["required"] = required;
  const items = asObject(schema["items"]) ?? tupleItems(schema);
  if (items) out["items"] = rewrite(items, at);
  else if (out["type"] === "array") out["items"] = { type: "string" };
}

/** `true` and `{}` allow anything: the subset has no such word, a string comes nearest. */
function member(schema: JsonValue | undefined, at: Place): JsonObject {
  const written = isObject(schema) ? rewrite(schema, at) : {};
  return written["type"] === undefined && written["anyOf"] === undefined
    ? { ...written, type: "string" }
    : written;
}

function tupleItems(schema: JsonObject): JsonObject | undefined {
  const tuple = asArray(schema["prefixItems"] ?? schema["items"]).filter(isObject);
  return tuple.length > 1 ? { anyOf: tuple } : tuple[0];
}

function writeChoices(out: JsonObject, schema: JsonObject, at: Place): void {
  const choices = asArray(schema["anyOf"] ?? schema["oneOf"]).filter(isObject);
  const real = choices.filter((choice) => choice["type"] !== "null");
  if (choices.length === 0) return;
  if (real.length < choices.length) out["nullable"] = true;
  const written = real.map((choice) => rewrite(choice, at));
  const [only] = written;
  if (written.length === 1 && only) {
    for (const [name, value] of Object.entries(only))
      if (out[name] === undefined) out[name] = value;
  } else if (written.length > 1) {
    out["anyOf"] = written;
    // Beside alternatives the subset takes no type of its own.
    delete out["type"];
  }
}
