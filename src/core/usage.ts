/**
 * Token counts in one meaning for all dialects. `input` is everything the model read, cached tokens and
 * cache writes included; `output` is everything it wrote, reasoning included. A missing member is unknown.
 */
export interface Usage {
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
