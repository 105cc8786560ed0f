/** What every format's description of a request has in common. */
import type { RequestDescription } from "../core/format.ts";
import { asString, type JsonObject } from "../lib/json.ts";

/** The members that all formats name alike. */
export function describeCommon(body: JsonObject): Pick<RequestDescription, "model" | "stream"> {
  return { model: asString(body["model"]) ?? "", stream: body["stream"] === true };
}

/** Only these members, where they are set. */
export function pick(body: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]),
  );
}
