/**
 * One answer of Gemini, chunk by chunk, as neutral events. A chunk is a whole GenerateContentResponse that holds only
 * what is new; a whole answer is one such chunk. Only the first candidate is read.
 */
import type { ReadContext } from "../../core/format.ts";
import { unwrapFreeform } from "../../core/freeform.ts";
import type { OpenBlock, ReplyEvent, StopReason } from "../../core/reply.ts";
import type { OpaqueState } from "../../core/turn.ts";
import { newId } from "../../lib/ids.ts";
import { asArray, asObject, asString, isObject, type JsonObject } from "../../lib/json.ts";
import { readCitations } from "./citations.ts";
import { errorOf, statedFailure } from "./errors.ts";
import { isUnspecified, stopReason } from "./finish.ts";
import { partialArgs, type PartialArgs } from "./partial-args.ts";
import { signatureState, signatureTypes, type SignaturePlace } from "./states.ts";
import { laterCounts, readUsage } from "./usage.ts";

export interface AnswerReader {
  /** The events of one chunk. Empty once the answer is over. */
  chunk(body: JsonObject): ReplyEvent[];
  /** The answer's own end, or `fail` when it broke off. `whole`: nothing can be missing, the JSON was complete. */
  finish(whole: boolean): ReplyEvent[];
  /** Ends the answer with a failure of the transport's making. */
  fail(message: string): ReplyEvent[];
  /** Whether the provider said why it stopped. */
  readonly stopped: boolean;
}

interface OpenText {
  kind: "text" | "thinking";
  key: number;
  text: string;
  signed: boolean;
}

interface OpenCall {
  key: number;
  custom: boolean;
  pieces: PartialArgs;
  whole?: JsonObject;
}

interface Answer {
  context: ReadContext;
  out: ReplyEvent[];
  over: boolean;
  started: boolean;
  id?: string;
  nextKey: number;
  /** The text or thinking block that grows; at most one. */
  open?: OpenText;
  /** A call whose arguments arrive in pieces. */
  call?: OpenCall;
  /** Signatures that came in the middle or at the end of a text; they follow it. */
  held: OpaqueState[];
  calls: Set<string>;
  cited: Set<string>;
  usage: JsonObject;
  stop?: { reason: StopReason; raw: string; details?: JsonObject };
}

export function answerReader(context: ReadContext): AnswerReader {
  const answer: Answer = {
    context,
    out: [],
    over: false,
    started: false,
    nextKey: 0,
    held: [],
    calls: new Set(),
    cited: new Set(),
    usage: {},
  };
  const take = (): ReplyEvent[] => {
    const events = answer.out;
    answer.out = [];
    return events;
  };
  return {
    chunk(body) {
      if (!answer.over) readChunk(answer, body);
      return take();
    },
    finish(whole) {
      if (!answer.over) finish(answer, whole);
      return take();
    },
    fail(message) {
      if (!answer.over) fail(answer, { cause: "cut", status: 502, message });
      return take();
    },
    get stopped() {
      return answer.stop !== undefined;
    },
  };
}

function fail(answer: Answer, failure: (ReplyEvent & { kind: "fail" })["failure"]): void {
  answer.over = true;
  answer.out.push({ kind: "fail", failure });
}

function readChunk(answer: Answer, body: JsonObject): void {
  const error = errorOf(body);
  if (error) return fail(answer, statedFailure(error));
  start(answer, body);
  const candidate = asArray(body["candidates"]).find(
    (one) => isObject(one) && (one["index"] ?? 0) === 0,
  );
  if (isObject(candidate)) readCandidate(answer, candidate);
  if (answer.over) return;
  const blocked = asObject(body["promptFeedback"]);
  const blockReason = asString(blocked?.["blockReason"]);
  if (blocked && blockReason !== undefined && !isUnspecified(blockReason)) {
    answer.stop = { reason: "filter", raw: blockReason, details: blocked };
  }
  const usage = asObject(body["usageMetadata"]);
  if (usage) readCounts(answer, usage);
}

function start(answer: Answer, body: JsonObject): void {
  const id = asString(body["responseId"]);
  if (answer.id === undefined && id) answer.id = id;
  if (answer.started) return;
  answer.started = true;
  const model = asString(body["modelVersion"]);
  const created = Date.parse(asString(body["createTime"]) ?? "");
  answer.out.push({
    kind: "start",
    ...(id && { id }),
    ...(model && { model }),
    ...(!Number.isNaN(created) && { created: Math.floor(created / 1000) }),
  });
}

