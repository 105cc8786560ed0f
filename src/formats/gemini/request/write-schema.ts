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

interface Place {
  root: JsonObject;
  depth: number;
}

/** The schema in the subset; undefined when it says no more than "an object". */
export function subsetSchema(schema: JsonObject): JsonObject | undefined {
  const cut = rewrite(schema, { root: schema, depth: 0 });
  return cut["type"] === "object" && cut["properties"] === undefined ? undefined : cut;
}

function rewrite(source: JsonObject, at: Place): JsonObject {
  if (at.depth > deepest) return { type: "object" };
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
  return { root: at.root, depth: at.depth + 1 };
}

/** The schema with its reference and the parts of its `allOf` written into it. */
function merged(schema: JsonObject, at: Place): JsonObject {
  let out = schema;
  const { $ref: reference, allOf, ...own } = schema;
  if (typeof reference === "string" && at.depth <= deepest) {
    const found = lookUp(reference, at.root);
    out = found && found !== schema ? { ...merged(found, deeper(at)), ...own } : own;
  }
  for (const part of asArray(allOf)) if (isObject(part)) out = join(out, merged(part, deeper(at)));
  return out;
}

function join(one: JsonObject, other: JsonObject): JsonObject {
  const properties = { ...asObject(one["properties"]), ...asObject(other["properties"]) };
  const required = [...new Set([...asArray(one["required"]), ...asArray(other["required"])])];
  return {
    ...other,
    ...one,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
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
  const required = asArray(schema["required"]).filter(
    (name) => typeof name === "string" && names.includes(name),
  );
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
