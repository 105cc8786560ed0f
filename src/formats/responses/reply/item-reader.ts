/**
 * What every reader of an output item does. An item arrives in pieces, as a finished form, or both: its reader emits
 * each thing once, whichever of them brought it.
 */
import type { ReadContext } from "../../../core/format.ts";
import type { JsonObject, JsonValue } from "../../../lib/json.ts";
import type { EventCollector } from "./event-collector.ts";

/** Reads the pieces of one item; pieces that its type does not have are ignored. */
export interface ItemReader {
  /** The item as it was announced. */
  begin?(head: JsonObject): void;
  text?(part: number, piece: MessagePiece): void;
  /** A part of a message is complete. */
  part?(part: number, whole: JsonObject): void;
  cite?(part: number, annotation: { index: number; value: JsonValue | undefined }): void;
  /** Reasoning text; `part` tells one summary or content part from another. */
  think?(part: string, piece: TextPiece): void;
  /** Input of a call. */
  input?(delta: string): void;
  /** The finished item: emits what is still missing. */
  finish(whole: JsonObject): void;
  /** No more comes for this item. */
  close(): void;
  /** Whether it asks the client to do something. */
  isAction(): boolean;
}

/** A piece of text: `delta` is appended, `whole` is all of the part's text. */
export interface TextPiece {
  delta?: string;
  whole?: string;
}

/** A piece of a message. */
export interface MessagePiece extends TextPiece {
  kind: "text" | "refusal";
}

/** What an item is read with. */
export interface ItemContext {
  events: EventCollector;
  context: ReadContext;
  /** The id of a call that has none of its own. */
  fallbackId: string;
  /** Ids of the answer's calls. */
  takenIds: Set<string>;
}

/** The end of the whole text that did not come yet; nothing when the whole does not continue what came. */
export function missingText(before: string, whole: string): string {
  return whole.length > before.length && whole.startsWith(before) ? whole.slice(before.length) : "";
}