function readCounts(answer: Answer, metadata: JsonObject): void {
  answer.usage = laterCounts(answer.usage, metadata);
  const usage = readUsage(answer.usage);
  if (Object.keys(usage).length > 0) answer.out.push({ kind: "usage", usage });
}

function readCandidate(answer: Answer, candidate: JsonObject): void {
  for (const part of asArray(asObject(candidate["content"])?.["parts"])) {
    if (isObject(part)) readPart(answer, part);
  }
  if (candidate["groundingMetadata"] !== undefined || candidate["citationMetadata"] !== undefined)
    cite(answer, candidate);
  const raw = asString(candidate["finishReason"]);
  if (raw === undefined || isUnspecified(raw)) return;
  const said = asString(candidate["finishMessage"]);
  const reason = stopReason(raw);
  if (reason === "error") {
    const message = said ?? `the provider stopped: ${raw}`;
    return fail(answer, { cause: "stated", status: 502, message, code: raw });
  }
  answer.stop = {
    reason,
    raw,
    ...(said !== undefined && reason === "filter" && { details: { finishMessage: said } }),
  };
}

function readPart(answer: Answer, part: JsonObject): void {
  const call = asObject(part["functionCall"]);
  if (call) return readCall(answer, call, signatureOf(part));
  const text = part["text"];
  if (typeof text === "string") return readText(answer, part, text);
  const data = asObject(part["inlineData"]);
  if (data && readMedia(answer, data, signatureOf(part))) return;
  readOther(answer, part);
}

function signatureOf(part: JsonObject): string | undefined {
  const signature = asString(part["thoughtSignature"]) ?? asString(part["thought_signature"]);
  return signature === "" ? undefined : signature;
}

function readText(answer: Answer, part: JsonObject, text: string): void {
  const signature = signatureOf(part);
  const thought = part["thought"] === true;
  if (signature !== undefined)
    placeSignature(answer, signature, thought ? "thought" : text === "" ? "empty" : "text");
  if (text !== "") say(answer, thought ? "thinking" : "text", text);
  if (signature !== undefined && thought) sign(answer, signature);
}

function say(answer: Answer, kind: "text" | "thinking", text: string): void {
  if (answer.open?.kind !== kind) {
    closeText(answer);
    answer.open = { kind, key: openBlock(answer, { kind }), text: "", signed: false };
  }
  // Only citations look back at the text: passages are found in it.
  if (kind === "text") answer.open.text += text;
  answer.out.push({ kind: "delta", key: answer.open.key, text });
}

/**
 * A signature that did not come on a thought. Behind thoughts it signs them for clients that keep reasoning and its
 * proof together; inside a text it waits until the text is over, so that the text stays one block.
 */
function placeSignature(answer: Answer, signature: string, place: SignaturePlace): void {
  if (place === "thought") return;
  const { open } = answer;
  const state = signatureState(signature, place, answer.context.origin);
  if (open?.kind === "text") {
    answer.held.push({ ...state, type: signatureTypes.empty });
  } else if (open && !open.signed) {
    open.signed = true;
    answer.out.push({ kind: "state", key: open.key, state });
  } else {
    closeText(answer);
    stateBlock(answer, state);
  }
}

function sign(answer: Answer, signature: string): void {
  const state = signatureState(signature, "thought", answer.context.origin);
  if (answer.open?.kind !== "thinking" || answer.open.signed) {
    closeText(answer);
    return stateBlock(answer, state);
  }
  answer.open.signed = true;
  answer.out.push({ kind: "state", key: answer.open.key, state });
}

function stateBlock(answer: Answer, state: OpaqueState): void {
  const key = openBlock(answer, { kind: "thinking" });
  answer.out.push({ kind: "state", key, state }, { kind: "close", key });
}

function openBlock(answer: Answer, block: OpenBlock): number {
  const key = answer.nextKey++;
  answer.out.push({ kind: "open", key, block });
  return key;
}

function closeText(answer: Answer): void {
  if (answer.open) answer.out.push({ kind: "close", key: answer.open.key });
  delete answer.open;
  const { held } = answer;
  answer.held = [];
  for (const state of held) stateBlock(answer, state);
}

function cite(answer: Answer, candidate: JsonObject): void {
  const { open } = answer;
  if (open?.kind !== "text") return;
  for (const citation of readCitations(candidate, open.text)) {
    const same = JSON.stringify(citation);
    if (answer.cited.has(same)) continue;
    answer.cited.add(same);
    answer.out.push({ kind: "cite", key: open.key, citation });
  }
}

