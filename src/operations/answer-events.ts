/** Reads what an operation streams: usage, text that can be counted, failures, and whether it came to its end. */
import type { ReplyEvent } from "../core/events.ts";
import type { EventReader } from "../core/format.ts";
import { asArray, asObject, asString, parseJson, type JsonObject } from "../lib/json.ts";
import { sseParser } from "../lib/sse.ts";
import { providerFormats } from "../formats/index.ts";
import { cutReply } from "../translation/errors.ts";
import { readOperationUsage } from "./usage.ts";

/** A piece of content that is not text: a call of it shows that the answer goes on. */
export function mediaPiece(media: "image" | "audio"): ReplyEvent {
  return { kind: "open", key: 0, block: { kind: "media", media, mime: "", data: "" } };
}

/** Of streams in OpenAI's form. Nothing of one is translated: what it says in its own events is handed on. */
export function operationEvents(): EventReader {
  let events: ReplyEvent[] = [];
  let over = false;
  let complete = false;
  const parser = sseParser(({ event = "", data }) => {
    if (over) return;
    const body = asObject(parseJson(data));
    complete ||= isLast(body, event);
    for (const each of data === "[DONE]" ? [doneEvent] : readEvent(body, event)) {
      events.push(each);
      over = each.kind === "fail" || each.kind === "end";
      if (over) return;
    }
  });
  const taken = (): ReplyEvent[] => {
    const read = events;
    events = [];
    return read;
  };
  return {
    feed(text) {
      parser.feed(text);
      return taken();
    },
    end() {
      parser.end();
      const read = taken();
      if (over) return read;
      over = true;
      return [...read, complete ? doneEvent : { kind: "fail", failure: cutReply }];
    },
  };
}

const doneEvent: ReplyEvent = { kind: "end" };

/** `image_generation.completed`, `speech.audio.done`; a completion's finish reason. */
function isLast(body: JsonObject | undefined, event: string): boolean {
  const type = asString(body?.["type"]) ?? event;
  if (/\.(?:completed|done)$/.test(type)) return true;
  return asArray(body?.["choices"]).some((choice) => {
    const reason = asObject(choice)?.["finish_reason"];
    return reason !== undefined && reason !== null;
  });
}

function readEvent(body: JsonObject | undefined, event: string): ReplyEvent[] {
  if (body === undefined) return [];
  const failure = statedOperationFailure(
    event === "error" && body["error"] === undefined ? { error: body } : body,
  );
  if (failure !== undefined) return [failure];
  const usage = readOperationUsage(body["usage"]);
  const texts = textsIn(body);
  return [
    ...(texts.length > 0 ? texts : [mediaPiece("image")]),
    ...(usage === undefined ? [] : [{ kind: "usage" as const, usage }]),
  ];
}

/** An error in an answer with status 200. */
export function statedOperationFailure(body: JsonObject): ReplyEvent | undefined {
  const { error } = body;
  if (error === undefined || error === null) return undefined;
  const failure = providerFormats.chat.readFailure(502, JSON.stringify({ error }));
  return { kind: "fail", failure: { ...failure, cause: "stated" } };
}

/** What a completion or a transcript says, so that it can be counted. */
export function textsIn(body: JsonObject): ReplyEvent[] {
  const choices = asArray(body["choices"]).flatMap(
    (choice) => asString(asObject(choice)?.["text"]) ?? [],
  );
  const delta = asString(body["delta"]);
  return [...choices, ...(delta === undefined ? [] : [delta])]
    .filter((text) => text !== "")
    .map((text) => ({ kind: "delta", key: 0, text }));
}
