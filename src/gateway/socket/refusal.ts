/** Refusals as frames: in the envelope that they have over HTTP, with the status as a number. */
import type { ErrorDetails } from "../../core/format.ts";
import { Problem, problemCodes } from "../../core/problem.ts";
import type { SocketFormat } from "../../core/socket-format.ts";
import { isObject, parseJson } from "../../lib/json.ts";
import { loggedProblem } from "../problems.ts";
import type { Received } from "../received.ts";
import { errorDetails } from "../refuse.ts";

/** Whom a refusal is told. */
export interface Refusing {
  readonly received: Pick<Received, "id" | "client" | "policy" | "http">;
  readonly format: SocketFormat;
  readonly lane: string | undefined;
}

/** The frame for what was thrown. */
export function refusalFrame(error: unknown, refusing: Refusing): string {
  const { received, format, lane } = refusing;
  const problem = loggedProblem(error);
  const headers = lowerCased(new Headers(problem.headers), received.id);
  return format.writeError(
    {
      status: frameStatus(problem.status, received),
      envelope: received.client.writeError(errorDetails(problem, received), received.id),
      headers,
    },
    lane,
  );
}

/** The same for a refusal that was written for HTTP. */
export async function refusedFrame(response: Response, refusing: Refusing): Promise<string> {
  const { received, format, lane } = refusing;
  const envelope = parseJson(await response.text());
  if (response.ok || !isObject(envelope))
    return refusalFrame(
      new Error(`a message was answered with status ${response.status}`),
      refusing,
    );
  const headers = lowerCased(response.headers, received.id);
  const status = frameStatus(response.status, received);
  return format.writeError({ status, envelope, headers }, lane);
}

/** What clients act on, and the id that the request has in the log. */
const told = ["retry-after", "x-should-retry"];

function lowerCased(headers: Headers, id: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of told) {
    const value = headers.get(name);
    if (value !== null) found[name] = value;
  }
  return { ...found, "x-gateway-request-id": id };
}

/**
 * Codex takes a status of 401 or 402 for a fault of the connection: it opens five others and then sends everything over
 * HTTP, seven seconds in all. A refusal that stays is told by the status at which it stops at once and shows the message.
 */
function frameStatus(status: number, { http }: Pick<Received, "http">): number {
  const isCodex = /^codex[_-]/.test(http.headers.get("user-agent") ?? "");
  return isCodex && (status === 401 || status === 402) ? 404 : status;
}

/** OpenAI's words for a response that is not kept: clients that know them send the whole conversation instead. */
export function unknownResponse(id: string): Problem {
  const message = `Previous response with id '${id.slice(0, 200)}' not found.`;
  return new Problem(problemCodes.invalidRequest, message, {
    code: "previous_response_not_found",
    extra: { param: "previous_response_id" },
  });
}

/** The frame with which a socket ends that is to be opened anew. */
export function connectionLimit(
  { received, format }: Pick<Refusing, "received" | "format">,
  lane?: string,
): string {
  const details: ErrorDetails = {
    status: 400,
    message: "This WebSocket has come to its end. Open a new one to go on.",
    type: "invalid_request_error",
    code: "websocket_connection_limit_reached",
  };
  const envelope = received.client.writeError(details, received.id);
  return format.writeError({ status: details.status, envelope, headers: {} }, lane);
}
