/** The error envelope of Gemini clients. */
import type { Failure } from "../../../core/failure.ts";
import type { ErrorDetails } from "../../../core/format.ts";
import type { JsonObject } from "../../../lib/json.ts";
import { overflowCode } from "../../../translation/errors.ts";

/** The error envelope that Gemini clients read: `code` is the HTTP status. */
export function writeError(
  { status, message, type }: ErrorDetails,
  _requestId: string,
): JsonObject {
  return { error: { code: status, message, status: type } };
}

const words: Readonly<Record<number, string>> = {
  401: "UNAUTHENTICATED",
  402: "PERMISSION_DENIED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  499: "CANCELLED",
  500: "INTERNAL",
  501: "UNIMPLEMENTED",
  504: "DEADLINE_EXCEEDED",
};

/** `error.status` of a failure with this status. */
export function errorType(status: number): string {
  return words[status] ?? (status < 500 ? "INVALID_ARGUMENT" : "UNAVAILABLE");
}

/** A context overflow as Gemini states it. */
export function overflowError({
  message,
}: Failure): Pick<ErrorDetails, "message" | "type" | "code"> {
  return { message, type: "INVALID_ARGUMENT", code: overflowCode };
}
