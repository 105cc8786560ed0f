/** What a request's body asks of its provider that is charged beside text: tools, plugins, searches, images, sound. */
import type { OutputKind, RequestDescription } from "../core/format.ts";
import {
  asArray,
  asCount,
  asNumber,
  asObject,
  asString,
  type JsonObject,
  type JsonValue,
} from "../lib/json.ts";
import { isOff } from "./describe-cost.ts";

/** What a description says of fees. */
export type FeeDescription = Pick<
  RequestDescription,
  "toolUses" | "toolNames" | "region" | "searchContext" | "outputs"
>;

/** Collects the uses that a request may lead to. */
export interface AskedUses {
  /** `name`: what the client calls it. The larger number of several of one kind counts. */
  add(use: string, times: number, name: string): void;
  described(): FeeDescription;
}

/** None yet. Nothing is made for the many requests that have none. */
export function askedUses(): AskedUses {
  let uses: Map<string, number> | undefined;
  let names: Map<string, string> | undefined;
  return {
    add(use, times, name) {
      uses ??= new Map();
      names ??= new Map();
      uses.set(use, Math.max(uses.get(use) ?? 0, times));
      if (!names.has(use)) names.set(use, name);
    },
    described: () =>
      uses && names
        ? { toolUses: Object.fromEntries(uses), toolNames: Object.fromEntries(names) }
        : {},
  };
}

/** Sources that a search reads at most where the request does not say. */
const usualSources = 20;
/** Results of a search plugin, and pages of a file, where nothing is said. */
const usualResults = 5;
const usualPages = 100;

/**
 * Members that many services read, whatever format they speak. `uses` gets those that they lead to; names of tools are the
 * format's own.
 */
export function describeFees(body: JsonObject, uses: AskedUses): FeeDescription {
  addSearches(body, uses);
  for (const plugin of listed(body["plugins"])) addPlugin(asObject(plugin), uses);
  const region = asString(body["inference_geo"]);
  const searchContext = asString(asObject(body["web_search_options"])?.["search_context_size"]);
  const outputs = outputsIn(body["modalities"]);
  return {
    ...uses.described(),
    ...(region !== undefined && { region: region.toLowerCase() }),
    ...(searchContext !== undefined && { searchContext }),
    ...(outputs && { outputs }),
  };
}

function addSearches(body: JsonObject, uses: AskedUses): void {
  // One search is what such a model makes before it answers.
  if (!isOff(body["web_search_options"])) uses.add("webSearch", 1, "web_search_options");
  if (!isOff(body["enable_search"])) uses.add("web_search", 1, "enable_search");
  if (isOff(body["search_parameters"])) return;
  const live = asObject(body["search_parameters"]) ?? {};
  if (live["mode"] === "off") return;
  uses.add(
    "search_source",
    asCount(live["max_search_results"]) ?? usualSources,
    "search_parameters",
  );
}

/** Lenient servers take an entry for a list of one, and entries by name. */
function listed(value: JsonValue | undefined): readonly (JsonValue | undefined)[] {
  const object = asObject(value);
  if (object === undefined) return asArray(value);
  return "id" in object ? [object] : Object.values(object);
}

function addPlugin(plugin: JsonObject | undefined, uses: AskedUses): void {
  const id = asString(plugin?.["id"]);
  if (plugin === undefined || id === undefined || plugin["enabled"] === false) return;
  const name = `the plugin ${id.slice(0, 100)}`;
  switch (id) {
    case "web":
      return uses.add(
        "plugin.web",
        Math.ceil(asNumber(plugin["max_results"]) ?? usualResults),
        name,
      );
    case "file-parser": {
      const engine = asString(asObject(plugin["pdf"])?.["engine"]) ?? "auto";
      return uses.add(`plugin.file-parser:${onePart(engine)}`, usualPages, name);
    }
    default:
      return uses.add(`plugin.${onePart(id)}`, 1, name);
  }
}

const longestPart = 64;

/** A client's word as one part of a use's name. */
export function onePart(word: string): string {
  return word.slice(0, longestPart).replaceAll(":", ".");
}

/** What is named there beside text. */
export function outputsIn(modalities: JsonValue | undefined): readonly OutputKind[] | undefined {
  const words = typeof modalities === "string" ? [modalities] : modalities;
  if (!Array.isArray(words)) return undefined;
  const named = new Set(words.map((word) => asString(word)?.toLowerCase()));
  const outputs = (["image", "audio"] as const).filter((kind) => named.has(kind));
  return outputs.length > 0 ? outputs : undefined;
}