/** A call comes whole, or opens with its name, goes on in pieces and ends with the first piece that does not continue. */
function readCall(answer: Answer, call: JsonObject, signature: string | undefined): void {
  const name = asString(call["name"]);
  if (name) {
    closeCall(answer);
    openCall(answer, name, asString(call["id"]));
  }
  const current = answer.call;
  if (!current) return;
  if (signature !== undefined) {
    const state = signatureState(signature, "call", answer.context.origin);
    answer.out.push({ kind: "state", key: current.key, state });
  }
  const args = asObject(call["args"]);
  if (args) current.whole = { ...current.whole, ...args };
  for (const piece of asArray(call["partialArgs"])) if (isObject(piece)) current.pieces.add(piece);
  if (call["willContinue"] !== true) closeCall(answer);
}

function openCall(answer: Answer, wire: string, id: string | undefined): void {
  closeText(answer);
  const { name, namespace, call } = answer.context.names.fromWire(wire);
  const key = openBlock(answer, {
    kind: "call",
    id: callId(answer, id),
    name,
    ...(namespace !== undefined && { namespace }),
    call,
  });
  answer.call = { key, custom: call === "custom", pieces: partialArgs() };
}

function closeCall(answer: Answer): void {
  const { call } = answer;
  if (!call) return;
  delete answer.call;
  const json = JSON.stringify({ ...call.pieces.value(), ...call.whole });
  answer.out.push({
    kind: "delta",
    key: call.key,
    text: call.custom ? unwrapFreeform(json) : json,
  });
  answer.out.push({ kind: "close", key: call.key });
}

/** The provider's id if it is free; else one made of the answer's own id, so that it is the same however it was cut. */
function callId(answer: Answer, id: string | undefined): string {
  const made = (): string => {
    const stem = (answer.id ?? "").replaceAll(/[^A-Za-z0-9_-]/g, "").slice(0, 26);
    return stem === "" ? newId("call_") : `call_${stem}_${answer.calls.size}`;
  };
  let unique = id && !answer.calls.has(id) ? id : made();
  while (answer.calls.has(unique)) unique = newId("call_");
  answer.calls.add(unique);
  return unique;
}

function readMedia(answer: Answer, data: JsonObject, signature: string | undefined): boolean {
  const [mime, bytes] = [asString(data["mimeType"]), asString(data["data"])];
  if (mime === undefined || bytes === undefined) return false;
  closeText(answer);
  if (signature !== undefined)
    stateBlock(answer, signatureState(signature, "empty", answer.context.origin));
  const family = mime.slice(0, mime.indexOf("/"));
  const media =
    family === "image" || family === "audio" || family === "video" ? family : "document";
  const key = openBlock(answer, { kind: "media", media, mime, data: bytes });
  answer.out.push({ kind: "close", key });
  return true;
}

/** Members that describe a part and are not its content. */
const marks = new Set([
  "thoughtSignature",
  "thought_signature",
  "thought",
  "videoMetadata",
  "mediaResolution",
  "partMetadata",
]);

/** Tools that the provider ran itself (code, search) and part kinds not known here: nothing a client has to act on. */
function readOther(answer: Answer, part: JsonObject): void {
  const type = Object.keys(part).find((name) => !marks.has(name));
  const signature = signatureOf(part);
  if (type === undefined) {
    if (signature !== undefined) placeSignature(answer, signature, "empty");
    return;
  }
  closeText(answer);
  const key = openBlock(answer, { kind: "opaque", type, raw: part, action: false });
  answer.out.push({ kind: "close", key });
}

function finish(answer: Answer, whole: boolean): void {
  const { stop } = answer;
  if (!stop && !(whole && answer.nextKey > 0)) {
    return answer.started && !whole
      ? fail(answer, { cause: "cut", status: 502, message: "the provider's answer broke off" })
      : fail(answer, { cause: "empty", status: 502, message: "the provider's answer is empty" });
  }
  closeCall(answer);
  closeText(answer);
  const { raw, details } = stop ?? {};
  const reason = stop?.reason ?? "end";
  answer.over = true;
  answer.out.push(
    {
      kind: "stop",
      reason: reason === "end" && answer.calls.size > 0 ? "tools" : reason,
      ...(raw !== undefined && { raw }),
      ...(details && { details }),
    },
    { kind: "end" },
  );
}
