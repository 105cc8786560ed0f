/** The running text of an answer: one block of thinking, text or refusal is open at a time. */
import type { ReplyEvent } from "../../../core/events.ts";
import type { Citation, OpaqueState } from "../../../core/request.ts";
import { appendAll } from "../../../lib/lists.ts";
import { shiftCitation } from "../shared/citations.ts";

/** The kinds of blocks that hold running text. */
export type TextKind = "text" | "thinking" | "refusal";

/** Reads the running text of one answer. */
export interface TextReader {
  /** Adds text to the open block of that kind, or opens one; nothing for empty text. */
  add(kind: TextKind, text: string): void;
  /** Adds sources of the text; they are emitted when their block closes. */
  cite(citations: readonly Citation[]): void;
  /** Whether any source came. */
  hasCitations(): boolean;
  close(): void;
  /** Gives encrypted reasoning that came after the last thinking block a block of its own. */
  closeReasoning(): void;
}

/** What the reader needs of the answer that it belongs to. */
export interface TextReaderOptions {
  emit(event: ReplyEvent): void;
  newKey(): number;
  /** Called before a block opens. */
  onOpen(): void;
  /** Takes the encrypted reasoning that waits for a thinking block. */
  takeState(): OpaqueState | undefined;
}

/** A reader of the running text of one answer. */
export function textReader({ emit, newKey, onOpen, takeState }: TextReaderOptions): TextReader {
  let open: { kind: TextKind; key: number } | undefined;
  let waiting: Citation[] = [];
  let hasCitations = false;
  /** Characters of text so far, and where the open text block begins: chat counts positions in the whole text. */
  let length = 0;
  let blockStart = 0;

  const close = (): void => {
    if (!open) return;
    const { kind, key } = open;
    open = undefined;
    if (kind === "text") {
      for (const citation of waiting)
        emit({ kind: "cite", key, citation: shiftCitation(citation, -blockStart) });
      waiting = [];
    }
    if (kind === "thinking") {
      const state = takeState();
      if (state) emit({ kind: "state", key, state });
    }
    emit({ kind: "close", key });
  };

  const begin = (kind: TextKind): number => {
    close();
    onOpen();
    const key = newKey();
    open = { kind, key };
    if (kind === "text") blockStart = length;
    emit({ kind: "open", key, block: { kind } });
    return key;
  };

  return {
    add(kind, text) {
      if (text === "") return;
      const key = open?.kind === kind ? open.key : begin(kind);
      if (kind === "text") length += text.length;
      emit({ kind: "delta", key, text });
    },
    cite(citations) {
      if (citations.length === 0) return;
      hasCitations = true;
      appendAll(waiting, citations);
    },
    hasCitations: () => hasCitations,
    close,
    closeReasoning() {
      const state = takeState();
      if (!state) return;
      close();
      const key = newKey();
      emit({ kind: "open", key, block: { kind: "thinking" } });
      emit({ kind: "state", key, state });
      emit({ kind: "close", key });
    },
  };
}
