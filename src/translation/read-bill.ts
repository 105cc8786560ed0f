/** What `usage` objects say beside the counts of tokens, under the names that many services share. */
import type { MediaTokens, ToolUses, Usage } from "../core/usage.ts";
import { asCount, asNumber, asObject, asString, type JsonObject } from "../lib/json.ts";

const ticksOfDollar = 1e10;

/** USD that the provider says the answer costs; undefined where it says nothing of money. */
export function readStatedCost(usage: JsonObject): number | undefined {
  const ticks = asNumber(usage["cost_in_usd_ticks"]);
  if (ticks !== undefined) return ticks / ticksOfDollar;
  const { cost } = usage;
  const told =
    asNumber(cost) ??
    asNumber(asObject(cost)?.["total_cost"]) ??
    asNumber(usage["total_cost"]) ??
    asNumber(usage["estimated_cost"]);
  return told === undefined ? undefined : told + ownKeyCost(usage);
}

/** With a key of the user's own for the maker, the maker charges the user besides. */
function ownKeyCost(usage: JsonObject): number {
  if (usage["is_byok"] !== true) return 0;
  return asNumber(asObject(usage["cost_details"])?.["upstream_inference_cost"]) ?? 0;
}

/** Uses of tools by the names of their counters. */
const counters: readonly (readonly [counter: string, use: string])[] = [
  ["num_sources_used", "search_source"],
  ["num_search_queries", "webSearch"],
];
const countersOfTools: readonly (readonly [counter: string, use: string])[] = [
  ["web_search_requests", "webSearch"],
  ["web_fetch_requests", "web_fetch"],
  ["web_search_calls", "webSearch"],
  ["x_search_calls", "x_search"],
  ["code_interpreter_calls", "code_interpreter"],
  ["file_search_calls", "fileSearch"],
  ["document_search_calls", "fileSearch"],
];
const toolCounts = ["server_tool_use", "server_side_tool_usage_details"];

/** Uses of the provider's tools that the object counts. */
export function readToolUses(usage: JsonObject): ToolUses | undefined {
  const uses: Record<string, number> = {};
  const add = (object: JsonObject, names: typeof counters): void => {
    for (const [counter, use] of names) {
      const count = asCount(object[counter]) ?? 0;
      if (count > 0) uses[use] = (uses[use] ?? 0) + count;
    }
  };
  add(usage, counters);
  for (const name of toolCounts) {
    const counted = asObject(usage[name]);
    if (counted !== undefined) add(counted, countersOfTools);
  }
  return Object.keys(uses).length === 0 ? undefined : uses;
}

/** What decides about fees and money, as far as the object tells it. */
export function readBillTerms(
  usage: JsonObject,
): Pick<Usage, "cost" | "toolUses" | "searchContext" | "region"> {
  const cost = readStatedCost(usage);
  const toolUses = readToolUses(usage);
  const searchContext = asString(usage["search_context_size"]);
  const region = asString(usage["inference_geo"]);
  return {
    ...(cost !== undefined && { cost }),
    ...(toolUses && { toolUses }),
    ...(searchContext !== undefined && { searchContext }),
    ...(region !== undefined && { region: region.toLowerCase() }),
  };
}

/** Tokens that are no text, by the details of what was read and written; undefined where there are none. */
export function readMediaTokens(
  read: JsonObject | undefined,
  written: JsonObject | undefined,
): MediaTokens | undefined {
  const cached = asObject(read?.["cached_tokens_details"]);
  const [cachedImage, cachedAudio] = [tokens(cached, "image"), tokens(cached, "audio")];
  return knownMedia({
    inputImage: tokens(read, "image") - cachedImage,
    inputAudio: tokens(read, "audio") - cachedAudio,
    cachedImage,
    cachedAudio,
    outputImage: tokens(written, "image"),
    outputAudio: tokens(written, "audio"),
  });
}

function tokens(details: JsonObject | undefined, media: "image" | "audio"): number {
  return asCount(details?.[`${media}_tokens`]) ?? 0;
}

/** Those above zero; undefined where there are none. */
export function knownMedia(counts: MediaTokens): MediaTokens | undefined {
  let known: Record<string, number> | undefined;
  for (const [kind, count = 0] of Object.entries(counts))
    if (count > 0) (known ??= {})[kind] = count;
  return known;
}
