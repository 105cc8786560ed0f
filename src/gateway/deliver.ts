/** Delivers the response to the client: relayed if both sides use one format, otherwise written in the client's. */
import type { ClientFormat, ReplyEcho } from "../core/format.ts";
import { collect } from "../core/reply.ts";
import { newId } from "../lib/ids.ts";
import { streamTimeout } from "../providers/connection/timeouts.ts";
import type { Started, StreamAnswer, WholeAnswer } from "../upstream/upstream.ts";
import { answerWith } from "./answer-head.ts";
import type { Decided } from "./choose.ts";
import type { Exchange } from "./exchange.ts";
import { answerFailure } from "./failure-answer.ts";
import { droppedHeader, headerText, type HeaderRecord } from "./headers.ts";
import type { AnswerEnd, Answered } from "./outcome.ts";
import { asProblem } from "./problems.ts";
import { gathererFor } from "./reasoning-keeper.ts";
import type { Services } from "./services.ts";
import { streamHeaders, wholeStream } from "./stream-form.ts";
import { pumped, type PumpInput } from "./stream.ts";
import { accumulate, newTotals } from "./totals.ts";

export interface AnswerDelivery {
  readonly decided: Decided;
  readonly exchange: Exchange;
  readonly services: Services;
}

export const jsonForm: HeaderRecord = { "Content-Type": "application/json" };

/** How an answer becomes a response, by the way it comes. */
export interface Deliverers {
  streamed(answer: StreamAnswer, delivery: AnswerDelivery): Response;
  whole(answer: WholeAnswer, delivery: AnswerDelivery): Promise<Response>;
}

export async function deliver(started: Started, delivery: AnswerDelivery): Promise<Response> {
  return await deliverBy({ streamed: streamResponse, whole: wholeResponse }, started, delivery);
}

/** A failure is reported in the client's format, whatever was requested. */
export async function deliverBy(
  { streamed, whole }: Deliverers,
  started: Started,
  delivery: AnswerDelivery,
): Promise<Response> {
  switch (started.kind) {
    case "stream":
      try {
        return streamed(started, delivery);
      } catch (error) {
        // A fault on the way to the pump ends the provider's call, which nobody would read.
        started.source.cancel();
        started.controller.abort();
        throw error;
      }
    case "whole":
      return await whole(started, delivery);
    case "failed":
      return await answerFailure(started, delivery);
    default:
      return started satisfies never;
  }
}

function streamResponse(answer: StreamAnswer, delivery: AnswerDelivery): Response {
  const { decided, exchange, services } = delivery;
  exchange.holds(services.inFlight.stream());
  return answerWith(pumped(pumpInput(answer, delivery), decided.waitUntil), {
    facts: exchange.headerFacts,
    form: streamHeaders(decided.client.framing?.(decided.address)),
    own: answerHeaders(answer, decided),
  });
}

/** What writes the streamed answer to its client. */
export function pumpInput(
  answer: StreamAnswer,
  { decided, exchange, services }: AnswerDelivery,
): PumpInput {
  const { prepared } = answer;
  const { client, time, departure } = decided;
  const framing = client.framing?.(decided.address);
  const total = streamTimeout(prepared.model.connection);
  const totals = newTotals(gathererFor(decided, prepared));
  const answered = {
    kind: "answered",
    decided,
    answer,
    totals,
    firstByte: services.now(),
  } as const;
  return {
    answer,
    client,
    writer: client.eventWriter({
      ...echoOf(answer, decided, services),
      relayed: prepared.relay,
    }),
    filter: prepared.hidesUsage ? client.usageFilter?.() : client.relayFilter?.(),
    ending: prepared.relay ? client.relayEnding?.() : undefined,
    framing,
    frame: framing?.frame(),
    totals,
    departure,
    deadline: total === undefined ? undefined : time + total * 1000,
    cut: () => services.drain.cut(time),
    end: (end) => exchange.end({ ...answered, end }),
  };
}

