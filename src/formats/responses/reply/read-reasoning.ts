/** Reads a reasoning item. Its summary and content parts are one thinking block, with a blank line between parts. */
import { asArray, asString, isObject, type JsonValue } from "../../../lib/json.ts";
import type { EventCollector, TextOwner } from "./event-collector.ts";
import { missingText, type ItemReader, type TextPiece } from "./item-reader.ts";

/** A reader of one reasoning item; `origin` is the connection that made its encrypted content. */
export function reasoningReader(events: EventCollector, origin: string): ItemReader {
  const texts = new Map<string, string>();
  const block: TextOwner = {};
  const open = (): number => block.key ?? events.openText(block, { kind: "thinking" });

  const think = (part: string, { delta, whole }: TextPiece): void => {
    const before = texts.get(part);
    const added = delta ?? missingText(before ?? "", whole ?? "");
    if (added === "") return;
    const key = open();
    if (before === undefined && texts.size > 0) events.add({ kind: "delta", key, text: "\n\n" });
    texts.set(part, (before ?? "") + added);
    events.add({ kind: "delta", key, text: added });
  };
  const finishParts = (list: JsonValue | undefined, partName: (index: number) => string): void => {
    asArray(list).forEach((part, index) => {
      const whole = (isObject(part) ? asString(part["text"]) : asString(part)) ?? "";
      think(partName(index), { whole });
    });
  };
  return {
    think,
    finish(whole) {
      finishParts(whole["summary"], summaryPart);
      finishParts(whole["content"], contentPart);
      const data = asString(whole["encrypted_content"]);
      if (data === undefined || data === "") return;
      const state = { format: "responses", origin, type: "encrypted_content", data } as const;
      events.add({ kind: "state", key: open(), state });
    },
    close: () => events.closeText(block),
    isAction: () => false,
  };
}

/** Name of a summary part among the parts of a reasoning item. */
export function summaryPart(index: number): string {
  return `s${index}`;
}

/** Name of a content part among the parts of a reasoning item. */
export function contentPart(index: number): string {
  return `c${index}`;
}
