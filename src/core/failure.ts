import type { JsonObject, JsonValue } from "../lib/json.ts";
import type { Problem } from "./problem.ts";
import type { Usage } from "./usage.ts";

/**
 * A provider's failure, as a value. Status, type, code and message are the provider's own where it gave them. A failure
 * without an HTTP status counts as 504 (timeout) or 502 (every other cause).
 */
export interface Failure {
  cause: FailureCause;
  /** The HTTP status that it counts as. */
  status: number;
  message: string;
  /** The provider's `error.type`. */
  type?: string;
  /** The provider's `error.code` if it is a string that is not a number; Gemini's `error.status`. */
  code?: string;
  /** What the provider says in machine-readable form beside its message. */
  details?: JsonObject | JsonValue[];
  /** Whole seconds. */
  retryAfter?: number;
  /** Headers of the provider's answer that the client acts on, as they came. */
  headers?: Readonly<Record<string, string>>;
  /** The request does not fit in the model's context window. */
  overflow?: boolean;
  /** What the provider reported to have used before it failed. */
  usage?: Usage;
  /** The provider was at work on the answer, and may bill what it did. */
  mayBill?: true;
  /** The provider was not asked: the gateway's own reason. */
  problem?: Problem;
  /** Nothing of the answer has reached the client: asking again repeats nothing. */
  beforeContent?: true;
  /** The gateway itself ended or broke the answer: it says nothing of the provider's health. */
  ours?: true;
}

/** What went wrong. */
export type FailureCause =
  /** The provider answered with an error status. */
  | "status"
  /** An error event or an error body in an answer with status 200. */
  | "stated"
  /** The connection could not be made. */
  | "refused"
  /** The connection broke before the answer. */
  | "reset"
  /** The answer broke off. */
  | "cut"
  | "empty"
  /** A web page in place of an answer. */
  | "html"
  /** Something that is no answer of the provider's format. */
  | "wrong_type"
  | "redirect"
  | "timeout"
  /** The client left before the answer. */
  | "left";
