/**
 * The end of a relayed stream in which the provider failed: its response goes on with the identity, the finished items
 * and the numbers that the client was given already. Nothing is parsed before that.
 */
import type { RelayEnding } from "../../../core/format.ts";
import { asObject, parseJson, type JsonObject } from "../../../lib/json.ts";
import { sseParser, sseText } from "../../../lib/sse.ts";
import { streamError } from "./errors.ts";

/** Characters of finished items that are kept; an answer that has more ends without them. */
const mostKept = 4 * 1024 * 1024;

const itemDone = "response.output_item.done";
/** In the JSON text of an event; one inside a string of it has its quotes escaped. */
const number = '"sequence_number"';

/** Follows one stream. */
export function relayEnding(): RelayEnding {
  let head: string | undefined;
  let numbered = "";
  let items: string[] = [];
  let kept = 0;
  return {
    passed(text) {
      if (head === undefined && text.includes('"response"')) head = text;
      if (text.includes(number)) numbered = text;
      if (!text.includes(itemDone)) return;
      kept += text.length;
      if (kept <= mostKept) items.push(text);
      else items = [];
    },
    failed(failure) {
      const response = head === undefined ? undefined : firstResponse(head);
      if (response === undefined) return undefined;
      const event = {
        type: "response.failed",
        sequence_number: lastNumber(numbered) + 1,
        response: {
          ...response,
          status: "failed",
          error: { ...streamError(failure) },
          output: items.flatMap(finishedItems),
        },
      };
      return sseText(event.type, JSON.stringify(event));
    },
  };
}

function firstResponse(text: string): JsonObject | undefined {
  const responses = eventsIn(text).map((event) => asObject(event["response"]));
  return responses.find((response) => response !== undefined);
}

function finishedItems(text: string): JsonObject[] {
  const done = eventsIn(text).filter((event) => event["type"] === itemDone);
  return done.map((event) => asObject(event["item"]) ?? {});
}

function lastNumber(text: string): number {
  const numbers = eventsIn(text).map((event) => event["sequence_number"]);
  return numbers.findLast((value) => typeof value === "number") ?? -1;
}

function eventsIn(text: string): JsonObject[] {
  const events: JsonObject[] = [];
  const parser = sseParser(({ data }) => {
    const event = asObject(parseJson(data));
    if (event) events.push(event);
  });
  parser.feed(text);
  parser.end();
  return events;
}
