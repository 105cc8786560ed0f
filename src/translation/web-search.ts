/** A web search that a provider runs, in the words that the dialects share. */
import { asArray, asObject, asString, type JsonObject, type JsonValue } from "../lib/json.ts";
import type { Tool } from "../core/request.ts";
import { noteUnknownMembers, isSet, within, type Place } from "./unsupported.ts";

/** What a search may be told. Members that the client did not use are absent. */
export interface WebSearch {
  /** Domains. */
  allowed?: JsonValue[];
  blocked?: JsonValue[];
  /** low | medium | high: how much of what is found the model reads. */
  size?: string;
  /** `city`, `region`, `country` and `timezone` of the user. */
  place?: JsonObject;
}

const domainMembers = ["allowed_domains", "blocked_domains"];
const filterMembers = new Set(domainMembers);
const nestedMembers = new Set(["type", "name", "filters", "search_context_size", "user_location"]);
const flatMembers = new Set([...nestedMembers, ...domainMembers]);
const placeMembers = new Set(["city", "region", "country", "timezone"]);
const flatPlaceMembers = new Set(["type", ...placeMembers]);
const nestedPlaceMembers = new Set(["type", "approximate"]);

/**
 * What a hosted search tool asks for, whichever dialect wrote it. Of that, `sayable` are the members that the
 * provider's dialect has words for; every other one, and whatever is not known, is listed in `unsaid`.
 */
export function readWebSearch(
  { raw, path }: Extract<Tool, { kind: "hosted" }>,
  sayable: readonly (keyof WebSearch)[],
  unsupported: Set<string>,
): WebSearch {
  const at: Place = { path, unsupported };
  const filters = asObject(raw["filters"]);
  noteUnknownMembers(raw, filters ? nestedMembers : flatMembers, at);
  noteUnknownMembers(filters, filterMembers, within(at, "filters"));
  const domains = filters ?? raw;
  const { allowed_domains: allowed, blocked_domains: blocked } = domains;
  const { search_context_size: size, user_location: location } = raw;
  const can = (field: keyof WebSearch, value: JsonValue | undefined, name: string): boolean => {
    if (isSet(value) && !sayable.includes(field)) unsupported.add(`${path}.${name}`);
    return isSet(value) && sayable.includes(field);
  };
  const prefix = filters ? "filters." : "";
  return {
    ...(can("allowed", allowed, `${prefix}allowed_domains`) && { allowed: asArray(allowed) }),
    ...(can("blocked", blocked, `${prefix}blocked_domains`) && { blocked: asArray(blocked) }),
    ...(can("size", size, "search_context_size") && { size: asString(size) ?? "medium" }),
    ...(can("place", location, "user_location") && {
      place: readPlace(asObject(location) ?? {}, within(at, "user_location")),
    }),
  };
}

/** Chat nests the place under `approximate`. */
function readPlace(location: JsonObject, at: Place): JsonObject {
  const nested = asObject(location["approximate"]);
  noteUnknownMembers(location, nested ? nestedPlaceMembers : flatPlaceMembers, at);
  noteUnknownMembers(nested, placeMembers, within(at, "approximate"));
  const place: JsonObject = {};
  for (const name of placeMembers) {
    const value = (nested ?? location)[name];
    if (typeof value === "string") place[name] = value;
  }
  return place;
}
