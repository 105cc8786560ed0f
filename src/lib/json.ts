/** JSON values as types, and the few checks every reader needs. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;
export interface JsonObject {
  [key: string]: JsonValue | undefined;
}

/** A JSON object (not null, not an array). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value parsed, or undefined when the text is not JSON. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    // JSON.parse returns exactly the JsonValue union.
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

export function asString(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The value if it is a string that is not empty. */
export function asFilledString(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function asNumber(value: JsonValue | undefined): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** A number of things: rounded, never negative, within what integers are exact for. */
export function asCount(value: JsonValue | undefined): number | undefined {
  const number = asNumber(value);
  return number !== undefined && number >= 0 && number <= Number.MAX_SAFE_INTEGER / 4
    ? Math.round(number)
    : undefined;
}

/** The array itself, or an empty one. */
export function asArray(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}

export function asObject(value: JsonValue | undefined): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}
