/** What is told about a request when it has ended. Sinks read it; none of them may slow, delay or fail a request. */
import type { ClientFormatName } from "../core/format-name.ts";
import type { ProblemCode } from "../core/problem.ts";
import type { RequestRecord } from "../workspace/contract/request-record.ts";

/** When a request reached its stages, epoch ms; missing where it did not get so far. */
export interface StageTimes {
  readonly arrived: number;
  readonly identified?: number;
  /** The body was read. */
  readonly parsed?: number;
  readonly planned?: number;
  readonly admitted?: number;
  readonly ended: number;
}

/** What every request has, however far it came. */
interface FinishedBase {
  readonly id: string;
  readonly format: ClientFormatName;
  /** Of the response; 200 for an error that was rendered as an answer, 499 where the client left. */
  readonly status: number;
  readonly times: StageTimes;
  /** The code of the gateway's own refusal. */
  readonly refusedWith?: ProblemCode;
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
  /** Whether the document or a list of its providers names the model; another id may be a client's own text. */
  readonly namesModel: (id: string) => boolean;
  /** What the client called the model, where that is a name of the workspace's own. */
  readonly requestedModel?: string;
}

/** A request that ended. */
export type FinishedRequest = FinishedIdentified | FinishedUnidentified;
