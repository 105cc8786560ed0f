/**
 * JSON as a stream of bytes of a known length. `JSON.stringify` of a large value needs twice its size for the text
 * alone, and sending the text as much again: here it never exists as a whole.
 */
import { isExact } from "./exact.ts";
import type { JsonValue } from "./json.ts";
import { pieceStream } from "./piece-stream.ts";
import { characterEnd } from "./unicode-slice.ts";

/** Strings are written in slices of so many characters, each of which becomes at most three bytes. */
const slice = 32 * 1024;
const widest = 3;
const roomSize = 2 * slice * widest;
/** Below so many levels a value is written in one go: nesting has no end, and large texts lie above. */
const deepest = 32;
/** So many levels are looked at to see how large a value is, by recursion. */
const deepestLooked = 200;

/** The UTF-8 of `JSON.stringify(value)` as a stream; the value must not change before its end. */
export async function jsonStream(value: JsonValue): Promise<ReadableStream<Uint8Array>> {
  return await pieceStream(() => jsonBytes(value));
}

/** The first `most` characters of `JSON.stringify(value)`; of a large value little more is written than that. */
export function jsonBeginning(value: JsonValue, most: number): string {
  let text = "";
  for (const part of partsOf(value, deepest)) {
    text += part;
    if (text.length >= most) break;
  }
  return text.slice(0, most);
}

/** The UTF-8 of `JSON.stringify(value)` in pieces. Each is good until the next: all are written into one array. */
export function* jsonBytes(value: JsonValue): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  let room = new Uint8Array(roomSize);
  const encoded = (text: string): Uint8Array => {
    if (text.length * widest > room.length) room = new Uint8Array(text.length * widest);
    return room.subarray(0, encoder.encodeInto(text, room).written);
  };
  let pending = "";
  for (const part of partsOf(value, deepest)) {
    pending += part;
    if (pending.length < slice) continue;
    yield encoded(pending);
    pending = "";
  }
  if (pending !== "") yield encoded(pending);
}

/**
 * What is left of `room` after the value: about its characters, at least one for each value in it. It stops early where
 * nothing is left, so that it costs no more than the room; a value of too many levels fits in none.
 */
function roomLeft(value: JsonValue | undefined, room: number, levels = deepestLooked): number {
  if (typeof value === "string") return room - value.length - 1;
  if (typeof value !== "object" || value === null) return room - 1;
  if (levels === 0) return -1;
  let left = room - 1;
  if (Array.isArray(value)) {
    for (const item of value) {
      left = roomLeft(item, left, levels - 1);
      if (left < 0) break;
    }
    return left;
  }
  for (const name of Object.keys(value)) {
    left = roomLeft(value[name], left - name.length, levels - 1);
    if (left < 0) break;
  }
  return left;
}

function* partsOf(value: JsonValue, levels: number): Generator<string> {
  if (typeof value === "string") yield* stringParts(value);
  else if (typeof value !== "object" || value === null || levels === 0 || isExact(value))
    yield JSON.stringify(value);
  // Generators cost far more than a native call: what is small is written in one.
  else if (roomLeft(value, slice) >= 0) yield JSON.stringify(value);
  else if (Array.isArray(value)) yield* arrayParts(value, levels);
  else {
    let before = "{";
    for (const name of Object.keys(value)) {
      const member = value[name];
      if (member === undefined) continue;
      yield `${before}${JSON.stringify(name)}:`;
      yield* partsOf(member, levels - 1);
      before = ",";
    }
    yield before === "{" ? "{}" : "}";
  }
}

function* arrayParts(items: readonly JsonValue[], levels: number): Generator<string> {
  let before = "[";
  for (let at = 0; at < items.length;) {
    const end = endOfRun(items, at);
    if (end > at + 1) yield before + JSON.stringify(items.slice(at, end)).slice(1, -1);
    else {
      yield before;
      yield* partsOf(items[at] ?? null, levels - 1);
    }
    before = ",";
    at = Math.max(end, at + 1);
  }
  yield before === "[" ? "[]" : "]";
}

/** Index behind the items from `start` on that are small enough together to be written in one go. */
function endOfRun(items: readonly JsonValue[], start: number): number {
  let left = slice;
  let end = start;
  for (; end < items.length; end++) {
    left = roomLeft(items[end], left);
    if (left < 0) break;
  }
  return end;
}

/** What JSON writes in another way than it is. */
// oxlint-disable-next-line no-control-regex
const escaped = /["\\\u0000-\u001f\ud800-\udfff]/;

/** Most of a long text stands in JSON as it is: that is not copied. */
function* stringParts(text: string): Generator<string> {
  yield '"';
  for (let at = 0; at < text.length;) {
    const end = characterEnd(text, at + slice);
    const part = text.slice(at, end);
    yield escaped.test(part) ? JSON.stringify(part).slice(1, -1) : part;
    at = end;
  }
  yield '"';
}
