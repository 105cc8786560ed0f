/**
 * Token counts with one meaning for all formats. `input` is everything the model read, cached tokens and cache writes
 * included; `output` is everything it wrote, reasoning included. A missing member is unknown.
 */
export interface Usage extends TokenCounts {
  /** Each model call of an answer that took several. The counts are their sums. */
  steps?: UsageStep[];
  /** The service tier that served it, in the provider's own word. */
  serviceTier?: string;
  /** Where the model ran, in the provider's own word, where its price depends on that. */
  region?: string;
  /** Uses of the provider's own tools that are billed beside tokens. */
  toolUses?: ToolUses;
  /** How much its searches put before the model, in the provider's own word, where a fee depends on that. */
  searchContext?: string;
  /** Parts of the tokens that are no text, where they have prices of their own. */
  media?: MediaTokens;
  /** Seconds of audio that were heard, where they are billed instead of tokens. */
  audioSeconds?: number;
  /** Calls of other models that the provider made for the answer and bills besides: they are not in the counts. */
  beside?: UsageStep[];
  /** USD that the provider itself says it charges for all of it. */
  cost?: number;
}

/** Kinds of tokens that are no text. Cached ones are apart from those that were read anew. */
export const mediaKinds = [
  "inputImage",
  "inputAudio",
  "cachedImage",
  "cachedAudio",
  "outputImage",
  "outputAudio",
] as const;
/** One of them. */
export type MediaKind = (typeof mediaKinds)[number];

/** Tokens of images and sound, included in the counts of input and output; a missing kind had none. */
export type MediaTokens = Readonly<Partial<Record<MediaKind, number>>>;

/**
 * How often tools of the provider, plugins and sources of searches were used, which are billed beside tokens. What the
 * fee depends on follows the name behind colons (`container:4g`, `image_generation:high:1024x1024`).
 */
export type ToolUses = Readonly<{
  webSearch?: number;
  fileSearch?: number;
  [use: string]: number | undefined;
}>;

/** How often a tool was used, all variants of it together; undefined where it was not asked for. */
export function usesOfTool(uses: ToolUses | undefined, tool: string): number | undefined {
  let sum: number | undefined;
  for (const [use, times = 0] of Object.entries(uses ?? {}))
    if (use === tool || use.startsWith(`${tool}:`)) sum = (sum ?? 0) + times;
  return sum;
}

/** One of the model calls that an answer took, as it is billed. */
export interface UsageStep extends TokenCounts {
  /** The provider's id of the model that ran; missing: the model that was requested. */
  model?: string;
  /** Parts that are no text. */
  media?: MediaTokens;
}

/** Counts of tokens; the parts are included in the wholes. */
export interface TokenCounts {
  input?: number;
  /** Part of `input` that came from the provider's prompt cache. */
  cacheRead?: number;
  /** Part of `input` written to the provider's prompt cache, all life times together. */
  cacheWrite?: number;
  /** Part of `cacheWrite` with a life time of one hour. */
  cacheWrite1h?: number;
  output?: number;
  /** Part of `output` spent on reasoning. */
  reasoning?: number;
}

/**
 * What is known after a later report of the same answer. Providers report running totals, never increments, and what
 * was used once is billed: of two totals the larger one holds, with its parts. Only a list of steps takes back what was
 * told before: a step that is not billed is not in it.
 */
export function addUsage(before: Usage, after: Usage): Usage {
  const usage: Usage = { ...before, ...after };
  for (const name of ["audioSeconds", "cost"] as const)
    if (isLess(after[name], before[name])) keepMembers(usage, before, [name]);
  for (const name of ["toolUses", "media"] as const)
    if (before[name] && after[name]) usage[name] = largerCounts(before[name], after[name]);
  if (after.steps !== undefined) return usage;
  if (isLess(after.input, before.input)) keepMembers(usage, before, inputCounts);
  if (isLess(after.output, before.output)) keepMembers(usage, before, outputCounts);
  if (usage.input !== before.input || usage.output !== before.output) delete usage.steps;
  return usage;
}

const inputCounts = ["input", "cacheRead", "cacheWrite", "cacheWrite1h"] as const;
const outputCounts = ["output", "reasoning"] as const;

type Counted = keyof TokenCounts | "audioSeconds" | "cost";

function isLess(count: number | undefined, than: number | undefined): boolean {
  return count !== undefined && than !== undefined && count < than;
}

function keepMembers(usage: Usage, from: Usage, names: readonly Counted[]): void {
  for (const name of names) {
    const count = from[name];
    if (count === undefined) delete usage[name];
    else usage[name] = count;
  }
}

const termNames: ReadonlySet<string> = new Set(["serviceTier", "region", "searchContext"]);

/** Whether it tells that anything was used, and not only on which terms. */
export function tellsUse(usage: Usage): boolean {
  return Object.keys(usage).some((name) => !termNames.has(name));
}

type Counts = Readonly<Record<string, number | undefined>>;

/** The larger count of each name. */
export function largerCounts(one: Counts, other: Counts): Record<string, number> {
  const most: Record<string, number> = {};
  for (const counts of [one, other])
    for (const [name, count = 0] of Object.entries(counts))
      most[name] = Math.max(most[name] ?? 0, count);
  return most;
}

/** Counts as they were read, where some may be unknown. */
export type ReadCounts = { readonly [Name in keyof TokenCounts]: number | undefined };

/** Those that are known. One by one: a spread for each costs ten times as much, and every answer is counted. */
export function knownCounts(read: ReadCounts): TokenCounts {
  const counts: TokenCounts = {};
  if (read.input !== undefined) counts.input = read.input;
  if (read.cacheRead !== undefined) counts.cacheRead = read.cacheRead;
  if (read.cacheWrite !== undefined) counts.cacheWrite = read.cacheWrite;
  if (read.cacheWrite1h !== undefined) counts.cacheWrite1h = read.cacheWrite1h;
  if (read.output !== undefined) counts.output = read.output;
  if (read.reasoning !== undefined) counts.reasoning = read.reasoning;
  return counts;
}
