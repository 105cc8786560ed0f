/**
 * `reasoning_details`: readable reasoning with signatures and encrypted pieces, which their maker wants back as it gave
 * them. Read from providers, where streamed pieces of one entry are joined again, and written for clients.
 */
import type { OpaqueState } from "../../../core/request.ts";
import { asString, isObject, type JsonObject, type JsonValue } from "../../../lib/json.ts";
import { putMember } from "../../../translation/members.ts";
import { wrapState } from "../../../translation/opaque-state.ts";

/** Collects the entries of one answer. */
export interface ReasoningDetails {
  add(entries: readonly JsonValue[]): void;
  /** The entries so far as JSON text, once one of them is signed or encrypted; empties the list. */
  takeState(): string | undefined;
}

/** Members whose pieces are joined. */
const textMembers = ["text", "summary"] as const;

/** A collector of the entries of one answer. */
export function reasoningDetails(): ReasoningDetails {
  let entries: JsonObject[] = [];
  let hasState = false;
  return {
    add(pieces) {
      for (const piece of pieces) {
        if (!isObject(piece)) continue;
        hasState ||= holdsState(piece);
        const last = entries.at(-1);
        if (last && continues(last, piece)) addPiece(last, piece);
        else entries.push({ ...piece });
      }
    },
    takeState() {
      if (!hasState) return undefined;
      const text = JSON.stringify(entries);
      entries = [];
      hasState = false;
      return text;
    },
  };
}

function holdsState(entry: JsonObject): boolean {
  return isFilled(entry["signature"]) || isFilled(entry["data"]);
}

function isFilled(value: JsonValue | undefined): boolean {
  return typeof value === "string" && value !== "";
}

function continues(last: JsonObject, piece: JsonObject): boolean {
  const sameEntry = typeof piece["index"] === "number" && last["index"] === piece["index"];
  const sameId = !isFilled(piece["id"]) || piece["id"] === last["id"];
  const growing =
    !isFilled(last["signature"]) && !isFilled(last["data"]) && !isFilled(piece["data"]);
  return sameEntry && last["type"] === piece["type"] && sameId && growing;
}

/** In place: the entry is this collector's own copy. */
function addPiece(last: JsonObject, piece: JsonObject): void {
  const before = textMembers.map((key) => asString(last[key]) ?? "");
  for (const key in piece)
    if (piece[key] !== null && piece[key] !== undefined) putMember(last, key, piece[key]);
  textMembers.forEach((key, at) => {
    const text = (before[at] ?? "") + (asString(piece[key]) ?? "");
    if (text !== "") last[key] = text;
  });
}

/** The readable text of the entries. */
export function reasoningText(entries: readonly JsonValue[]): string {
  return entries
    .map((entry) =>
      isObject(entry) ? (asString(entry["text"]) ?? asString(entry["summary"]) ?? "") : "",
    )
    .join("");
}

/** Reasoning whose state a client brings back. */
export interface StatedReasoning {
  text: string;
  state?: OpaqueState;
  /** The call that the state belongs to. */
  callId?: string;
}

/** The entry that carries the state back here, with the very text that it was made for. */
export function writeReasoningDetail(reasoning: StatedReasoning, index: number): JsonObject {
  const { text, state, callId } = reasoning;
  const wrapped = state ? wrapState(state) : "";
  const head = { format: "unknown", index };
  if (callId !== undefined)
    return { type: "reasoning.encrypted", id: callId, data: wrapped, ...head };
  return text === ""
    ? { type: "reasoning.encrypted", data: wrapped, ...head }
    : { type: "reasoning.text", text, signature: wrapped, ...head };
}
