/** What a Responses answer repeats of its request. */
import type { JsonObject, JsonValue } from "../../../lib/json.ts";

/** Deepest nesting of a member that an answer repeats; real ones have a handful of levels. */
const deepestEcho = 500;

/** The request without members that are nested too deeply to be written again. An answer does not repeat the input. */
export function echoed(body: JsonObject): JsonObject {
  const { input, ...members } = body;
  if (!isDeeper(members, deepestEcho)) return body;
  const flat = Object.entries(members).filter(([, value]) => !isDeeper(value, deepestEcho));
  return { ...Object.fromEntries(flat), input };
}

function isDeeper(value: JsonValue | undefined, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}
