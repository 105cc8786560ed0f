/** Reads one answer: its items, and the response object that ends it. */
import { startEvent, type ReplyEvent } from "../../../core/events.ts";
import type { Failure } from "../../../core/failure.ts";
import type { ReadContext } from "../../../core/format.ts";
import { asArray, asCount, asObject, asString, type JsonObject } from "../../../lib/json.ts";
import { statedFailure } from "./errors.ts";
import { eventCollector } from "./event-collector.ts";
import { itemTable, type ItemTable } from "./item-table.ts";
import { readStatus, readStopReason } from "./stop-reason.ts";
import { readBill } from "./usage.ts";

/** Reads the parts of one answer. */
export interface ReplyReader {
  readonly items: ItemTable;
  /** Only the first call counts. */
  start(response: JsonObject | undefined): void;
  /** The final response object. `eventType`: missing for a whole answer. */
  complete(response: JsonObject, eventType: string | undefined): void;
  /** Nothing follows, unless the answer has already ended. */
  fail(failure: Failure): void;
  ended(): boolean;
  /** The events since the last call. */
  drain(): ReplyEvent[];
}

/** A reader of one answer. */
export function replyReader(context: ReadContext): ReplyReader {
  const events = eventCollector();
  let id = "";
  let started = false;
  let ended = false;
  const items = itemTable({ events, context, seed: () => id });

  const start = (response: JsonObject | undefined): void => {
    if (started) return;
    started = true;
    const event = readStart(response);
    id = event.id ?? "";
    events.add(event);
  };
  const fail = (failure: Failure): void => {
    if (ended) return;
    ended = true;
    events.add({ kind: "fail", failure });
  };
  return {
    items,
    start,
    complete(response, eventType) {
      const status = readStatus(response, eventType);
      start(response);
      if (status !== "failed") items.complete(asArray(response["output"]));
      const usage = readBill(response, items.toolUses());
      if (usage) events.add({ kind: "usage", usage });
      if (status === "failed") return fail(failedResponse(response));
      const stop = readStopReason(response, status, items.hasActions());
      events.add({ kind: "stop", ...stop });
      events.add({ kind: "end" });
      ended = true;
    },
    fail,
    ended: () => ended,
    drain: events.drain,
  };
}

function readStart(response: JsonObject | undefined): Extract<ReplyEvent, { kind: "start" }> {
  const [id, model] = [asString(response?.["id"]), asString(response?.["model"])];
  return startEvent({ id, model, created: asCount(response?.["created_at"]) });
}

function failedResponse(response: JsonObject): Failure {
  const error = asObject(response["error"]);
  if (error) return statedFailure(error);
  const status = asString(response["status"]);
  if (status === undefined || status === "failed") return statedFailure({});
  return statedFailure({ message: `The provider's answer is ${status.replaceAll("_", " ")}.` });
}
