/** A Responses stream or answer -> neutral events. */
import type { Failure } from "../../core/failure.ts";
import type { EventReader, ReadContext } from "../../core/format.ts";
import type { ReplyEvent, StopReason } from "../../core/reply.ts";
import {
  asArray,
  asNumber,
  asObject,
  asString,
  isObject,
  parseJson,
  type JsonObject,
  type JsonValue,
} from "../../lib/json.ts";
import { sseParser } from "../../lib/sse.ts";
import { errorOf, statedFailure } from "./errors.ts";
import { isCall, itemReader, rest, type Item, type ItemReader } from "./read-items.ts";
import { readUsage } from "./usage.ts";

interface Progress {
  reader: ItemReader;
  started: boolean;
  ended: boolean;
  byIndex: Map<number, Item>;
  byId: Map<string, Item>;
  /** In the order in which they were first heard of. */
  items: Item[];
}

function progress(context: ReadContext): Progress {
  return {
    reader: itemReader(context),
    started: false,
    ended: false,
    byIndex: new Map(),
    byId: new Map(),
    items: [],
  };
}

/** Pushes text, gives events; ends with the terminal event, whether or not `[DONE]` follows. */
export function eventReader(context: ReadContext): EventReader {
  const state = progress(context);
  const parser = sseParser(({ data }) => {
    if (state.ended || data === "" || data === "[DONE]") return;
    const event = parseJson(data);
    // What a broken event would have said, the finished item says again.
    if (isObject(event)) onEvent(state, event);
  });
  const guarded = (work: () => void): ReplyEvent[] => {
    if (state.ended) return [];
    try {
      work();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      fail(state, cut(error.message));
    }
    return state.reader.take();
  };
  return {
    feed: (text) => guarded(() => parser.feed(text)),
    end: () =>
      guarded(() => {
        parser.end();
        if (!state.ended)
          fail(state, cut("the provider's stream ended before its answer was complete"));
      }),
  };
}

/** The events that a stream of this answer would have given. */
export function readReply(body: JsonValue, context: ReadContext): ReplyEvent[] {
  const state = progress(context);
  const error = errorOf(body);
  const answer = asObject(body);
  if (error || !answer || !Array.isArray(answer["output"]))
    fail(state, error ? statedFailure(error) : failureOf(answer));
  else onTerminal(state, answer, undefined);
  return state.reader.take();
}

function failureOf(answer: JsonObject | undefined): Failure {
  const status = asString(answer?.["status"]);
  if (status === "failed" || status === "cancelled") return statedFailure({});
  return {
    cause: "wrong_type",
    status: 502,
    message: "the provider's answer is not a response object",
  };
}

function cut(message: string): Failure {
  return { cause: "cut", status: 502, message };
}

function fail(state: Progress, failure: Failure): void {
  state.ended = true;
  state.reader.add({ kind: "fail", failure });
}

function start(state: Progress, response: JsonObject | undefined): void {
  if (state.started) return;
  state.started = true;
  const [id, model] = [asString(response?.["id"]), asString(response?.["model"])];
  const created = asNumber(response?.["created_at"]);
  state.reader.add({
    kind: "start",
    ...(id !== undefined && { id }),
    ...(model !== undefined && { model }),
    ...(created !== undefined && { created: Math.floor(created) }),
  });
}

function onEvent(state: Progress, event: JsonObject): void {
  const type = asString(event["type"]);
  switch (type) {
    case "response.created":
    case "response.queued":
    case "response.in_progress":
      return start(state, asObject(event["response"]));
    case "response.completed":
    case "response.done":
    case "response.incomplete":
    case "response.failed":
    case "response.cancelled":
      return onTerminal(state, asObject(event["response"]) ?? {}, type);
    case "error":
      return fail(state, statedFailure(errorOf(event) ?? event));
    case undefined:
      return onUntyped(state, event);
    default:
      onItemEvent(state, event, type);
  }
}

/** Servers that break off say so in an envelope without a type. */
function onUntyped(state: Progress, event: JsonObject): void {
  const error = errorOf(event);
  if (error) fail(state, statedFailure(error));
}

function onItemEvent(state: Progress, event: JsonObject, type: string): void {
  const { reader } = state;
  const delta = asString(event["delta"]) ?? "";
  const at = asNumber(event["content_index"]) ?? 0;
  const text = asString(event["text"]) ?? "";
  switch (type) {
    case "response.output_item.added":
      return onAdded(state, event);
    case "response.output_item.done":
      return onDone(state, event);
    case "response.output_text.delta":
      return reader.text(itemOf(state, event, "message"), at, { kind: "text", delta });
    case "response.output_text.done":
      return reader.text(itemOf(state, event, "message"), at, { kind: "text", whole: text });
    case "response.refusal.delta":
      return reader.text(itemOf(state, event, "message"), at, { kind: "refusal", delta });
    case "response.refusal.done":
      return reader.text(itemOf(state, event, "message"), at, {
        kind: "refusal",
        whole: asString(event["refusal"]) ?? "",
      });
    case "response.output_text.annotation.added":
      return reader.cite(itemOf(state, event, "message"), at, {
        index: asNumber(event["annotation_index"]) ?? 0,
        value: event["annotation"],
      });
    case "response.reasoning_summary_text.delta":
    case "response.reasoning_summary_text.done":
      return onThinking(state, event, `s${asNumber(event["summary_index"]) ?? 0}`);
    case "response.reasoning_text.delta":
    case "response.reasoning_text.done":
      return onThinking(state, event, `c${at}`);
    case "response.function_call_arguments.delta":
      return reader.input(itemOf(state, event, "function_call"), delta);
    case "response.custom_tool_call_input.delta":
      return reader.input(itemOf(state, event, "custom_tool_call"), delta);
    default:
    // Everything else (progress of hosted tools, parts, keep-alives) is said again by the finished item.
  }
}

