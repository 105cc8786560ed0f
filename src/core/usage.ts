/**
 * Token counts with one meaning for all formats. `input` is everything the model read, cached tokens and cache writes
 * included; `output` is everything it wrote, reasoning included. A missing member is unknown.
 */
export interface Usage extends TokenCounts {
  /** Each model call of an answer that took several. The counts are their sums. */
  steps?: UsageStep[];
  /** The service tier that served it, in the provider's own word. */
  serviceTier?: string;
  /** Uses of the provider's own tools that are billed beside tokens. */
  toolUses?: ToolUses;
  /** Parts of the tokens that are no text, where they have prices of their own. */
  media?: MediaTokens;
  /** Seconds of audio that were heard, where they are billed instead of tokens. */
  audioSeconds?: number;
}

/** Tokens of images and sound, included in the counts of input and output. */
export interface MediaTokens {
  inputImage: number;
  inputAudio: number;
  outputImage: number;
  outputAudio: number;
}

/** Tools of providers that are billed by the use. */
export type PaidTool = "webSearch" | "fileSearch";

/** How often each was used; a missing one was not. */
export type ToolUses = Readonly<Partial<Record<PaidTool, number>>>;

/** One of the model calls that an answer took, as it is billed. */
export interface UsageStep extends TokenCounts {
  /** The provider's id of the model that ran; missing: the model that was requested. */
  model?: string;
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
 * Later counts replace earlier ones member by member: providers report running totals, never increments. A total that
 * shrinks keeps the larger one, with its parts: what was used once is billed. Only a list of steps takes back what was
 * told before: a step that is not billed is not in it.
 */
export function addUsage(before: Usage, after: Usage): Usage {
  const usage = { ...before, ...after };
  const { input, output, toolUses, steps } = after;
  if (before.toolUses !== undefined && toolUses !== undefined)
    usage.toolUses = mostUses(before.toolUses, toolUses);
  if (steps !== undefined) return usage;
  if (input !== undefined && input < (before.input ?? 0)) keepCounts(usage, before, inputCounts);
  if (output !== undefined && output < (before.output ?? 0))
    keepCounts(usage, before, outputCounts);
  return usage;
}

const inputCounts = ["input", "cacheRead", "cacheWrite", "cacheWrite1h"] as const;
const outputCounts = ["output", "reasoning"] as const;

function keepCounts(usage: Usage, from: Usage, names: readonly (keyof TokenCounts)[]): void {
  delete usage.steps;
  for (const name of names) {
    const count = from[name];
    if (count === undefined) delete usage[name];
    else usage[name] = count;
  }
}

function mostUses(before: ToolUses, after: ToolUses): ToolUses {
  const uses: Record<string, number> = { ...before, ...after };
  for (const [tool, count] of Object.entries(before)) uses[tool] = Math.max(count, uses[tool] ?? 0);
  return uses;
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
