/** Refusals as frames: in the envelope that they have over HTTP, with the status as a number. */
import type { ErrorDetails } from "../../core/format.ts";
import { Problem, problemCodes } from "../../core/problem.ts";
import type { SocketError, SocketFormat } from "../../core/socket-format.ts";
import { asObject, isObject, parseJson } from "../../lib/json.ts";
import { loggedProblem } from "../problems.ts";
import type { Received } from "../received.ts";
import { errorDetails } from "../refuse.ts";
import { unknownResponseCode } from "../response-owner.ts";

/** The client that gets a refusal. */
export interface Refusing {
  readonly received: Pick<Received, "id" | "client" | "policy" | "http" | "publicOrigin">;
  readonly format: SocketFormat;
  readonly lane: string | undefined;
}

/** The frame for what was thrown. */
export function refusalFrame(error: unknown, refusing: Refusing): string {
  const { received } = refusing;
  const problem = loggedProblem(error);
  const headers = lowerCased(new Headers(problem.headers), received.id);
  const envelope = received.client.writeError(errorDetails(problem, received), received.id);
  return errorFrame({ status: problem.status, envelope, headers }, refusing);
}

/** The same for a refusal that was written for HTTP. */
export async function refusedFrame(response: Response, refusing: Refusing): Promise<string> {
  const { received } = refusing;
  const envelope = parseJson(await response.text());
  if (response.ok || !isObject(envelope))
    return refusalFrame(
      new Error(`a message was answered with status ${response.status}`),
      refusing,
    );
  const headers = lowerCased(response.headers, received.id);
  return errorFrame({ status: response.status, envelope, headers }, refusing);
}

function errorFrame(error: SocketError, { received, format, lane }: Refusing): string {
  return format.writeError({ ...error, status: frameStatus(error, received) }, lane);
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
 * Codex 0.169 takes most statuses for a fault of the connection: it opens five others and then sends everything over
 * HTTP, thirteen seconds in all. At 400 it stops at once and shows the error, message included. So a refusal that stays
 * is told by that; `model_not_found` it knows. A 429 without a time to wait ends its turn too, but shows nothing.
 */
function frameStatus(
  { status, envelope, headers }: SocketError,
  { http }: Pick<Received, "http">,
): number {
  if (!/^codex[_-]/.test(http.headers.get("user-agent") ?? "")) return status;
  const isKnown = asObject(envelope["error"])?.["code"] === "model_not_found";
  const stays = status === 429 ? headers["retry-after"] === undefined : lasting.has(status);
  return stays && !isKnown ? 400 : status;
}

const lasting: ReadonlySet<number> = new Set([401, 402, 403, 404, 413, 415, 422]);

/** OpenAI's words for a response that is not kept: clients that know them send the whole conversation instead. */
export function unknownResponse(id: string, { continuesField }: SocketFormat): Problem {
  const message = `Previous response with id '${id.slice(0, 200)}' not found.`;
  return new Problem(problemCodes.invalidRequest, message, {
    code: unknownResponseCode,
    extra: { param: continuesField },
    exact: true,
  });
}

/** The last frame of a socket that the client should open again. `reason`: a sentence that says why. */
export function connectionLimit({ received, format, lane }: Refusing, reason?: string): string {
  const details: ErrorDetails = {
    status: 400,
    message: `${reason ?? "This WebSocket is closing."} Open a new one to continue.`,
    type: "invalid_request_error",
    code: "websocket_connection_limit_reached",
  };
  const envelope = received.client.writeError(details, received.id);
  return format.writeError({ status: details.status, envelope, headers: {} }, lane);
}
