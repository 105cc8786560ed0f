/** Which operations a connection offers, in which format and where. */
import type { ProviderFormatName } from "../../core/format-name.ts";
import type { OperationName } from "../../core/operation-name.ts";
import { recordFor, trimmed, type Connection } from "./connection.ts";
import { rootOf } from "./credentials.ts";
import { endpointsOf } from "./target.ts";

/** Where an operation is asked for. */
export interface OfferedOperation {
  readonly format: ProviderFormatName;
  /** Without a slash at its end. */
  readonly root: string;
}

/** Undefined where the connection lacks the operation. */
export function offeredOperation(
  connection: Connection,
  operation: OperationName,
): OfferedOperation | undefined {
  const place = recordFor(connection).operations?.[operation];
  if (place === undefined) return undefined;
  const format = endpointsOf(connection)
    .map((endpoint) => endpoint.format)
    .find((each) => speaks(each, operation));
  if (format === undefined) return undefined;
  const own = connection.entry.base_url === undefined ? place.base : undefined;
  return { format, root: trimmed(own ?? rootOf(connection, format)) };
}

/** OpenAI's formats have every operation, Gemini's has embeddings of its own form. */
function speaks(format: ProviderFormatName, operation: OperationName): boolean {
  return (
    format === "chat" ||
    format === "responses" ||
    (format === "gemini" && operation === "embeddings")
  );
}
