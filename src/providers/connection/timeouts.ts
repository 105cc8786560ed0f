/** How long a provider may take, phase by phase. Seconds. */
import type { ModelInfo } from "../../core/model.ts";
import { recordFor, type Connection, type ListedModel } from "./connection.ts";
import { rulesFor } from "./model-rules.ts";

/** A whole answer's headers come when all of it is made: the longest wait, as long as clients' libraries wait. */
const longestWhole = 600;
/** What every whole answer may take, of a model that thinks first and of others. */
const thinkingWhole = 300;
const plainWhole = 120;
/** Tokens a second that a slow model writes. */
const slowPace = 40;
/** How many times as long as the longest of its latest whole answers a model may take. */
const patience = 3;

/** Seconds until the headers of a stream. */
export function headersTimeout(connection: Connection): number {
  return connection.timeouts.headers;
}

/** What the wait for a whole answer depends on beside the model. */
export interface WholeWait {
  /** The limit of output tokens that the client set. */
  readonly maxOutput: number | undefined;
  /** Seconds that the longest of the model's latest whole answers took; 0 where none is known. */
  readonly latest: number;
}

/** Seconds until the headers of a whole answer. Nothing shows meanwhile whether the client is still there. */
export function wholeTimeout(model: ListedModel, wait: WholeWait): number {
  const { connection, info } = model;
  const given = connection.entry.timeouts?.headers;
  if (given !== undefined) return given;
  const expected = Math.max(
    thinks(info) ? thinkingWhole : plainWhole,
    firstContentTimeout(model),
    (wait.maxOutput ?? 0) / slowPace,
    wait.latest * patience,
  );
  return Math.ceil(Math.min(expected, longestWhole, connection.timeouts.total));
}

/** Seconds that a stream may take while content flows; undefined, no bound, where its entry sets none. */
export function streamTimeout(connection: Connection): number | undefined {
  return connection.entry.timeouts?.total;
}

const firstContentKept = new WeakMap<ListedModel, number>();

/** Seconds that the model may take to its first content. */
export function firstContentTimeout(model: ListedModel): number {
  let seconds = firstContentKept.get(model);
  if (seconds === undefined) firstContentKept.set(model, (seconds = findFirstContent(model)));
  return seconds;
}

function findFirstContent({ connection, info }: ListedModel): number {
  if (connection.entry.timeouts?.first_content !== undefined)
    return connection.timeouts.firstContent;
  const waits = rulesFor(recordFor(connection), info.id).map((rule) => rule.firstContent ?? 0);
  return Math.max(connection.timeouts.firstContent, thinks(info) ? 180 : 0, ...waits);
}

function thinks({ features }: ModelInfo): boolean {
  return features?.includes("reasoning") === true;
}
