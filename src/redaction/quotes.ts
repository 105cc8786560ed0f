/** Finds what a message quotes of a request: providers put whole requests into their errors. */
import { isObject, type JsonValue } from "../lib/json.ts";
import type { RedactedSpan } from "./spans.ts";

/** Characters that are compared at once: a quotation of almost twice as many is always found. */
const size = 12;
/** Characters of a request that are compared; of a longer one's errors only the beginning is kept. */
const mostCompared = 4_000_000;
const keptUnseen = 100;

/** The parts of the message that stand in texts of the request, one pass over it; not `known`, the model's name. */
export function findQuotes(
  message: string,
  request: JsonValue | undefined,
  known: string,
): RedactedSpan[] {
  if (message.length < size) return [];
  const quotes = new QuoteFinder(message);
  const open: (JsonValue | undefined)[] = [request];
  for (let value = open.pop(); value !== undefined || open.length > 0; value = open.pop()) {
    if (typeof value === "string" && value !== known) quotes.compare(value);
    else if (Array.isArray(value)) for (const item of value) open.push(item);
    else if (isObject(value)) for (const name in value) open.push(value[name]);
  }
  return quotes.found();
}

class QuoteFinder {
  readonly #spans: RedactedSpan[] = [];
  readonly #message: string;
  /** Where the message's sequences stand, by their hash; and whether there is one that looks alike. */
  readonly #places = new Map<number, number[]>();
  readonly #known = new Uint8Array(0x10000);
  /** Without one it quotes nothing as it is escaped but what stands so in the text, too. */
  readonly #hasEscapes: boolean;
  readonly #isQuoted: Uint8Array;
  #left = mostCompared;

  constructor(message: string) {
    this.#message = message;
    this.#isQuoted = new Uint8Array(message.length);
    this.#hasEscapes = message.includes("\\");
    for (let at = 0; at + size <= message.length; at++) {
      const hash = hashAt(message, at);
      this.#known[lookAt(message, at)] = 1;
      const places = this.#places.get(hash);
      if (places === undefined) this.#places.set(hash, [at]);
      else places.push(at);
    }
  }

  /** Marks what the message has of the text, as it is or escaped as in JSON. */
  compare(text: string): void {
    if (text.length < size || this.#left < 0) return;
    this.#left -= text.length;
    if (this.#left < 0) return;
    this.#scan(text);
    if (!this.#hasEscapes) return;
    const escaped = JSON.stringify(text).slice(1, -1);
    if (escaped !== text) this.#scan(escaped);
  }

  /** What was found; where the comparison had to end, all but the message's beginning. */
  found(): RedactedSpan[] {
    const { length } = this.#message;
    if (this.#left >= 0 || length <= keptUnseen) return this.#spans;
    return [...this.#spans, { kind: "pattern", from: keptUnseen, to: length }];
  }

  #scan(text: string): void {
    for (let at = 0; at + size <= text.length && this.#left >= 0; at += size) {
      if (this.#known[lookAt(text, at)] === 0) continue;
      const hash = hashAt(text, at);
      const places = this.#places.get(hash) ?? [];
      for (const place of places) if (this.#isQuoted[place] === 0) this.#mark(text, at, place);
      const open = places.filter((place) => this.#isQuoted[place] === 0);
      if (open.length < places.length) this.#places.set(hash, open);
    }
  }

  /** As far as both are the same to either side. */
  #mark(text: string, at: number, place: number): void {
    const message = this.#message;
    if (!text.startsWith(message.slice(place, place + size), at)) {
      // Another sequence of the same hash: texts may be made to have many.
      this.#left -= size;
      return;
    }
    let [before, behind] = [0, size];
    while (before < Math.min(at, place) && text[at - before - 1] === message[place - before - 1])
      before += 1;
    while (at + behind < text.length && text[at + behind] === message[place + behind]) behind += 1;
    this.#isQuoted.fill(1, place - before, place + behind);
    this.#spans.push({ kind: "pattern", from: place - before, to: place + behind });
  }
}

/** Of a few of the sequence's characters, below 0x10000: almost every other sequence looks different. */
function lookAt(text: string, at: number): number {
  const [first, second] = [text.charCodeAt(at), text.charCodeAt(at + 4)];
  const [third, fourth] = [text.charCodeAt(at + 7), text.charCodeAt(at + 11)];
  return (Math.imul(Math.imul(Math.imul(first, 31) + second, 31) + third, 31) + fourth) & 0xffff;
}

function hashAt(text: string, at: number): number {
  let hash = 0;
  for (let index = at; index < at + size; index++)
    hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0;
  return hash;
}
