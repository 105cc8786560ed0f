/** A refusal of the gateway's own, in the caller's dialect: an error with its status, or spoken as an answer. */
import type { ErrorWords } from "../core/format.ts";
import type { ClientFormatName } from "../core/format-name.ts";
import { Problem } from "../core/problem.ts";
import { replay, type Reply } from "../core/reply.ts";
import { parseJson, isObject } from "../lib/json.ts";
import { newId } from "../lib/ids.ts";
import { forAWhile, letFinish, readText } from "./body.ts";
import type { Call } from "./call.ts";
import { baseHeaders } from "./headers.ts";

const permanent: ReadonlySet<number> = new Set([400, 401, 402, 403, 404, 405, 413, 415, 422]);

/** The names of error types in the dialect whose clients know another set, by status. */
const typesByStatus: Record<ClientFormatName, ((status: number) => string) | undefined> = {
  chat: undefined,
  responses: undefined,
  messages: (status) =>
    ({
      400: "invalid_request_error",
      401: "authentication_error",
      402: "billing_error",
      403: "permission_error",
      404: "not_found_error",
      405: "invalid_request_error",
      413: "request_too_large",
      415: "invalid_request_error",
      422: "invalid_request_error",
      424: "api_error",
      429: "rate_limit_error",
      504: "timeout_error",
      529: "overloaded_error",
    })[status] ?? (status >= 500 ? "api_error" : "invalid_request_error"),
};

/** `error.type` of a failure with this status in the client's vocabulary. */
export function errorType(client: ClientFormatName, status: number, openAiShaped: string): string {
  return typesByStatus[client]?.(status) ?? openAiShaped;
}

/** The answer to a problem. Reads what is left of a small body to learn whether the caller wants to be spoken to. */
export async function refuse(call: Call, problem: Problem): Promise<Response> {
  const spoken =
    call.generates &&
    (problem.marker === "M200"
      ? problem.status === 200
      : call.policy.rendersErrors && speakable(problem));
  if (spoken) {
    const wish = await renderingWish(call);
    if (problem.marker === "M200" || wish.renders) return speak(call, problem, wish);
  }
  await letFinish(call.request);
  const headers = baseHeaders(call, problem.marker);
  headers["Content-Type"] = "application/json";
  for (const [name, value] of Object.entries(problem.headers)) headers[name] = value;
  if (permanent.has(problem.status)) headers["x-should-retry"] = "false";
  return new Response(JSON.stringify(call.dialect.writeError(wordsOf(call, problem), call.id)), {
    status: problem.status,
    headers,
  });
}

function wordsOf(call: Call, problem: Problem): ErrorWords {
  const { policy } = call;
  return {
    status: problem.status,
    message: policy.message(problem),
    type: errorType(call.client, problem.status, problem.type),
    code: policy.code(problem.code, problem.status),
    ...(Object.keys(problem.extra).length > 0 && { extra: problem.extra }),
  };
}

/** Never spoken: rate limits, too large, wrong media type, unknown paths. */
function speakable(problem: Problem): boolean {
  return (
    problem.status !== 429 &&
    problem.status !== 413 &&
    problem.status !== 415 &&
    problem.marker !== "M301"
  );
}

interface Wish {
  renders: boolean;
  streams: boolean;
  /** Chat: the chunk with the usage was asked for. */
  wantsUsage: boolean;
  model: string;
}

/** Whether and how the caller wants a spoken error: by its body, if it is readable up to 1 MB, and by `Accept`. */
async function renderingWish(call: Call): Promise<Wish> {
  const accepts = (call.request.headers.get("accept") ?? "")
    .toLowerCase()
    .includes("text/event-stream");
  const body = call.body ?? (await forAWhile(peekBody(call.request)));
  const streams = body?.["stream"] === true;
  const model = typeof body?.["model"] === "string" ? body["model"].slice(0, 512) : "auto";
  const options = body?.["stream_options"];
  const wantsUsage = isObject(options) && options["include_usage"] === true;
  return { renders: streams || accepts, streams, wantsUsage, model };
}

async function peekBody(request: Request): Promise<Record<string, unknown> | undefined> {
  if (request.bodyUsed || request.body === null) return undefined;
  try {
    const value = parseJson(await readText(request, 1024 * 1024));
    return isObject(value) ? value : undefined;
  } catch {
    // An unreadable body counts as one that does not ask for a stream.
    return undefined;
  }
}

/** The problem's text as the assistant's words, in the caller's dialect, streamed when it asked for a stream. */
function speak(call: Call, problem: Problem, wish: Wish): Response {
  const now = Math.floor(Date.now() / 1000);
  const reply: Reply = {
    blocks: [{ kind: "text", text: call.policy.message(problem), citations: [] }],
    usage: { input: 0, output: 0 },
    stop: { reason: "end" },
  };
  const { model, wantsUsage } = wish;
  // Nothing of a request is repeated that was refused.
  const echo = { model, wantsUsage, newId, now, request: {} };
  const headers = baseHeaders(call, problem.marker);
  if (!wish.streams) {
    headers["Content-Type"] = "application/json";
    return new Response(JSON.stringify(call.dialect.writeReply(reply, echo)), { headers });
  }
  headers["Content-Type"] = "text/event-stream; charset=utf-8";
  headers["Cache-Control"] = "no-cache";
  return new Response(call.dialect.eventWriter(echo).write(replay(reply)), { headers });
}

/** Whatever was thrown, as a problem. Nothing of a fault's inside leaves. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof RangeError && /call stack/i.test(error.message)) {
    return new Problem("M300", "body: nested too deeply");
  }
  return new Problem(
    "M500",
    "The gateway failed to serve this request. The log of its process says why.",
  );
}
