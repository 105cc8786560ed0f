/** A web search that a provider runs, in the terms that the formats share. */
import { asArray, asObject, asString, type JsonObject, type JsonValue } from "../lib/json.ts";
import type { ModelRequest, Tool } from "../core/request.ts";
import { noteUnknownMembers, isSet, within, type Position } from "./unsupported.ts";

/** The settings of a search. Members that the client did not use are absent. */
export interface WebSearch {
  /** Domains. */
  allowed?: JsonValue[];
  blocked?: JsonValue[];
  /** low | medium | high: how much of what is found the model reads. */
  size?: string;
  /** `city`, `region`, `country` and `timezone` of the user. */
  location?: JsonObject;
}

const domainMembers = ["allowed_domains", "blocked_domains"];
const filterMembers = new Set(domainMembers);
const nestedMembers = new Set(["type", "name", "filters", "search_context_size", "user_location"]);
const flatMembers = new Set([...nestedMembers, ...domainMembers]);
const locationMembers = new Set(["city", "region", "country", "timezone"]);
const flatLocationMembers = new Set(["type", ...locationMembers]);
const nestedLocationMembers = new Set(["type", "approximate"]);

/**
 * What a hosted search tool asks for, whichever format wrote it. Of that, `supported` are the members that the
 * provider's format has; every other one, and whatever is not known, is listed in `unsupported`.
 */
export function readWebSearch(
  { raw, path }: Extract<Tool, { kind: "hosted" }>,
  supported: readonly (keyof WebSearch)[],
  unsupported: Set<string>,
): WebSearch {
  const at: Position = { path, unsupported };
  const filters = asObject(raw["filters"]);
  noteUnknownMembers(raw, filters ? nestedMembers : flatMembers, at);
  noteUnknownMembers(filters, filterMembers, within(at, "filters"));
  const domains = filters ?? raw;
  const { allowed_domains: allowed, blocked_domains: blocked } = domains;
  const { search_context_size: size, user_location: location } = raw;
  const can = (field: keyof WebSearch, value: JsonValue | undefined, name: string): boolean => {
    if (isSet(value) && !supported.includes(field)) unsupported.add(`${path}.${name}`);
    return isSet(value) && supported.includes(field);
  };
  const prefix = filters ? "filters." : "";
  return {
    ...(can("allowed", allowed, `${prefix}allowed_domains`) && { allowed: asArray(allowed) }),
    ...(can("blocked", blocked, `${prefix}blocked_domains`) && { blocked: asArray(blocked) }),
    ...(can("size", size, "search_context_size") && { size: asString(size) ?? "medium" }),
    ...(can("location", location, "user_location") && {
      location: readLocation(asObject(location) ?? {}, within(at, "user_location")),
    }),
  };
}

/** Chat nests the location under `approximate`. */
function readLocation(location: JsonObject, at: Position): JsonObject {
  const nested = asObject(location["approximate"]);
  noteUnknownMembers(location, nested ? nestedLocationMembers : flatLocationMembers, at);
  noteUnknownMembers(nested, locationMembers, within(at, "approximate"));
  const found: JsonObject = {};
  for (const name of locationMembers) {
    const value = (nested ?? location)[name];
    if (typeof value === "string") found[name] = value;
  }
  return found;
}

/** How much an answer depends on a search of the web by the provider. */
export type SearchNeed = "none" | "offered" | "required";

/**
 * `required`: the client chose the search, or its request has nothing else that the model could do. Clients of Messages
 * and Gemini ask so for a search and hand on what comes as its results.
 */
export function searchNeed({ format, tools, choice }: ModelRequest): SearchNeed {
  const searches = tools.filter((tool) => tool.kind === "hosted" && tool.means === "web_search");
  if (searches.length === 0 || choice?.type === "none") return "none";
  const only = searches.length === tools.length;
  const asks = format !== "chat" && format !== "responses";
  if (only && (choice?.type === "required" || asks)) return "required";
  return choice?.type === "hosted" && searches.some((tool) => isChosen(tool, choice.raw))
    ? "required"
    : "offered";
}

function isChosen(tool: Tool, chosen: JsonObject): boolean {
  if (tool.kind !== "hosted") return false;
  const type = asString(chosen["type"]) ?? "";
  return type.startsWith("web_search") || (type === "tool" && chosen["name"] === tool.raw["name"]);
}
