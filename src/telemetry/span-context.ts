/** Where a request stands in its trace. */

/** The gateway's own span of a request. Ids in lower-case hexadecimal. */
export interface SpanContext {
  readonly traceId: string;
  readonly spanId: string;
  /** The span of whoever sent the request, where a trace came along. */
  readonly parentId?: string;
  /** The other vendors' state, as it came. */
  readonly state?: string;
  /** Whether its spans are recorded. */
  readonly sampled: boolean;
}
