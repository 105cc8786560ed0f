/** What the tables are fitted to. */
export interface TrainingExample {
  /** Bin of every feature. */
  readonly bins: Uint8Array;
  /** Probability of each tier, where a label is known. */
  readonly tier?: readonly number[];
  /** How much better the expensive model of a pair answered, -1..1, where it was measured or estimated. */
  readonly gain?: number;
  /** The pair of models of which the gain was measured; estimates have none. */
  readonly pair?: string;
  /** Weights in the fit of the tiers and in that of the gain. */
  readonly weight: number;
  readonly gainWeight: number;
}
