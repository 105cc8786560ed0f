/**
 * A provider's failure, as a value. Status, type, code and message are the provider's own;
 * failures without a status get 502 (refused, reset, cut, empty, html, wrong_type, redirect) or 504 (timeout).
 */
export interface Failure {
  cause: FailureCause;
  /** HTTP status to count it as. */
  status: number;
  message: string;
  /** The provider's `error.type`. */
  type?: string;
  /** The provider's `error.code`, if it is a string that is not a number; Gemini's `status` word. */
  code?: string;
  /** Whole seconds. */
  retryAfter?: number;
  /** The request does not fit in the model's context window. */
  overflow?: boolean;
}

export type FailureCause =
  /** The provider answered with an error status. */
  | "status"
  /** An error event or an error body inside a 200. */
  | "stated"
  | "refused"
  | "reset"
  | "cut"
  | "empty"
  | "html"
  | "wrong_type"
  | "redirect"
  | "timeout";
