/** The answer of the candidate that spoke: headers, then the stream or the whole, then the settlement. */
import { estimateRequest } from "../tokens/estimate.ts";
import type { ReplyEcho } from "../core/format.ts";
import { collect } from "../core/reply.ts";
import { newId } from "../lib/ids.ts";
import { asString, type JsonObject, type JsonValue } from "../lib/json.ts";
import type { Lease } from "./held-lease.ts";
import { maskFailure, maskSecrets } from "../providers/connection/mask.ts";
import { pricesBeside } from "../providers/models/directory.ts";
import { secretsOf } from "../upstream/send.ts";
import { responseHeaders } from "../upstream/failures.ts";
import { explained } from "../routing/explain.ts";
import { answerKey } from "../routing/key.ts";
import { tierOf } from "../routing/observe.ts";
import type { Failure } from "../core/failure.ts";
import type { Call } from "./call.ts";
import { asProblem } from "./refuse.ts";
import type { ChainResult } from "../upstream/chain.ts";
import { deliverStream, type End } from "./deliver.ts";
import { usageFilters } from "../formats/index.ts";
import type { Chosen } from "./order.ts";
import type { Shell } from "./services.ts";
import { baseHeaders, droppedHeader, headerText, type HeaderRecord } from "./headers.ts";
import type { Plan } from "./plan.ts";
import type { ReadRequest } from "./read.ts";
import { endingOf, observedIn } from "./observed.ts";
import { settle, type SettleInput } from "./settle.ts";
import { count, newTally } from "./tally.ts";

type Success = Extract<ChainResult, { ok: true }>;

export interface AnswerInput {
  call: Call;
  request: ReadRequest;
  result: Success;
  plan: Plan;
  lease: Lease | null;
  chosen: Chosen;
  shell: Shell;
}

/** Takes over the lease: from here on it is settled here, whatever happens. */
export async function answer(input: AnswerInput): Promise<Response> {
  const { result } = input;
  const headers = successHeaders(input);
  return result.started.kind === "stream" ? streamed(input, headers) : await whole(input, headers);
}

function successHeaders({ call, result, chosen }: AnswerInput): HeaderRecord {
  const headers: HeaderRecord = {
    ...baseHeaders(call),
    ...maskedHeaders(result),
  };
  const [primary = ""] = chosen.order;
  const place = chosen.order.indexOf(result.prepared.model.id);
  if (place > 0) {
    headers["X-Gateway-Fallback-From"] = headerText(primary);
    headers["X-Gateway-Fallback-Index"] = String(place - 1);
  }
  const dropped = droppedHeader(result.prepared.dropped);
  if (dropped !== undefined) headers["X-Gateway-Dropped"] = dropped;
  return headers;
}

/** What a caller may see of the provider's headers; a provider may echo its credential anywhere. */
function maskedHeaders({ started, credentials }: Success): HeaderRecord {
  const secrets = secretsOf(credentials);
  const seen = Object.entries(responseHeaders(started.response));
  return Object.fromEntries(seen.map(([name, value]) => [name, maskSecrets(value, secrets)]));
}

const sseHeaders = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "no-cache",
  "X-Accel-Buffering": "no",
};

function streamed(input: AnswerInput, headers: HeaderRecord): Response {
  const { call, result, shell, lease } = input;
  const { started, prepared, credentials } = result;
  const secrets = secretsOf(credentials);
  if (started.kind !== "stream") throw new Error("only a stream is streamed");
  Object.assign(headers, sseHeaders);
  const firstByte = shell.services.now();
  const tally = newTally();
  const { timeouts } = prepared.model.connection;
  const body = deliverStream(
    {
      source: started.source,
      held: started.held,
      relay: prepared.relay,
      writer: call.dialect.eventWriter(echoOf(input)),
      filter: prepared.hidesUsage ? usageFilters[call.client]?.() : undefined,
      provider: prepared.dialect,
      context: prepared.context,
      tally,
      idle: timeouts.idle,
      deadline: call.started + timeouts.total * 1000,
      controller: result.controller,
      mask: (failure) => maskFailure(failure, secrets),
      renew: () => void Promise.resolve(lease?.renew()).catch(() => undefined),
      settle: (end) => settleWith(input, { end, firstByte, tally }),
    },
    shell.waitUntil,
  );
  return new Response(body, { headers });
}

