/** Writes one block of a streamed answer. A block opens on the wire with its first text, citation or state. */
import type { OpenBlock, OpenCall } from "../../../core/events.ts";
import type { Citation, OpaqueState } from "../../../core/request.ts";
import type { WebSearchRun } from "../../../core/web-search.ts";
import { writeCitation } from "../shared/citations.ts";
import { writeSearch } from "../shared/search-results.ts";
import { isRedacted, signatureOf, unsigned } from "./thinking-signature.ts";
import type { StateOwner } from "../../../translation/opaque-state.ts";
import { mediaNote } from "./write-members.ts";

/** Writes one event of the stream: its type and its data as JSON text. */
export type WriteEvent = (type: string, json: string) => void;

/** What a block is written with. */
export interface BlockContext {
  write: WriteEvent;
  /** A call's id as the client may have it. */
  callId: (id: string) => string;
  newId: (prefix: string) => string;
  /** The next free index. */
  nextIndex: () => number;
}

/** Writes the parts of one block; a kind ignores the parts that it does not have. */
export interface BlockWriter {
  /** Media, or a call with the state that is already known. */
  open(state: OpaqueState | undefined): void;
  text(text: string): void;
  cite(citation: Citation): void;
  state(state: OpaqueState): void;
  close(): void;
}

const ignored: BlockWriter = {
  open: () => {},
  text: () => {},
  cite: () => {},
  state: () => {},
  close: () => {},
};

/** The writer of a block. */
export function blockWriter(block: OpenBlock, context: BlockContext): BlockWriter {
  switch (block.kind) {
    case "text":
    case "refusal":
      return textWriter(context);
    case "thinking":
      return thinkingWriter(context);
    case "call":
      return callWriter(block, context);
    case "media":
      return { ...ignored, open: () => writeNote(mediaNote(block), context) };
    case "opaque":
      return block.search === undefined ? ignored : searchWriter(block.search, context);
    default:
      return block satisfies never;
  }
}

/** The whole search comes at once: its use, and what was found. */
function searchWriter(search: WebSearchRun, context: BlockContext): BlockWriter {
  const open = (): void => {
    const [{ input, ...use }, result] = writeSearch(search, context.newId("srvtoolu_"));
    // Clients take the input of a tool from its deltas.
    const index = writeStart(context, JSON.stringify({ ...use, input: {} }));
    const delta = { type: "input_json_delta", partial_json: JSON.stringify(input) };
    writeDelta(context, index, JSON.stringify(delta));
    writeStop(context, index);
    writeStop(context, writeStart(context, JSON.stringify(result)));
  };
  return { ...ignored, open };
}

/** `block`: its start as JSON text. Gives its index. */
function writeStart({ write, nextIndex }: BlockContext, block: string): number {
  const index = nextIndex();
  write(
    "content_block_start",
    `{"type":"content_block_start","index":${index},"content_block":${block}}`,
  );
  return index;
}

function writeDelta({ write }: BlockContext, index: number, delta: string): void {
  write("content_block_delta", `{"type":"content_block_delta","index":${index},"delta":${delta}}`);
}

function writeStop({ write }: BlockContext, index: number): void {
  write("content_block_stop", `{"type":"content_block_stop","index":${index}}`);
}

const emptyText = '{"type":"text","text":""}';
const emptyThinking = '{"type":"thinking","thinking":"","signature":""}';

function textWriter(context: BlockContext): BlockWriter {
  let index: number | undefined;
  const open = (): number => (index ??= writeStart(context, emptyText));
  const close = (): void => {
    if (index !== undefined) writeStop(context, index);
    index = undefined;
  };
  return {
    ...ignored,
    text(text) {
      if (text === "") return;
      writeDelta(context, open(), `{"type":"text_delta","text":${JSON.stringify(text)}}`);
    },
    cite(citation) {
      const written = writeCitation(citation);
      if (!written) return;
      const delta = { type: "citations_delta", citation: written };
      writeDelta(context, open(), JSON.stringify(delta));
    },
    state(state) {
      close();
      writeStateBlock(state, "self", context);
    },
    close,
  };
}

function thinkingWriter(context: BlockContext): BlockWriter {
  let index: number | undefined;
  let isSigned = false;
  const open = (): number => (index ??= writeStart(context, emptyThinking));
  const sign = (signature: string): void => {
    isSigned = true;
    writeDelta(context, open(), JSON.stringify({ type: "signature_delta", signature }));
  };
  const close = (): void => {
    if (index === undefined) return;
    if (!isSigned) sign(unsigned);
    writeStop(context, index);
    index = undefined;
  };
  return {
    ...ignored,
    text(text) {
      if (text === "") return;
      const delta = `{"type":"thinking_delta","thinking":${JSON.stringify(text)}}`;
      writeDelta(context, open(), delta);
    },
    state(state) {
      if (isRedacted(state)) {
        close();
        writeStateBlock(state, "self", context);
      } else sign(signatureOf(state, "self"));
    },
    close,
  };
}

function callWriter(block: OpenCall, context: BlockContext): BlockWriter {
  const isFreeform = block.call === "custom";
  let index = -1;
  let stateBefore: OpaqueState | undefined;
  let stateAfter: OpaqueState | undefined;
  let hasInput = false;
  const writeInput = (json: string): void => {
    const delta = `{"type":"input_json_delta","partial_json":${JSON.stringify(json)}}`;
    writeDelta(context, index, delta);
  };
  return {
    ...ignored,
    open(state) {
      stateBefore = state;
      if (state) writeStateBlock(state, "next", context);
      const id = JSON.stringify(context.callId(block.id));
      const name = JSON.stringify(block.name);
      index = writeStart(context, `{"type":"tool_use","id":${id},"name":${name},"input":{}}`);
    },
    text(text) {
      if (text === "") return;
      if (isFreeform) writeInput((hasInput ? "" : '{"input":"') + escapedText(text));
      else writeInput(text);
      hasInput = true;
    },
    state(state) {
      if (!stateBefore) stateAfter = state;
    },
    close() {
      if (isFreeform) writeInput(hasInput ? '"}' : '{"input":""}');
      writeStop(context, index);
      if (stateAfter) writeStateBlock(stateAfter, "previous", context);
    },
  };
}

/** A piece of the inside of a JSON string. Halves of surrogate pairs become escapes, so that pieces can be joined. */
function escapedText(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function writeNote(text: string, context: BlockContext): void {
  const block = textWriter(context);
  block.text(text);
  block.close();
}

/** A block that holds nothing but state. */
function writeStateBlock(state: OpaqueState, owner: StateOwner, context: BlockContext): void {
  if (isRedacted(state)) {
    const block = JSON.stringify({ type: "redacted_thinking", data: state.data });
    writeStop(context, writeStart(context, block));
    return;
  }
  const index = writeStart(context, emptyThinking);
  const delta = { type: "signature_delta", signature: signatureOf(state, owner) };
  writeDelta(context, index, JSON.stringify(delta));
  writeStop(context, index);
}
