/** How long a provider may take, phase by phase. Seconds. */
import type { ModelInfo } from "../../core/model.ts";
import { recordFor, type Connection } from "./connection.ts";
import { rulesFor } from "./model-rules.ts";

/** Without a limit of its own, a whole answer may be as long in the making as clients' libraries wait. */
const wholeAnswer = 600;

/** Seconds until the answer's headers. Those of a whole answer come when all of it is made. */
export function headersTimeout(connection: Connection, stream: boolean): number {
  const given = connection.entry.timeouts?.headers;
  const usual = connection.timeouts.headers;
  return (
    given ?? (stream ? usual : Math.max(usual, Math.min(wholeAnswer, connection.timeouts.total)))
  );
}

/** Seconds that a stream may take while content flows; undefined, no bound, where its entry sets none. */
export function streamTimeout(connection: Connection): number | undefined {
  return connection.entry.timeouts?.total;
}

/** Seconds that the model may take to its first content. */
export function firstContentTimeout(connection: Connection, info: ModelInfo): number {
  if (connection.entry.timeouts?.first_content !== undefined)
    return connection.timeouts.firstContent;
  const waits = rulesFor(recordFor(connection), info.id).map((rule) => rule.firstContent ?? 0);
  const thinks = info.features?.includes("reasoning") === true ? 180 : 0;
  return Math.max(connection.timeouts.firstContent, thinks, ...waits);
}