/** The answer is written before it is settled, so that one that cannot be written is booked as what it is. */
async function whole(input: AnswerInput, headers: HeaderRecord): Promise<Response> {
  const { started } = input.result;
  if (started.kind !== "whole") throw new Error("only a whole answer is sent whole");
  const firstByte = input.shell.services.now();
  const tally = newTally();
  count(tally, started.events);
  try {
    const body = written(input, started);
    await settleWith(input, { end: { kind: "done" }, firstByte, tally });
    if (input.result.prepared.target.stream) Object.assign(headers, sseHeaders);
    else headers["Content-Type"] = "application/json";
    return new Response(body, { headers });
  } catch (error) {
    const { status, message } = asProblem(error);
    const failure: Failure = { cause: "stated", status, message };
    await settleWith(input, { end: { kind: "failed", failure }, firstByte, tally });
    throw error;
  }
}

/** A whole answer in the client's words. Throws Problem where its dialect cannot say it. */
function written(
  input: AnswerInput,
  started: Extract<Success["started"], { kind: "whole" }>,
): string | Uint8Array {
  const { dialect } = input.call;
  if (input.result.prepared.target.stream) {
    return dialect.eventWriter(echoOf(input)).write(started.events);
  }
  if (started.bytes) return started.bytes;
  const reply = collect(started.events);
  if ("failure" in reply)
    throw new Error("a failure inside an answer is found before it is delivered");
  return JSON.stringify(dialect.writeReply(reply, echoOf(input)));
}

function echoOf({ call, request, shell, plan }: AnswerInput): ReplyEcho {
  return {
    model: asString(request.body["model"]) ?? "auto",
    wantsUsage: wantsUsage(request),
    newId,
    now: Math.floor(shell.services.now() / 1000),
    request: call.client === "responses" ? repeatable(request.body) : request.body,
    estimatedInput: plan.estimates[0]?.input ?? Math.ceil(call.size / 4),
  };
}

/** Deepest nesting of a member that an answer repeats; real ones have a handful of levels. */
const deepestEcho = 500;

/** The request as its answer may repeat it: without members that are nested too deeply to be written again. */
function repeatable(body: JsonObject): JsonObject {
  const { input, ...members } = body;
  if (!isDeeper(members, deepestEcho)) return body;
  const flat = Object.entries(members).filter(([, value]) => !isDeeper(value, deepestEcho));
  return { ...Object.fromEntries(flat), input };
}

function isDeeper(value: JsonValue | undefined, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

function wantsUsage(request: ReadRequest): boolean {
  const options = request.body["stream_options"];
  return (
    typeof options === "object" &&
    options !== null &&
    !Array.isArray(options) &&
    options["include_usage"] === true
  );
}

async function settleWith(
  input: AnswerInput,
  seen: { end: End; firstByte: number; tally: ReturnType<typeof newTally> },
): Promise<void> {
  const { call, request, result, plan, lease, shell, chosen } = input;
  const { session } = chosen;
  const ending = endingOf(seen.end, seen.tally);
  await settle({
    call,
    requestedModel: asString(request.body["model"]) ?? "",
    lease,
    prepared: result.prepared,
    tally: seen.tally,
    end: seen.end,
    records: result.records,
    begun: result.begun,
    firstByte: seen.firstByte,
    now: shell.services.now(),
    estimateInput: () => estimateRequest(request.turn()),
    pricesOf: (model) => pricesBeside(result.prepared.model, model, plan.directory),
    ...(plan.decision && { routing: explained(plan.decision) }),
    ...sessionOf(input, seen.tally.id),
    learned: observedIn({ plan, request, session, ending }),
    logText: plan.harness.log_text === true,
  });
}

/** Under which names the conversation's next request will ask for what this one left behind. */
function sessionOf(
  { call, request, result, plan, chosen }: AnswerInput,
  id: string | undefined,
): Pick<SettleInput, "session"> {
  const { decision, harness } = plan;
  const keeps = result.prepared.target.format === "responses" && request.body["store"] !== false;
  const continued = call.client === "responses" && keeps && id !== undefined;
  const answers = continued ? [answerKey(harness.id, id)] : [];
  const turns = chosen.session?.turns ?? 0;
  if (decision !== undefined) {
    const { sessionKey: key, alsoKnownAs } = decision;
    const tier = tierOf(decision) ?? "default";
    return { session: { key, also: [...alsoKnownAs, ...answers], turns, tier } };
  }
  const [key] = answers;
  return key === undefined ? {} : { session: { key, also: [], turns, tier: "direct" } };
}
