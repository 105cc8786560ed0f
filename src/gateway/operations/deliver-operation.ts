/** The answer of an operation on its way to the client: the provider's bytes, or its embeddings in the client's form. */
import { streamTimeout } from "../../providers/connection/timeouts.ts";
import type { Started, StreamAnswer, WholeAnswer } from "../../upstream/upstream.ts";
import { answerHeaders, type AnswerDelivery } from "../deliver.ts";
import { newId } from "../../lib/ids.ts";
import { answerFailure } from "../failure-answer.ts";
import type { HeaderRecord } from "../headers.ts";
import { pumped } from "../stream.ts";
import { accumulate, newTotals } from "../totals.ts";

export async function deliverOperation(
  started: Started,
  delivery: AnswerDelivery,
): Promise<Response> {
  switch (started.kind) {
    case "stream":
      return piecemeal(started, delivery);
    case "whole":
      return await atOnce(started, delivery);
    case "failed":
      return await answerFailure(started, delivery);
    default:
      return started satisfies never;
  }
}

/** A provider's answer of another type than it should be is never taken for a page. */
function headersOf(
  answer: StreamAnswer | WholeAnswer,
  { decided, exchange }: AnswerDelivery,
): HeaderRecord {
  return { ...answerHeaders(answer, decided, exchange), "X-Content-Type-Options": "nosniff" };
}

function isEvents({ headers }: StreamAnswer): boolean {
  return /^text\/event-stream/i.test(headers["content-type"] ?? "");
}

/** A fault on the way to the pump ends the provider's call, which nobody would read. */
function piecemeal(answer: StreamAnswer, delivery: AnswerDelivery): Response {
  try {
    return streamResponse(answer, delivery);
  } catch (error) {
    answer.source.cancel();
    answer.controller.abort();
    throw error;
  }
}

function streamResponse(answer: StreamAnswer, delivery: AnswerDelivery): Response {
  const { decided, exchange, services } = delivery;
  const { client, time, waitUntil, request } = decided;
  exchange.holds(services.inFlight.stream());
  const events = isEvents(answer);
  const total = streamTimeout(answer.prepared.model.connection);
  const totals = newTotals();
  const answered = {
    kind: "answered",
    decided,
    answer,
    totals,
    firstByte: services.now(),
  } as const;
  const { model } = request.description;
  const echo = { model, wantsUsage: false, newId, now: Math.floor(time / 1000), request: {} };
  const body = pumped(
    {
      answer,
      // Between the bytes of a sound nothing can be written.
      client: { relayKeepAlive: events ? client.relayKeepAlive : "" },
      writer: client.eventWriter(echo),
      filter: undefined,
      ending: undefined,
      framing: undefined,
      frame: undefined,
      totals,
      ...(!events && { breaksOff: true }),
      deadline: total === undefined ? undefined : time + total * 1000,
      cut: () => services.drain.cut(time),
      end: (end) => exchange.end({ ...answered, end }),
    },
    waitUntil,
  );
  const streaming = { "Cache-Control": "no-cache", "X-Accel-Buffering": "no" };
  return new Response(body, {
    headers: { ...headersOf(answer, delivery), ...(events && streaming) },
  });
}

async function atOnce(answer: WholeAnswer, delivery: AnswerDelivery): Promise<Response> {
  const { decided, exchange, services } = delivery;
  const totals = newTotals();
  accumulate(totals, answer.events);
  const firstByte = services.now();
  await exchange.end({
    kind: "answered",
    decided,
    answer,
    totals,
    end: { kind: "done" },
    firstByte,
  });
  return new Response(answer.bytes ?? null, { headers: headersOf(answer, delivery) });
}
