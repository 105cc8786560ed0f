/**
 * Chat's chunks -> neutral events. A whole answer is one chunk whose delta is the message, so that streams and whole
 * answers are read by the same rules.
 */
import {
  asArray,
  asCount,
  asObject,
  asString,
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../lib/json.ts";
import { newId } from "../../lib/ids.ts";
import type { Failure } from "../../core/failure.ts";
import type { ReadContext } from "../../core/format.ts";
import type { OpenBlock, ReplyEvent } from "../../core/reply.ts";
import type { Usage } from "../../core/usage.ts";
import { readAnnotations, readSources } from "./citations.ts";
import { detailList, detailText, type Details } from "./details.ts";
import { readStated } from "./errors.ts";
import { readFinish } from "./finish.ts";
import { readDataUrl } from "../../translation/media.ts";
import { proseReader, type ProseReader } from "./prose.ts";
import { callReader, type CallReader } from "./read-calls.ts";
import { nestedText } from "./wire-text.ts";
import { readUsage } from "./usage.ts";

/** An answer while it is being read. */
export interface Answer {
  events: ReplyEvent[];
  /** Nothing is taken any more. */
  ended: boolean;
  head: { id?: string; model?: string; created?: number } | undefined;
  /** A choice was seen: the model answered, if only with nothing. */
  answered: boolean;
  finishReason: string | undefined;
  stopString: string | undefined;
  /** The latest chunk with a list of sources. */
  sources: JsonObject | undefined;
  /** Reasoning is told twice by some servers: the way that came first counts. */
  told: "plain" | "details" | undefined;
  /** Base64 of spoken words so far. */
  audio: string;
  details: Details;
  calls: CallReader;
  prose: ProseReader;
  /** Blocks opened so far; the next one's key. */
  keys: number;
}

export function newAnswer(context: ReadContext): Answer {
  const details = detailList();
  const emit = (event: ReplyEvent): void => {
    answer.events.push(event);
  };
  const newKey = (): number => answer.keys++;
  const calls = callReader({ context, emit, newKey, seed: () => answer.head?.id ?? newId("") });
  const prose = proseReader({
    emit,
    newKey,
    onOpen: calls.settle,
    sealed: () => {
      const data = details.takeSealed();
      return data === undefined
        ? undefined
        : { format: "chat", origin: context.origin, type: "reasoning_details", data };
    },
  });
  const answer: Answer = {
    events: [],
    ended: false,
    head: undefined,
    answered: false,
    finishReason: undefined,
    stopString: undefined,
    sources: undefined,
    told: undefined,
    audio: "",
    details,
    calls,
    prose,
    keys: 0,
  };
  return answer;
}

/** The events since the last call. */
export function drain(answer: Answer): ReplyEvent[] {
  const { events } = answer;
  answer.events = [];
  return events;
}

export function fail(answer: Answer, failure: Failure): void {
  if (answer.ended) return;
  answer.ended = true;
  answer.events.push({ kind: "fail", failure });
}

/** One chunk. `whole`: its choice is a complete one. */
export function takeChunk(answer: Answer, chunk: JsonObject, whole = false): void {
  if (answer.ended) return;
  const choice = firstChoice(chunk);
  const failure = statedFailure(chunk, choice);
  if (failure) {
    fail(answer, failure);
    return;
  }
  if (Array.isArray(chunk["citations"]) || Array.isArray(chunk["search_results"]))
    answer.sources = chunk;
  if (choice) {
    start(answer, chunk);
    answer.answered = true;
    takeChoice(answer, choice, whole);
  }
  const usage = usageOf(chunk, choice);
  if (usage) {
    start(answer, chunk);
    answer.events.push({ kind: "usage", usage });
  }
}

function statedFailure(chunk: JsonObject, choice: JsonObject | undefined): Failure | undefined {
  const beside = choice?.["error"] ?? asObject(chunk["x_groq"])?.["error"];
  return readStated(chunk) ?? (beside === undefined ? undefined : readStated({ error: beside }));
}

/** The server says that it is done, or the body ended: a normal end, or the failure that it is. */
export function finish(answer: Answer, how: "done" | "eof"): void {
  if (answer.ended) return;
  if (!answer.answered) return fail(answer, nothing);
  const { finishReason, stopString } = answer;
  if (how === "eof" && finishReason === undefined) return fail(answer, cut);
  closeAll(answer);
  const reason = readFinish(finishReason, answer.calls.any());
  if (reason === "error")
    return fail(answer, { ...broken, ...(finishReason !== undefined && { code: finishReason }) });
  answer.events.push({
    kind: "stop",
    ...(reason === "end" && stopString !== undefined
      ? { reason: "stop_sequence", sequence: stopString }
      : { reason }),
    ...(finishReason !== undefined && { raw: finishReason }),
  });
  answer.events.push({ kind: "end" });
  answer.ended = true;
}

const nothing: Failure = { cause: "empty", status: 502, message: "the provider's answer is empty" };
const broken: Failure = {
  cause: "stated",
  status: 502,
  message: "the provider ended its answer with an error",
};
const cut: Failure = {
  cause: "cut",
  status: 502,
  message: "the provider's answer ended too early",
};

function start(answer: Answer, chunk: JsonObject): void {
  if (answer.head) return;
  const [id, model, created] = [
    filled(chunk["id"]),
    filled(chunk["model"]),
    asCount(chunk["created"]),
  ];
  answer.head = {
    ...(id !== undefined && { id }),
    ...(model !== undefined && { model }),
    ...(created !== undefined && created > 0 && { created }),
  };
  answer.events.push({ kind: "start", ...answer.head });
}

function takeChoice(answer: Answer, choice: JsonObject, whole: boolean): void {
  const delta = asObject(choice["delta"]);
  // A message in place of a delta is the whole answer, unless it repeats what was streamed.
  const message = !delta && answer.keys === 0 ? asObject(choice["message"]) : undefined;
  if (delta) takeDelta(answer, delta, whole);
  else if (message) takeDelta(answer, message, true);
  const reason = filled(choice["finish_reason"]);
  if (reason === undefined) return;
  answer.finishReason ??= reason;
  answer.stopString ??= filled(choice["stop_reason"]);
  closeAll(answer);
}

function takeDelta(answer: Answer, delta: JsonObject, whole: boolean): void {
  const { prose } = answer;
  takeReasoning(answer, delta);
  takeContent(answer, delta["content"]);
  prose.say("refusal", asString(delta["refusal"]) ?? "");
  prose.cite(readAnnotations(delta["annotations"]));
  for (const image of asArray(delta["images"])) takeImage(answer, image);
  const audio = asObject(delta["audio"]);
  prose.say("text", asString(audio?.["transcript"]) ?? "");
  answer.audio += asString(audio?.["data"]) ?? "";
  takeCalls(answer, delta, whole);
}

function takeReasoning(answer: Answer, delta: JsonObject): void {
  const entries = asArray(delta["reasoning_details"]);
  answer.details.add(entries);
  const plain = filled(delta["reasoning_content"]) ?? filled(delta["reasoning"]) ?? "";
  const detailed = detailText(entries);
  if (plain === "" && detailed === "") return;
  answer.told ??= plain === "" ? "details" : "plain";
  answer.prose.say("thinking", answer.told === "plain" ? plain : detailed);
}

function takeContent(answer: Answer, content: JsonValue | undefined): void {
  if (typeof content === "string") {
    answer.prose.say("text", content);
    return;
  }
  for (const part of asArray(content)) {
    if (typeof part === "string") answer.prose.say("text", part);
    else if (isObject(part)) takePart(answer, part);
  }
}

function takePart(answer: Answer, part: JsonObject): void {
  const { prose } = answer;
  if (part["type"] === "thinking") prose.say("thinking", nestedText(part["thinking"]));
  else if (part["type"] === "refusal") prose.say("refusal", asString(part["refusal"]) ?? "");
  else if (part["type"] === "image_url") takeImage(answer, part);
  else prose.say("text", asString(part["text"]) ?? "");
}

function takeImage(answer: Answer, value: JsonValue): void {
  const image = asObject(value);
  const url = asString(asObject(image?.["image_url"])?.["url"]) ?? filled(image?.["image_url"]);
  if (url === undefined || url === "") return;
  const inline = readDataUrl(url);
  if (inline) emitBlock(answer, { kind: "media", media: "image", ...inline });
  else answer.prose.say("text", `![image](${url})`);
}

function emitBlock(answer: Answer, block: OpenBlock): void {
  answer.prose.close();
  const key = answer.keys++;
  answer.events.push({ kind: "open", key, block }, { kind: "close", key });
}

function takeCalls(answer: Answer, delta: JsonObject, whole: boolean): void {
  const entries = asArray(delta["tool_calls"]).filter(isObject);
  const older = asObject(delta["function_call"]);
  const isOlder =
    entries.length === 0 && (filled(older?.["name"]) ?? filled(older?.["arguments"])) !== undefined;
  if (entries.length === 0 && !isOlder) return;
  answer.prose.close();
  entries.forEach((entry, at) => answer.calls.feed(entry, whole ? at : undefined));
  if (isOlder && older) answer.calls.feed({ index: 0, function: older });
}

function closeAll(answer: Answer): void {
  const { prose, sources } = answer;
  if (sources && !prose.cited()) prose.cite(readSources(sources));
  if (answer.audio !== "") {
    emitBlock(answer, { kind: "media", media: "audio", mime: "audio/wav", data: answer.audio });
    answer.audio = "";
  }
  prose.close();
  answer.calls.closeAll();
  prose.seal();
}

function filled(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The first of the answers asked for; the others are no one's outside a relay. */
function firstChoice(chunk: JsonObject): JsonObject | undefined {
  const first = (entry: JsonValue): boolean => isObject(entry) && (entry["index"] ?? 0) === 0;
  return asObject(asArray(chunk["choices"]).find(first));
}

function usageOf(chunk: JsonObject, choice: JsonObject | undefined): Usage | undefined {
  return (
    readUsage(chunk["usage"]) ??
    readUsage(choice?.["usage"]) ??
    readUsage(asObject(chunk["x_groq"])?.["usage"])
  );
}