function onThinking(state: Progress, event: JsonObject, part: string): void {
  const item = itemOf(state, event, "reasoning");
  const whole = asString(event["text"]);
  const said = item.parts.get(part)?.said ?? "";
  const added = whole === undefined ? (asString(event["delta"]) ?? "") : rest(said, whole);
  state.reader.think(item, part, added);
}

function onAdded(state: Progress, event: JsonObject): void {
  const head = asObject(event["item"]);
  const type = asString(head?.["type"]);
  if (!head || type === undefined) return;
  const id = asString(head["id"]);
  const known = find(state, event);
  const same = known?.type === type && !known.done && (known.id === undefined || known.id === id);
  state.reader.begin(same ? known : create(state, event, type), head);
}

function onDone(state: Progress, event: JsonObject): void {
  const whole = asObject(event["item"]);
  const type = asString(whole?.["type"]);
  if (!whole || type === undefined) return;
  const known = find(state, event);
  // A server that counts all items as 0 still says which one it means.
  const same = known?.type === type && (!known.done || known.id === asString(whole["id"]));
  state.reader.finish(same ? known : create(state, event, type), whole);
}

/** The item that a piece is about; one of that kind is made when none was heard of. */
function itemOf(state: Progress, event: JsonObject, type: string): Item {
  const known = find(state, event);
  if (known?.type === type) return known;
  if (known && isCall(known.type) && isCall(type)) return known;
  return create(state, event, type);
}

/**
 * The item that an event is about: by its place, since some servers give an item another id in every event,
 * else by its id, else the last one.
 */
function find(state: Progress, event: JsonObject): Item | undefined {
  start(state, undefined);
  const index = asNumber(event["output_index"]);
  if (index !== undefined) return state.byIndex.get(index);
  const id = idOf(event);
  return id === undefined ? state.items.at(-1) : state.byId.get(id);
}

function create(state: Progress, event: JsonObject, type: string): Item {
  start(state, undefined);
  const index = asNumber(event["output_index"]);
  const id = idOf(event);
  const item = state.reader.create(type);
  state.items.push(item);
  if (index !== undefined) state.byIndex.set(index, item);
  if (id !== undefined) {
    item.id = id;
    state.byId.set(id, item);
  }
  return item;
}

function idOf(event: JsonObject): string | undefined {
  return asString(event["item_id"]) || asString(asObject(event["item"])?.["id"]) || undefined;
}

function onTerminal(state: Progress, response: JsonObject, type: string | undefined): void {
  const usage = readUsage(response["usage"]);
  const status = statusOf(response, type);
  start(state, response);
  if (status === "failed") {
    if (usage) state.reader.add({ kind: "usage", usage });
    return fail(state, statedFailure(asObject(response["error"]) ?? wordsFor(response)));
  }
  finishItems(state, asArray(response["output"]));
  for (const item of state.items) state.reader.close(item);
  if (usage) state.reader.add({ kind: "usage", usage });
  state.reader.add({ kind: "stop", ...stopOf(response, status, state.reader.called()) });
  state.reader.add({ kind: "end" });
  state.ended = true;
}

type Status = "completed" | "incomplete" | "failed";

/** The object's own word counts more than the event's name; an unfinished answer is no answer. */
function statusOf(response: JsonObject, type: string | undefined): Status {
  switch (response["status"]) {
    case "failed":
    case "cancelled":
      return "failed";
    case "incomplete":
      return "incomplete";
    case "queued":
    case "in_progress":
      if (type === undefined) return "failed";
      break;
    default:
  }
  if (type === "response.failed" || type === "response.cancelled") return "failed";
  return type === "response.incomplete" ? "incomplete" : "completed";
}

function wordsFor(response: JsonObject): JsonObject {
  const status = asString(response["status"]);
  return status === undefined || status === "failed"
    ? {}
    : { message: `the provider's answer is ${status.replaceAll("_", " ")}` };
}

function stopOf(
  response: JsonObject,
  status: Status,
  called: boolean,
): { reason: StopReason; raw: string } {
  if (status !== "incomplete") return { reason: called ? "tools" : "end", raw: status };
  const raw = asString(asObject(response["incomplete_details"])?.["reason"]) ?? "incomplete";
  return { reason: raw === "content_filter" ? "filter" : "length", raw };
}

/** Says what only the terminal event brought: each of its items is matched with one that was heard of. */
function finishItems(state: Progress, output: readonly JsonValue[]): void {
  let open = state.items.slice();
  for (const whole of output) {
    const type = isObject(whole) ? asString(whole["type"]) : undefined;
    if (!isObject(whole) || type === undefined) continue;
    const known = matching(open, whole, type);
    const item = known ?? state.reader.create(type);
    if (known) open = open[0] === known ? open.slice(1) : open.filter((other) => other !== known);
    else {
      state.items.push(item);
      state.reader.begin(item, whole);
    }
    state.reader.finish(item, whole);
  }
}

function matching(items: readonly Item[], whole: JsonObject, type: string): Item | undefined {
  const id = asString(whole["id"]);
  const callId = asString(whole["call_id"]);
  return (
    items.find((item) => id !== undefined && id !== "" && item.id === id && item.type === type) ??
    items.find(
      (item) =>
        item.type === type &&
        (callId === undefined || item.callId === undefined || item.callId === callId),
    )
  );
}
