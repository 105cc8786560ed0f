/** Plausible arguments for a tool, made from its schema: harmless ones, since a client may really run it. */
import {
  asArray,
  asObject,
  asString,
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../lib/json.ts";

const deepest = 6;

/** Words by what a member's name sounds like. The first fitting row counts. */
const samples: readonly [name: RegExp, value: string][] = [
  [/command|cmd|script|code/i, "echo Hello from the demo"],
  [/url|uri|link|href/i, "https://example.com/"],
  [/file|path|dir|folder|cwd/i, "README.md"],
  [/pattern|regex|glob/i, "*.md"],
  [/city|location|place|country/i, "Berlin"],
  [/date|day/i, "2025-01-01"],
  [/time/i, "12:00"],
  [/mail/i, "demo@example.com"],
  [/lang/i, "en"],
  [/unit/i, "celsius"],
  [/name|title/i, "Demo"],
  [/query|search|question|prompt|text|message|content|description|reason/i, "Hello from the demo"],
];

/** A value that fits `schema` as far as its common keywords say. `name` is the member it is for. */
export function sampleFor(schema: JsonValue | undefined, name = "", depth = 0): JsonValue {
  const rules = asObject(schema) ?? {};
  if (rules["const"] !== undefined) return rules["const"];
  if (rules["default"] !== undefined) return rules["default"];
  const choices = asArray(rules["enum"]);
  if (choices[0] !== undefined) return choices[0];
  const branch = asArray(rules["anyOf"] ?? rules["oneOf"] ?? rules["allOf"])[0];
  if (branch !== undefined && depth < deepest) return sampleFor(branch, name, depth + 1);
  return sampleOfType(rules, name, depth);
}

function sampleOfType(rules: JsonObject, name: string, depth: number): JsonValue {
  const stated = rules["type"];
  const type = Array.isArray(stated) ? stated.find((word) => word !== "null") : stated;
  switch (type ?? (rules["properties"] === undefined ? "string" : "object")) {
    case "object":
      return sampleObject(rules, depth);
    case "array":
      return depth < deepest ? [sampleFor(rules["items"], name, depth + 1)] : [];
    case "integer":
    case "number":
      return typeof rules["minimum"] === "number" ? rules["minimum"] : 1;
    case "boolean":
      return false;
    case "null":
      return null;
    default:
      return sampleText(rules, name);
  }
}

/** The required members, or the first one where nothing is required. */
function sampleObject(rules: JsonObject, depth: number): JsonObject {
  const properties = asObject(rules["properties"]) ?? {};
  const required = asArray(rules["required"]).filter((name) => typeof name === "string");
  const names = required.length > 0 ? required : Object.keys(properties).slice(0, 1);
  if (depth >= deepest) return {};
  return Object.fromEntries(
    names.map((name) => [name, sampleFor(properties[name], name, depth + 1)]),
  );
}

function sampleText(rules: JsonObject, name: string): string {
  const example = asArray(rules["examples"])[0];
  if (typeof example === "string") return example;
  if (asString(rules["format"])?.startsWith("date")) return "2025-01-01";
  return samples.find(([pattern]) => pattern.test(name))?.[1] ?? "demo";
}

/** The arguments of one call as JSON text. */
export function sampleArguments(schema: JsonObject | undefined): string {
  const value = sampleFor(schema ?? { type: "object" });
  return JSON.stringify(isObject(value) ? value : {});
}
