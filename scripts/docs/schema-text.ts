/** What a schema allows, in words for a table. */
import { asObject, type JsonObject } from "../../src/lib/json.ts";

/** `string`, `list of 1 to 6 strings`, `` `eco`, `balanced` or `quality` `` … of a JSON Schema. */
export function typeText(schema: JsonObject): string {
  const { enum: values, type, anyOf } = schema;
  if (Array.isArray(values)) return values.map((value) => `\`${String(value)}\``).join(", ");
  if (schema["const"] !== undefined) return `\`${String(schema["const"])}\``;
  if (Array.isArray(anyOf)) return anyOf.map((each) => typeText(asObject(each) ?? {})).join(" or ");
  if (type === "array") return listText(schema);
  if (type === "object") return objectText(schema);
  if (type === "string") return stringText(schema);
  if (type === "number" || type === "integer") return numberText(schema);
  if (type === "boolean") return "`true` or `false`";
  if (type === "null") return "`null`";
  return "any JSON value";
}

function stringText({ format, maxLength }: JsonObject): string {
  if (format === "uri") return "address";
  if (format === "date-time") return "time, ISO 8601";
  return typeof maxLength === "number" ? `text of up to ${grouped(maxLength)} characters` : "text";
}

function numberText({
  type,
  minimum,
  exclusiveMinimum,
  maximum,
  exclusiveMaximum,
}: JsonObject): string {
  const word = type === "integer" ? "whole number" : "number";
  const least = typeof minimum === "number" ? minimum : undefined;
  const above = typeof exclusiveMinimum === "number" ? exclusiveMinimum : undefined;
  const most = [maximum, exclusiveMaximum].find((each) => typeof each === "number");
  const from =
    least === undefined ? (above === undefined ? "" : ` above ${above}`) : ` from ${least}`;
  const to =
    typeof most === "number" && most < Number.MAX_SAFE_INTEGER ? ` to ${grouped(most)}` : "";
  return `${word}${from}${to}`;
}

function listText({ items, minItems, maxItems }: JsonObject): string {
  const each = typeText(asObject(items) ?? {});
  const least = typeof minItems === "number" ? `${minItems} to ` : "up to ";
  const size = typeof maxItems === "number" ? `${least}${grouped(maxItems)}, ` : "";
  return `list (${size}each ${each})`;
}

function objectText({ maxProperties, additionalProperties, properties }: JsonObject): string {
  const names = Object.keys(asObject(properties) ?? {});
  if (names.length > 0) return `object with ${names.map((name) => `\`${name}\``).join(", ")}`;
  const values = asObject(additionalProperties);
  const size = typeof maxProperties === "number" ? `up to ${grouped(maxProperties)} ` : "";
  return `${size}values by name${values === undefined ? "" : `, each ${typeText(values)}`}`;
}

function grouped(value: number): string {
  return value.toLocaleString("en-US");
}

/** A cell of a table: one line, in which nothing ends it. */
export function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll(/\s*\n\s*/g, " ");
}
