/** A client's request as its body states it, in its own format and in the hub's. */
import type { ClientFormat, RequestAddress, RequestDescription } from "../core/format.ts";
import type { ModelRequest } from "../core/request.ts";
import { invalid } from "../core/problem.ts";
import { exactly, mostIntegers, TooManyIntegers } from "../lib/exact.ts";
import type { JsonObject } from "../lib/json.ts";
import type { OperationRequest } from "../operations/operation.ts";
import { checkInputs, takeInputs } from "../translation/call-inputs.ts";
import { mayHoldState } from "../translation/opaque-state.ts";

export interface ClientRequest {
  readonly body: JsonObject;
  /** The same with every integer as the client wrote it, for whoever hands it on unread: `body` itself unless one is long. */
  readonly exact: JsonObject;
  readonly description: RequestDescription;
  /** What its address says beside the body. */
  readonly address?: RequestAddress;
  /** Characters of the body. */
  readonly size: number;
  /** What a large body was parsed from, for relays. */
  readonly sent?: SentText;
  /** The body holds opaque state with this gateway's tag. */
  readonly tagged: boolean;
  /** What is asked instead of a generation; such a request is never read in the hub's terms. */
  readonly operation?: OperationRequest;
  /** The request in the hub's terms, read once. Throws M300 where the format cannot be understood. */
  inHub(): ModelRequest;
}

/** A request of an operation. `size`: characters or bytes of its body. */
export function operationAsked(operation: OperationRequest, size: number): ClientRequest {
  const { content, description } = operation;
  return {
    body: content.fields,
    exact: content.fields,
    description,
    size,
    tagged: false,
    operation,
    inHub() {
      throw new Error("a request of an operation is no generation");
    },
  };
}

/** A text beside the object that it was parsed to: a relay changes few of its members in the text. */
export interface SentText {
  readonly value: JsonObject;
  /** Undefined as soon as nobody needs it any more. */
  text: string | undefined;
}

/** Below so many characters the object is written anew as fast. */
const shortestSent = 4 * 1024;

/** What a request came as: `text` is what `body` was parsed from. */
export interface Sent {
  readonly body: JsonObject;
  readonly text: string;
  readonly address?: RequestAddress;
}

/** Reads nothing of the body but what must be known of every request. */
export function clientRequest(format: ClientFormat, { body, text, address }: Sent): ClientRequest {
  const exact = exactBody(body, text);
  if (exact !== body) takeInputs(body, exact);
  let read: ModelRequest | undefined;
  const tagged = mayHoldState(text);
  const size = text.length;
  // Of a tagged body a copy is sent, and exact integers are no members like others.
  const isKept = size >= shortestSent && exact === body && !tagged;
  return {
    body,
    exact,
    description: format.describe(body, address),
    ...(address !== undefined && { address }),
    size,
    ...(isKept && { sent: { value: body, text } }),
    tagged,
    inHub: () => (read ??= readRequest(format, body, address)),
  };
}

function exactBody(body: JsonObject, text: string): JsonObject {
  try {
    return exactly(body, text);
  } catch (error) {
    if (!(error instanceof TooManyIntegers)) throw error;
    const most = mostIntegers.toLocaleString("en-US");
    throw invalid("body", `more than ${most} integers beyond 2^53`);
  }
}

function readRequest(
  format: ClientFormat,
  body: JsonObject,
  address: RequestAddress | undefined,
): ModelRequest {
  const request = format.readRequest(body, address);
  checkInputs(request);
  return request;
}
