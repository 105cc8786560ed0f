/** How an exchange ends. */
import type { Failure } from "../core/failure.ts";
import type { Problem } from "../core/problem.ts";
import type { NoAnswer, StreamAnswer, WholeAnswer } from "../upstream/upstream.ts";
import type { Decided } from "./choose.ts";
import type { AnswerTotals } from "./totals.ts";

export type ExchangeOutcome = Answered | Unanswered | Refused;

/** A model answered, to its end or not. */
export interface Answered {
  readonly kind: "answered";
  readonly decided: Decided;
  readonly answer: StreamAnswer | WholeAnswer;
  readonly totals: AnswerTotals;
  readonly end: AnswerEnd;
  /** Epoch ms. */
  readonly firstByte: number;
}

export type AnswerEnd =
  | { readonly kind: "done" }
  | { readonly kind: "failed"; readonly failure: Failure }
  /** The client left before the end. */
  | { readonly kind: "gone" };

/** Every candidate failed. */
export interface Unanswered {
  readonly kind: "unanswered";
  readonly decided: Decided;
  readonly answer: NoAnswer;
  /** Of the response. */
  readonly status: number;
  readonly message: string;
}

/** The gateway itself refused, or failed. */
export interface Refused {
  readonly kind: "refused";
  readonly problem: Problem;
}
