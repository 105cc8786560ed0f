/** Sums of blocks, fallbacks and times until the first byte, beside those of requests. */
export function sumOutcomes(_sql: SqlStorage): void {
  // Its tables follow.
}