async function wholeResponse(answer: WholeAnswer, delivery: AnswerDelivery): Promise<Response> {
  const { decided, exchange } = delivery;
  const body = await settledWhole(answer, delivery);
  const form = answer.prepared.target.stream
    ? streamHeaders(decided.client.framing?.(decided.address))
    : jsonForm;
  return answerWith(body, {
    facts: exchange.headerFacts,
    form,
    own: answerHeaders(answer, decided),
  });
}

/**
 * The whole answer in the client's format. It is written before it is settled, so that one that cannot be written is
 * booked as what it is. Throws Problem where that format cannot say it.
 */
export async function settledWhole(
  answer: WholeAnswer,
  delivery: AnswerDelivery,
): Promise<string | Uint8Array> {
  const { decided, exchange, services } = delivery;
  const totals = newTotals(gathererFor(decided, answer.prepared));
  accumulate(totals, answer.events);
  const end = (how: AnswerEnd): Promise<void> => {
    const outcome: Answered = {
      kind: "answered",
      decided,
      answer,
      totals,
      end: how,
      firstByte: services.now(),
    };
    return exchange.end(outcome);
  };
  try {
    const body = written(answer, delivery);
    await end({ kind: "done" });
    return body;
  } catch (error) {
    const { status, message } = asProblem(error);
    await end({ kind: "failed", failure: { cause: "stated", status, message } });
    throw error;
  }
}

/** A whole answer in the client's format. Throws Problem where that format cannot say it. */
function written(answer: WholeAnswer, { decided, services }: AnswerDelivery): string | Uint8Array {
  const { prepared, events, bytes } = answer;
  const { client, address } = decided;
  if (bytes !== undefined && !prepared.target.stream) return bytes;
  const echo = echoOf(answer, decided, services);
  if (prepared.target.stream)
    return wholeStream(client.eventWriter(echo).write(events), client.framing?.(address));
  const reply = collect(events);
  if ("failure" in reply)
    throw new Error("a failure inside an answer is found before it is delivered");
  return JSON.stringify(client.writeReply(reply, echo));
}

export function echoOf(
  { prepared }: Pick<StreamAnswer, "prepared">,
  { request, client, plan }: Decided,
  { now }: Services,
): ReplyEcho {
  const { model, wantsUsage } = request.description;
  return {
    model: model === "" ? "auto" : model,
    wantsUsage,
    newId,
    now: Math.floor(now() / 1000),
    answeredBy: prepared.target.model,
    ...(request.address !== undefined && { address: request.address }),
    request: client.echoed(request.body),
    estimatedInput: plan.estimates[0]?.input ?? Math.ceil(request.size / 4),
  };
}

/** Headers of a response besides the gateway's usual ones: the provider's that a caller may see, budgets, fallbacks, dropped fields. */
export function answerHeaders(
  { headers: provider, prepared }: Pick<StreamAnswer, "headers" | "prepared">,
  { chosen, client, admission: { spend } }: Decided,
): HeaderRecord {
  const spending = spend && client.spending?.headers(spend);
  const shown = spending === undefined ? provider : withoutSpending(provider, client);
  const headers: HeaderRecord = { ...shown, ...spending };
  const [primary] = chosen.candidates;
  if (primary !== undefined && primary.id !== prepared.model.id) {
    const place = chosen.candidates.findIndex(({ id }) => id === prepared.model.id);
    if (place > 0) {
      headers["X-Gateway-Fallback-From"] = headerText(primary.id);
      headers["X-Gateway-Fallback-Index"] = String(place - 1);
    }
  }
  const dropped = droppedHeader(prepared.dropped);
  if (dropped !== undefined) headers["X-Gateway-Dropped"] = dropped;
  return headers;
}

/** Two budgets in the same headers would be read as one. */
function withoutSpending(headers: HeaderRecord, { spending }: ClientFormat): HeaderRecord {
  const names = Object.keys(headers).filter((name) => !name.startsWith(spending?.prefix ?? " "));
  return Object.fromEntries(names.map((name) => [name, headers[name] ?? ""]));
}
