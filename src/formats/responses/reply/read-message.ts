/** Reads a message item: text and refusals with their citations. */
import type { OpenBlock } from "../../../core/events.ts";
import { asArray, asString, isObject, type JsonObject } from "../../../lib/json.ts";
import { readAnnotation } from "../shared/citations.ts";
import type { EventCollector, TextOwner } from "./event-collector.ts";
import { missingText, type ItemReader, type MessagePiece } from "./item-reader.ts";

/** A part of a message, as far as it was emitted. */
interface Part extends TextOwner {
  text: string;
  /** Indices of emitted annotations. */
  cited: Set<number>;
  done: boolean;
}

/** Types of the parts that hold what the assistant says. */
const textParts = new Set(["output_text", "text", "refusal"]);

/** A reader of one message. */
export function messageReader(events: EventCollector): ItemReader {
  const parts = new Map<number, Part>();
  let phase: string | undefined;

  const partAt = (index: number): Part => {
    const part = parts.get(index) ?? { text: "", cited: new Set<number>(), done: false };
    parts.set(index, part);
    return part;
  };
  const addText = (index: number, piece: MessagePiece): void => {
    const part = partAt(index);
    const added = piece.delta ?? missingText(part.text, piece.whole ?? "");
    if (added === "" || part.done) return;
    const key = part.key ?? events.openText(part, blockOf(piece.kind, phase));
    part.text += added;
    events.add({ kind: "delta", key, text: added });
  };
  const cite: NonNullable<ItemReader["cite"]> = (index, annotation) => {
    const part = partAt(index);
    // An annotation before any text is listed again in the finished part.
    if (part.key === undefined || part.cited.has(annotation.index)) return;
    if (!isObject(annotation.value)) return;
    part.cited.add(annotation.index);
    events.add({ kind: "cite", key: part.key, citation: readAnnotation(annotation.value) });
  };
  const finishPart = (index: number, whole: JsonObject): void => {
    if (!textParts.has(asString(whole["type"]) ?? "text")) return;
    const kind = whole["type"] === "refusal" ? "refusal" : "text";
    addText(index, { kind, whole: asString(whole[kind]) ?? "" });
    asArray(whole["annotations"]).forEach((value, at) => cite(index, { index: at, value }));
    const part = partAt(index);
    part.done = true;
    events.closeText(part);
  };
  return {
    begin(head) {
      phase = asString(head["phase"]) ?? phase;
    },
    text: addText,
    part: finishPart,
    cite,
    finish(whole) {
      phase ??= asString(whole["phase"]);
      const content = whole["content"];
      if (typeof content === "string") finishPart(0, { type: "output_text", text: content });
      asArray(content).forEach((part, index) => {
        if (isObject(part)) finishPart(index, part);
      });
    },
    close() {
      for (const part of parts.values()) events.closeText(part);
    },
    isAction: () => false,
  };
}

function blockOf(kind: "text" | "refusal", phase: string | undefined): OpenBlock {
  return kind === "refusal" ? { kind } : { kind, ...(phase !== undefined && { phase }) };
}
