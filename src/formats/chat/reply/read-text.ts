/** The running text of an answer: one block of thinking, text or refusal at a time. */
import type { ReplyEvent } from "../../../core/events.ts";
import type { Citation, OpaqueState } from "../../../core/request.ts";
import { shifted } from "../citations.ts";

export type ProseKind = "text" | "thinking" | "refusal";

export interface ProseReader {
  /** Opens a block of that kind unless it is open; nothing for empty text. */
  say(kind: ProseKind, text: string): void;
  /** Sources of the text; told when the block that they stand in closes. */
  cite(citations: readonly Citation[]): void;
  cited(): boolean;
  close(): void;
  /** Sealed reasoning that came after all thinking was told gets a block of its own. */
  seal(): void;
}

export interface ProseSink {
  emit(event: ReplyEvent): void;
  newKey(): number;
  /** Called before a block opens. */
  onOpen(): void;
  /** Sealed reasoning that is waiting for a thinking block. */
  sealed(): OpaqueState | undefined;
}

export function proseReader(sink: ProseSink): ProseReader {
  let open: { kind: ProseKind; key: number } | undefined;
  let waiting: Citation[] = [];
  let cited = false;
  /** Characters of text so far, and where the open block of text begins: chat counts positions in the whole text. */
  let length = 0;
  let blockStart = 0;

  const close = (): void => {
    if (!open) return;
    const { kind, key } = open;
    open = undefined;
    if (kind === "text") {
      for (const citation of waiting)
        sink.emit({ kind: "cite", key, citation: shifted(citation, -blockStart) });
      waiting = [];
    }
    if (kind === "thinking") {
      const state = sink.sealed();
      if (state) sink.emit({ kind: "state", key, state });
    }
    sink.emit({ kind: "close", key });
  };

  const begin = (kind: ProseKind): number => {
    close();
    sink.onOpen();
    const key = sink.newKey();
    open = { kind, key };
    if (kind === "text") blockStart = length;
    sink.emit({ kind: "open", key, block: { kind } });
    return key;
  };

  return {
    say(kind, text) {
      if (text === "") return;
      const key = open?.kind === kind ? open.key : begin(kind);
      if (kind === "text") length += text.length;
      sink.emit({ kind: "delta", key, text });
    },
    cite(citations) {
      if (citations.length === 0) return;
      cited = true;
      waiting.push(...citations);
    },
    cited: () => cited,
    close,
    seal() {
      const state = sink.sealed();
      if (!state) return;
      close();
      const key = sink.newKey();
      sink.emit({ kind: "open", key, block: { kind: "thinking" } });
      sink.emit({ kind: "state", key, state });
      sink.emit({ kind: "close", key });
    },
  };
}
