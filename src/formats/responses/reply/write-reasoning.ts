/** Writes a thinking block as a reasoning item with one summary part. */
import type { OpaqueState } from "../../../core/request.ts";
import type { BlockWriter } from "./block-writer.ts";
import type { Output } from "./output.ts";
import { reasoningItem } from "./write-items.ts";

/** A writer of one thinking block. */
export function thinkingWriter(output: Output): BlockWriter {
  const id = output.newId("rs_");
  let isOpen = false;
  let text = "";
  let state: OpaqueState | undefined;
  const open = (): void => {
    if (isOpen) return;
    isOpen = true;
    output.closeMessage();
    output.addItem(reasoningItem(id, ""));
  };
  const { writeEvent } = output;
  const writeSummary =
    writeEvent &&
    ((event: string, members: string): void => {
      const position = `${output.position(id)},"summary_index":0`;
      writeEvent(`response.reasoning_summary_${event}`, `${position},${members}`);
    });
  return {
    delta(added) {
      open();
      if (text === "") writeSummary?.("part.added", '"part":{"type":"summary_text","text":""}');
      text += added;
      writeSummary?.("text.delta", `"delta":${JSON.stringify(added)}`);
    },
    state(added) {
      open();
      state = added;
    },
    close() {
      if (!isOpen) return;
      if (text !== "") {
        const json = JSON.stringify(text);
        writeSummary?.("text.done", `"text":${json}`);
        writeSummary?.("part.done", `"part":{"type":"summary_text","text":${json}}`);
      }
      output.finishItem(reasoningItem(id, text, state && { state, owner: "self" }));
    },
  };
}
