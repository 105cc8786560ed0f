/** The form in which the fitted weights are stored. */

/** Numbers per cell: one logit for each tier, and the gain. */
export const outputsPerCell = 5;

/** The fitted tables of the score. Written by `npm run train:routing`. */
export interface Weights {
  readonly version: string;
  /** First 16 hex digits of the SHA-256 of `table`. */
  readonly hash: string;
  /** Logits per unit of the table, for the tiers and for the gain. */
  readonly scale: readonly [number, number];
  /** Logits of the four tiers and of the gain before any feature is added. */
  readonly bias: readonly [number, number, number, number, number];
  /** int16, little-endian, base64: five numbers per cell, cells in the order of `scoreFeatures`. */
  readonly table: string;
}
