/**
 * Token counts in one meaning for all dialects. `input` is everything the model read, cached tokens and
 * cache writes included; `output` is everything it wrote, reasoning included. A missing member is unknown.
 */
export interface Usage extends TokenCounts {
  /** Where an answer took several calls of models: each of them. The counts are their sums. */
  steps?: UsageStep[];
}

/** One of the calls that an answer took, as it is billed. */
export interface UsageStep extends TokenCounts {
  /** The provider's id of the model that ran; missing: the one that was asked. */
  model?: string;
}

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

/** Later counts replace earlier ones member by member: providers report running totals, never increments. */
export function addUsage(before: Usage, after: Usage): Usage {
  return { ...before, ...after };
}
