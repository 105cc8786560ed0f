/** What every format's description of a request has in common. */
import type { RequestDescription, StoredResponse } from "../core/format.ts";
import { asString, type JsonObject } from "../lib/json.ts";
import { describeCost, type CostDescription } from "./describe-cost.ts";

type CommonDescription = CostDescription &
  Pick<RequestDescription, "model" | "stream" | "continues">;

/** The members that all formats name alike, and what the request may cost. `limits`: the format's own names of that of output tokens. */
export function describeCommon(body: JsonObject, limits: readonly string[]): CommonDescription {
  const continues = continuedIn(body);
  // Only the first spread of a literal is cheap.
  return {
    ...describeCost(body, limits),
    model: asString(body["model"]) ?? "",
    stream: body["stream"] === true,
    ...(continues && { continues }),
  };
}

/** A relay hands the field on in every format, whatever it holds. */
function continuedIn(body: JsonObject): StoredResponse | undefined {
  const path = "previous_response_id";
  const value = body[path];
  if (value === undefined || value === null) return undefined;
  const id = asString(value);
  return { path, ...(id !== undefined && { id }) };
}

/** Only these members, where they are set. */
export function pick(body: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]),
  );
}
