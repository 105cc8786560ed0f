/** The answer of an operation on its way to the client: the provider's bytes, or its embeddings in the client's form. */
import { streamTimeout } from "../../providers/connection/timeouts.ts";
import type { Started, StreamAnswer, WholeAnswer } from "../../upstream/upstream.ts";
import { answerWith } from "../answer-head.ts";
import { answerHeaders, type AnswerDelivery, deliverBy } from "../deliver.ts";
import { newId } from "../../lib/ids.ts";
import type { HeaderRecord } from "../headers.ts";
import { pumped } from "../stream.ts";
import { accumulate, newTotals } from "../totals.ts";

export async function deliverOperation(
  started: Started,
  delivery: AnswerDelivery,
): Promise<Response> {
  return await deliverBy({ streamed: piecemeal, whole: atOnce }, started, delivery);
}

/** A provider's answer with an unexpected type must never be shown as a web page. */
const form: HeaderRecord = { "X-Content-Type-Options": "nosniff" };
const eventForm: HeaderRecord = {
  ...form,
  "Cache-Control": "no-cache",
  "X-Accel-Buffering": "no",
};

function isEvents({ headers }: StreamAnswer): boolean {
  return /^text\/event-stream/i.test(headers["content-type"] ?? "");
}

function piecemeal(answer: StreamAnswer, delivery: AnswerDelivery): Response {
  const { decided, exchange, services } = delivery;
  const { client, time, waitUntil, request, departure } = decided;
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
      departure,
      ...(!events && { breaksOff: true }),
      deadline: total === undefined ? undefined : time + total * 1000,
      cut: () => services.drain.cut(time),
      end: (end) => exchange.end({ ...answered, end }),
    },
    waitUntil,
  );
  return answerWith(body, {
    facts: exchange.headerFacts,
    form: events ? eventForm : form,
    own: answerHeaders(answer, decided),
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
  const facts = exchange.headerFacts;
  return answerWith(answer.bytes ?? null, { facts, form, own: answerHeaders(answer, decided) });
}
