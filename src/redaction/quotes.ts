/** Finds what a message quotes of a request: providers put whole requests into their errors. */
import { isObject, type JsonValue } from "../lib/json.ts";
import type { RedactedSpan } from "./spans.ts";

/** Characters that are compared at once: a quotation of almost twice as many is always found. */
const size = 12;

/** The parts of the message that stand in texts of the request, in its names of members not; one pass over the request. */
export function findQuotes(
  message: string,
  request: JsonValue | undefined,
  known: string,
): RedactedSpan[] {
  if (message.length < size) return [];
  const quotes = new QuoteFinder(message);
  const open: (JsonValue | undefined)[] = [request];
  for (let value = open.pop(); value !== undefined || open.length > 0; value = open.pop()) {
    if (typeof value === "string") quotes.compare(value, known);
    else if (Array.isArray(value)) open.push(...value);
    else if (isObject(value)) open.push(...Object.values(value));
  }
  return quotes.spans;
}

class QuoteFinder {
  readonly spans: RedactedSpan[] = [];
  readonly #message: string;
  /** Where each sequence of the message stands. */
  readonly #places = new Map<string, number[]>();
  readonly #isQuoted: Uint8Array;

  constructor(message: string) {
    this.#message = message;
    this.#isQuoted = new Uint8Array(message.length);
    for (let at = 0; at + size <= message.length; at++) {
      const sequence = message.slice(at, at + size);
      const places = this.#places.get(sequence);
      if (places === undefined) this.#places.set(sequence, [at]);
      else places.push(at);
    }
  }

  /** Marks what the message has of the text, as it is or escaped as in JSON. `known` is no secret: the model's name. */
  compare(text: string, known: string): void {
    if (text.length < size || text === known) return;
    this.#scan(text);
    const escaped = JSON.stringify(text).slice(1, -1);
    if (escaped !== text) this.#scan(escaped);
  }

  #scan(text: string): void {
    for (let at = 0; at + size <= text.length; at += size)
      for (const place of this.#places.get(text.slice(at, at + size)) ?? [])
        if (this.#isQuoted[place] === 0) this.#mark(text, at, place);
  }

  /** As far as both are the same to either side. */
  #mark(text: string, at: number, place: number): void {
    const message = this.#message;
    let [before, behind] = [0, size];
    while (before < Math.min(at, place) && text[at - before - 1] === message[place - before - 1])
      before += 1;
    while (at + behind < text.length && text[at + behind] === message[place + behind]) behind += 1;
    this.#isQuoted.fill(1, place - before, place + behind);
    this.spans.push({ kind: "pattern", from: place - before, to: place + behind });
  }
}
