/** A refusal of the gateway's own, in the client's format: an error with its status, or rendered as an answer. */
import { Problem, problemCodes } from "../core/problem.ts";
import type { ErrorDetails, RequestDescription } from "../core/format.ts";
import { replay, type Reply } from "../core/reply.ts";
import { isObject, parseJson, type JsonObject } from "../lib/json.ts";
import { newId } from "../lib/ids.ts";
import { requestTimer } from "../lib/request-timer.ts";
import { actsOn, errorDelivery } from "./error-delivery.ts";
import type { Exchange } from "./exchange.ts";
import { type Explaining, explainedMessage } from "./explained.ts";
import { loggedProblem } from "./problems.ts";
import type { Received } from "./received.ts";
import { unknownResponseCode } from "./response-owner.ts";
import { streamHeaders, wholeStream } from "./stream-form.ts";
import { threadCodes } from "./threads.ts";
import { letFinish, refusedPatience } from "./request/unread-body.ts";
import { departed } from "../workspace/rules/sums/logged-outcome.ts";

const permanent: ReadonlySet<number> = new Set([400, 401, 402, 403, 404, 405, 413, 415, 422]);

/** The answer to whatever was thrown; it ends the exchange. */
export async function refuse(error: unknown, exchange: Exchange): Promise<Response> {
  const problem = exchange.stage.departure.happened ? departure(error) : loggedProblem(error);
  await exchange.end({ kind: "refused", problem });
  return await refusal(problem, exchange);
}

/** Whatever broke when the client left says nothing but that. */
function departure(error: unknown): Problem {
  if (error instanceof Problem && error.status === departed) return error;
  const message = "The client left before the answer.";
  return new Problem(problemCodes.invalidRequest, message, { status: departed });
}

/** Reads what is left of a small body to learn whether the caller wants errors rendered. */
async function refusal(problem: Problem, exchange: Exchange): Promise<Response> {
  const { stage } = exchange;
  if (mayRender(problem, stage)) {
    const description = await describedBy(exchange);
    // A limit's block is always an answer, in the variant that has it as one.
    const renders =
      problem.marker === problemCodes.limitReached || wantsRendering(stage, description);
    if (renders) return render(problem, exchange, description);
  }
  await letFinish(stage.http);
  const headers = exchange.headers(problem.marker);
  headers["Content-Type"] = "application/json";
  for (const [name, value] of Object.entries(problem.headers)) headers[name] = value;
  if (permanent.has(problem.status)) headers["x-should-retry"] = "false";
  const body = stage.client.writeError(errorDetails(problem, stage), stage.id);
  return new Response(JSON.stringify(body), { status: problem.status, headers });
}

/** What an error says in the client's format and the deployment's variant. */
export function errorDetails(
  problem: Problem,
  received: Pick<Received, "client"> & Explaining,
): ErrorDetails {
  const { client, policy } = received;
  const { usedUp } = problem;
  const waits = retryAfterOf(problem);
  return {
    status: problem.status,
    message: explainedMessage(problem, received),
    type: client.errorType(problem.typeStatus, problem.type),
    code: policy.code(problem.code, problem.status),
    ...(Object.keys(problem.extra).length > 0 && { extra: problem.extra }),
    ...(waits !== undefined && { retryAfter: waits }),
    ...(usedUp !== undefined && { usedUp }),
  };
}

/** Whole seconds: what the header says, or until the period of a used-up limit ends. */
function retryAfterOf({ headers, usedUp }: Problem): number | undefined {
  const stated = headers["Retry-After"];
  if (stated !== undefined) return Number(stated);
  const resets = Date.parse(usedUp?.resetsAt ?? "");
  return Number.isNaN(resets) ? undefined : Math.max(1, Math.ceil((resets - Date.now()) / 1000));
}

/** Never rendered: what nobody reads, what operations ask, rate limits, overload, too large, wrong media type, unknown paths and unknown responses. */
function mayRender(problem: Problem, stage: Exchange["stage"]): boolean {
  const { generates, operation, policy, socket } = stage;
  if (!generates || operation !== undefined || socket !== undefined) return false;
  if (problem.status === departed) return false;
  if (wantsStatus(stage) || actsOn(problem.status, stage)) return false;
  if (problem.marker === problemCodes.limitReached) return problem.status === 200;
  return (
    policy.rendersErrors &&
    problem.status !== 429 &&
    problem.status !== 413 &&
    problem.status !== 415 &&
    problem.marker !== problemCodes.unknownPath &&
    problem.marker !== problemCodes.overloaded &&
    problem.code !== unknownResponseCode &&
    !threadCodes.has(problem.code)
  );
}

/** Known as soon as the caller is. */
function wantsStatus(stage: Exchange["stage"]): boolean {
  return "holder" in stage && errorDelivery(stage) === "status";
}

/** Where the address says how to answer, its method decides: such clients accept anything. */
function wantsRendering({ http, address }: Received, { stream }: RequestDescription): boolean {
  if (address !== undefined) return stream;
  const accept = http.headers.get("accept") ?? "";
  return stream || accept.toLowerCase().includes("text/event-stream");
}

/** By the parsed body, or by one that is readable up to 1 MB: a caller without a good key is worth no more work. */
async function describedBy({ stage }: Exchange): Promise<RequestDescription> {
  if ("request" in stage) return stage.request.description;
  return stage.client.describe((await peekBody(stage)) ?? {}, stage.address);
}

/** What is read of a body before the caller is known, in bytes, inflated. */
const peeked = { cap: 1024 * 1024, patience: refusedPatience };

/** The request has ended: its own timer sleeps. */
async function peekBody({ body }: Received): Promise<JsonObject | undefined> {
  const timer = requestTimer();
  try {
    const value = parseJson(await body.text({ ...peeked, timer }));
    return isObject(value) ? value : undefined;
  } catch {
    // An unreadable body counts as one that does not ask for a stream.
    return undefined;
  } finally {
    timer.stop();
  }
}

const longestModel = 512;

/** The problem's text as the assistant's answer, streamed when a stream was asked for. */
function render(problem: Problem, exchange: Exchange, description: RequestDescription): Response {
  const { client } = exchange.stage;
  const reply: Reply = {
    blocks: [{ kind: "text", text: explainedMessage(problem, exchange.stage), citations: [] }],
    usage: { input: 0, output: 0 },
    stop: { reason: "end" },
  };
  const { wantsUsage, stream } = description;
  const model = description.model === "" ? "auto" : description.model.slice(0, longestModel);
  const now = Math.floor(Date.now() / 1000);
  // Nothing of a request is repeated that was refused.
  const { address } = exchange.stage;
  const echo = {
    model,
    wantsUsage,
    newId,
    now,
    request: {},
    ...(address !== undefined && { address }),
  };
  const headers = exchange.headers(problem.marker);
  if (!stream) {
    headers["Content-Type"] = "application/json";
    return new Response(JSON.stringify(client.writeReply(reply, echo)), { headers });
  }
  const framing = client.framing?.(address);
  const text = wholeStream(client.eventWriter(echo).write(replay(reply)), framing);
  return new Response(text, { headers: { ...headers, ...streamHeaders(framing) } });
}
