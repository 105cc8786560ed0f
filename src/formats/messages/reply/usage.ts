/**
 * Token counts in Messages answers. Anthropic counts cached input apart from `input_tokens`, the neutral form includes
 * it. An answer that took several model calls (compaction, an advisor, a fallback) lists them as `iterations`. Their sum
 * is billed; the counts beside that list leave some calls out, which ones depends on the feature.
 */
import {
  asArray,
  asCount,
  asString,
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../../lib/json.ts";
import { knownCounts, type TokenCounts, type Usage, type UsageStep } from "../../../core/usage.ts";
import { readBillTerms } from "../../../translation/read-bill.ts";

/** The latest of a stream's running totals: later ones replace earlier ones member by member, null replaces nothing. */
export function mergeCounts(before: JsonObject, after: JsonValue | undefined): JsonObject {
  if (!isObject(after)) return before;
  const merged = { ...before };
  for (const key in after) if (after[key] !== null) merged[key] = after[key];
  return merged;
}

/** The counts that are billed, as far as the object has them. */
export function readUsage(raw: JsonObject): Usage {
  const stated: Usage = readCounts(raw);
  addTerms(stated, raw);
  const steps = billedSteps(raw["iterations"]);
  return steps.length === 0 ? stated : withSteps(stated, steps);
}

/** What decides about prices, in place: the tier and the place that served it, and tools with fees of their own. */
function addTerms(usage: Usage, raw: JsonObject): void {
  const serviceTier = raw["speed"] === "fast" ? "fast" : asString(raw["service_tier"]);
  if (serviceTier !== undefined) usage.serviceTier = serviceTier;
  Object.assign(usage, readBillTerms(raw));
}

/** An attempt that declined before it wrote anything is not billed when a fallback replaced it. */
function billedSteps(iterations: JsonValue | undefined): UsageStep[] {
  const entries = asArray(iterations).filter(isObject);
  if (entries.length === 0) return [];
  const served = entries.findLastIndex(({ type }) => type === "fallback_message");
  const billed = entries.filter((entry, at) => at >= served || !declined(entry));
  return billed.map((entry) => {
    const model = asString(entry["model"]);
    return { ...readCounts(entry), ...(model !== undefined && model !== "" && { model }) };
  });
}

function declined({ type, output_tokens }: JsonObject): boolean {
  return (type === "message" || type === "fallback_message") && output_tokens === 0;
}

/** Counts that steps and the whole answer have in common. */
const summedCounts = ["input", "cacheRead", "cacheWrite", "cacheWrite1h", "output"] as const;

/** The larger of the stated count and the sum of the steps, for each count. */
function withSteps(stated: Usage, steps: UsageStep[]): Usage {
  const usage: Usage = { ...stated };
  let isComplete = true;
  for (const name of summedCounts) {
    const sum = steps.reduce((total, step) => total + (step[name] ?? 0), 0);
    const least = stated[name] ?? 0;
    if (sum < least) isComplete = false;
    if (sum > least) usage[name] = sum;
  }
  const isInformative = steps.length > 1 || steps.some(({ model }) => model !== undefined);
  return isComplete && isInformative ? { ...usage, steps } : usage;
}

function readCounts(raw: JsonObject): TokenCounts {
  const cacheRead = asCount(raw["cache_read_input_tokens"]);
  const cacheWrite = asCount(raw["cache_creation_input_tokens"]);
  const fresh = asCount(raw["input_tokens"]);
  const output = asCount(raw["output_tokens"]);
  const hour = member(raw["cache_creation"], "ephemeral_1h_input_tokens");
  const reasoning = member(raw["output_tokens_details"], "thinking_tokens");
  const known = fresh !== undefined || cacheRead !== undefined || cacheWrite !== undefined;
  return knownCounts({
    input: known ? (fresh ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0) : undefined,
    cacheRead,
    cacheWrite,
    // This count comes with a stream's first event only, while the total may have changed since.
    cacheWrite1h: hour === undefined ? undefined : Math.min(hour, cacheWrite ?? hour),
    output,
    reasoning,
  });
}

function member(value: JsonValue | undefined, key: string): number | undefined {
  return isObject(value) ? asCount(value[key]) : undefined;
}

/** The `usage` object that Messages clients expect: every count is an integer, an unknown count is 0. */
export function writeUsage(usage: Usage): JsonObject {
  // Some providers count the same tokens as read and as written: the parts must not exceed the whole.
  const input = usage.input === undefined ? Infinity : whole(usage.input);
  const read = Math.min(whole(usage.cacheRead), input);
  const write = Math.min(whole(usage.cacheWrite), input - read);
  const hour = Math.min(whole(usage.cacheWrite1h), write);
  return {
    input_tokens: Number.isFinite(input) ? input - read - write : 0,
    cache_creation_input_tokens: write,
    cache_read_input_tokens: read,
    output_tokens: whole(usage.output),
    ...(usage.cacheWrite1h !== undefined && {
      cache_creation: {
        ephemeral_5m_input_tokens: Math.max(0, write - hour),
        ephemeral_1h_input_tokens: hour,
      },
    }),
    ...(usage.toolUses?.webSearch !== undefined && {
      server_tool_use: { web_search_requests: whole(usage.toolUses.webSearch) },
    }),
    ...(usage.reasoning !== undefined && {
      output_tokens_details: { thinking_tokens: whole(usage.reasoning) },
    }),
  };
}

function whole(count: number | undefined): number {
  return Math.max(0, Math.round(count ?? 0));
}
