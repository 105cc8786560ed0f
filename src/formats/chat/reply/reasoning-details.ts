/**
 * `reasoning_details` of a provider: readable reasoning with signatures and sealed pieces, which it wants back as it
 * gave them. Streamed pieces of one entry are joined again.
 */
import { asString, isObject, type JsonObject, type JsonValue } from "../../../lib/json.ts";

export interface Details {
  add(entries: readonly JsonValue[]): void;
  /** The entries so far as JSON text, once something in them is sealed; empties the list. */
  takeSealed(): string | undefined;
}

const grown = ["text", "summary"] as const;

export function detailList(): Details {
  let entries: JsonObject[] = [];
  let sealed = false;
  return {
    add(pieces) {
      for (const piece of pieces) {
        if (!isObject(piece)) continue;
        sealed ||= isSealed(piece);
        const last = entries.at(-1);
        if (last && continues(last, piece)) entries[entries.length - 1] = joined(last, piece);
        else entries.push(piece);
      }
    },
    takeSealed() {
      if (!sealed) return undefined;
      const text = JSON.stringify(entries);
      entries = [];
      sealed = false;
      return text;
    },
  };
}

function isSealed(entry: JsonObject): boolean {
  return filled(entry["signature"]) || filled(entry["data"]);
}

function filled(value: JsonValue | undefined): boolean {
  return typeof value === "string" && value !== "";
}

function continues(last: JsonObject, piece: JsonObject): boolean {
  const sameEntry = typeof piece["index"] === "number" && last["index"] === piece["index"];
  const sameId = !filled(piece["id"]) || piece["id"] === last["id"];
  const growing = !filled(last["signature"]) && !filled(last["data"]) && !filled(piece["data"]);
  return sameEntry && last["type"] === piece["type"] && sameId && growing;
}

function joined(last: JsonObject, piece: JsonObject): JsonObject {
  const whole: JsonObject = { ...last };
  for (const key in piece)
    if (piece[key] !== null && piece[key] !== undefined) whole[key] = piece[key];
  for (const key of grown) {
    const text = (asString(last[key]) ?? "") + (asString(piece[key]) ?? "");
    if (text !== "") whole[key] = text;
  }
  return whole;
}

/** What the entries say in words. */
export function detailText(entries: readonly JsonValue[]): string {
  return entries
    .map((entry) =>
      isObject(entry) ? (asString(entry["text"]) ?? asString(entry["summary"]) ?? "") : "",
    )
    .join("");
}
