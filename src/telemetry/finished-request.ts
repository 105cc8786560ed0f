/** What is told about a request when it has ended. Sinks read it; none of them may slow, delay or fail a request. */
import type { LoggedFormat } from "../core/operation-name.ts";
import type { ProblemCode } from "../core/problem.ts";
import type { ServerAddress } from "../providers/connection/server-address.ts";
import type { RequestRecord } from "../workspace/contract/request-record.ts";
import type { StopReason } from "../core/events.ts";
import type { SpanContext } from "./span-context.ts";

/** When a request reached its stages, epoch ms; missing where it did not get so far. */
export interface StageTimes {
  readonly arrived: number;
  readonly identified?: number | undefined;
  /** The body was read. */
  readonly parsed?: number | undefined;
  readonly planned?: number | undefined;
  readonly admitted?: number | undefined;
  readonly ended: number;
}

/** What every request has, however far it came. */
interface FinishedBase {
  readonly id: string;
  readonly format: LoggedFormat;
  /** Of the response; 200 for an error that was rendered as an answer, 499 where the client left. */
  readonly status: number;
  readonly times: StageTimes;
  /** The code of the gateway's own refusal. */
  readonly refusedWith?: ProblemCode | undefined;
  /** Of the request: one of HTTP's own, or `_OTHER`. */
  readonly method: string;
  readonly scheme: "http" | "https";
  /** Its place in a trace, where traces are made. */
  readonly trace?: SpanContext | undefined;
}

/** Who was asked in one attempt. */
export interface CallTarget {
  /** The provider's kind in the catalogue. */
  readonly kind: string;
  readonly server?: ServerAddress;
}

/** An answer that began, without what it says. */
export interface AnswerFacts {
  /** The provider's own id of the answer, and its name of the model. */
  readonly id?: string;
  readonly model?: string;
  readonly stop?: StopReason;
  /** Pieces of content that came. */
  readonly chunks: number;
  /** When the first of them was there, epoch ms. */
  readonly firstByte: number;
}

/** Messages in the shape that the semantic conventions give them, as JSON, redacted and bounded. */
export interface TracedText {
  readonly input: string;
  readonly output: string;
}

/** A request whose key was not good, or which never got so far as to show one: it has no row in any log. */
export interface FinishedUnidentified extends FinishedBase {
  readonly identified: false;
}

/** A request of a known key. */
export interface FinishedIdentified extends FinishedBase {
  readonly identified: true;
  readonly workspace: string;
  /** The row of the log. Its `error` and `text` may quote the request: sinks leave both out. */
  readonly record: RequestRecord;
  /** Who was asked, by the attempts of the record. */
  calls(): readonly CallTarget[];
  readonly answer?: AnswerFacts | undefined;
  /** What was said, only where the harness has it traced. Reads the request: to be called soon, and once. */
  readonly text?: (() => TracedText) | undefined;
  /** Whether the document or a list of its providers names the model; another id may be a client's own text. */
  readonly namesModel: (id: string) => boolean;
  /** What the client called the model, where that is a name of the workspace's own. */
  readonly requestedModel?: string | undefined;
}

/** A request that ended. */
export type FinishedRequest = FinishedIdentified | FinishedUnidentified;
