/** What an agent's work shows of how it goes. */

/** One call with its result. */
export interface WorkStep {
  readonly failed: boolean;
  /** Equal for equal calls with equal results. */
  readonly key: string;
  /** Of a failed step: equal where the same thing fails in the same way. */
  readonly failure?: string;
}

/** Why a human's ask says that the work before it did not succeed. */
export type Complaint = "said to be wrong" | "asked again" | "interrupted";

/** The course of the work, as far as the conversation shows it. */
export interface WorkSigns {
  /** The last six steps since the last ask, newest first. */
  readonly steps: readonly WorkStep[];
  /** Calls of the whole conversation: tells which steps came after a model took over. */
  readonly calls: number;
  /** The last step before this ask failed. */
  readonly leftFailing: boolean;
  /** What this ask says of the work before it; undefined inside of a tool loop. */
  readonly complaint?: Complaint;
}
