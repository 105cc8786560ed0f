/**
 * Token counts: Anthropic keeps cached input apart from `input_tokens`, the neutral form counts it in. An answer
 * that took several calls of models (compaction, an advisor, a fallback) lists them as `iterations`. Billed is
 * their sum; the counts beside that list leave calls out, which ones depends on the feature.
 */
import {
  asArray,
  asCount,
  asString,
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../../lib/json.ts";
import type { TokenCounts, Usage, UsageStep } from "../../../core/usage.ts";

/** Running totals of a stream: later events replace earlier ones member by member, null says nothing. */
export function mergeUsage(before: JsonObject, after: JsonValue | undefined): JsonObject {
  if (!isObject(after)) return before;
  const merged = { ...before };
  for (const key in after) if (after[key] !== null) merged[key] = after[key];
  return merged;
}

/** What is billed, as far as the object says. */
export function readUsage(raw: JsonObject): Usage {
  const stated = readCounts(raw);
  const steps = billedSteps(raw["iterations"]);
  return steps.length === 0 ? stated : withSteps(stated, steps);
}

/** An attempt that declined before it wrote anything costs nothing when a fallback took its place. */
function billedSteps(iterations: JsonValue | undefined): UsageStep[] {
  const entries = asArray(iterations).filter(isObject);
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

const shared = ["input", "cacheRead", "cacheWrite", "cacheWrite1h", "output"] as const;

/** The larger of what is stated and of the steps' sum: never both, and never less than is stated. */
function withSteps(stated: TokenCounts, steps: UsageStep[]): Usage {
  const usage: Usage = { ...stated };
  let complete = true;
  for (const name of shared) {
    const sum = steps.reduce((total, step) => total + (step[name] ?? 0), 0);
    const least = stated[name] ?? 0;
    if (sum < least) complete = false;
    if (sum > least) usage[name] = sum;
  }
  const telling = steps.length > 1 || steps.some(({ model }) => model !== undefined);
  return complete && telling ? { ...usage, steps } : usage;
}

function readCounts(raw: JsonObject): TokenCounts {
  const cacheRead = asCount(raw["cache_read_input_tokens"]);
  const cacheWrite = asCount(raw["cache_creation_input_tokens"]);
  const fresh = asCount(raw["input_tokens"]);
  const output = asCount(raw["output_tokens"]);
  const hour = member(raw["cache_creation"], "ephemeral_1h_input_tokens");
  const reasoning = member(raw["output_tokens_details"], "thinking_tokens");
  const known = fresh !== undefined || cacheRead !== undefined || cacheWrite !== undefined;
  return {
    ...(known && { input: (fresh ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0) }),
    ...(cacheRead !== undefined && { cacheRead }),
    ...(cacheWrite !== undefined && { cacheWrite }),
    // Of a stream's first event, while the total may have become another one since.
    ...(hour !== undefined && { cacheWrite1h: Math.min(hour, cacheWrite ?? hour) }),
    ...(output !== undefined && { output }),
    ...(reasoning !== undefined && { reasoning }),
  };
}

function member(value: JsonValue | undefined, key: string): number | undefined {
  return isObject(value) ? asCount(value[key]) : undefined;
}

/** All counts as integers; what is unknown is 0, as the clients' types demand. */
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
    ...(usage.reasoning !== undefined && {
      output_tokens_details: { thinking_tokens: whole(usage.reasoning) },
    }),
  };
}

function whole(count: number | undefined): number {
  return Math.max(0, Math.round(count ?? 0));
}
