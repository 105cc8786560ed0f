/** One neutral block as wire events. Nothing is opened before there is something to say. */
import type { OpenBlock } from "../../core/reply.ts";
import type { Citation, OpaqueState } from "../../core/request.ts";
import { writeCitation } from "./citations.ts";
import { mediaNote } from "./reply-words.ts";
import { isRedacted, signatureOf, unsigned } from "./reply/thinking-signature.ts";
import type { StateOwner } from "../../translation/opaque-state.ts";

export interface BlockSink {
  /** One event of this type; `json` is its data. */
  write(type: string, json: string): void;
}

export interface BlockPlace {
  sink: BlockSink;
  /** Call ids as the client may have them. */
  ids: (id: string) => string;
  /** The next free index. */
  index: () => number;
}

export interface WireBlock {
  /** A call's start; `state` if it is already there. */
  open(state: OpaqueState | undefined): void;
  text(text: string): void;
  cite(citation: Citation): void;
  state(state: OpaqueState): void;
  close(): void;
}

const silent: WireBlock = {
  open: () => {},
  text: () => {},
  cite: () => {},
  state: () => {},
  close: () => {},
};

export function wireBlock(block: OpenBlock, place: BlockPlace): WireBlock {
  switch (block.kind) {
    case "text":
    case "refusal":
      return textBlock(place);
    case "thinking":
      return thinkingBlock(place);
    case "call":
      return callBlock(block, place);
    case "media":
      return { ...silent, open: () => noteBlock(mediaNote(block), place) };
    case "opaque":
      return silent;
    default:
      return block satisfies never;
  }
}

function start({ sink, index }: BlockPlace, block: string): number {
  const at = index();
  sink.write(
    "content_block_start",
    `{"type":"content_block_start","index":${at},"content_block":${block}}`,
  );
  return at;
}

function delta({ sink }: BlockPlace, at: number, json: string): void {
  sink.write("content_block_delta", `{"type":"content_block_delta","index":${at},"delta":${json}}`);
}

function stop({ sink }: BlockPlace, at: number): void {
  sink.write("content_block_stop", `{"type":"content_block_stop","index":${at}}`);
}

function textBlock(place: BlockPlace): WireBlock {
  let at: number | undefined;
  const opened = (): number => (at ??= start(place, '{"type":"text","text":""}'));
  const close = (): void => {
    if (at !== undefined) stop(place, at);
    at = undefined;
  };
  return {
    ...silent,
    text(text) {
      if (text === "") return;
      delta(place, opened(), `{"type":"text_delta","text":${JSON.stringify(text)}}`);
    },
    cite(citation) {
      const written = writeCitation(citation);
      if (!written) return;
      delta(place, opened(), JSON.stringify({ type: "citations_delta", citation: written }));
    },
    state(state) {
      close();
      stateBlock(state, "self", place);
    },
    close,
  };
}

function thinkingBlock(place: BlockPlace): WireBlock {
  let at: number | undefined;
  let signed = false;
  const opened = (): number =>
    (at ??= start(place, '{"type":"thinking","thinking":"","signature":""}'));
  const sign = (signature: string): void => {
    signed = true;
    delta(place, opened(), JSON.stringify({ type: "signature_delta", signature }));
  };
  const close = (): void => {
    if (at === undefined) return;
    if (!signed) sign(unsigned);
    stop(place, at);
    at = undefined;
  };
  return {
    ...silent,
    text(text) {
      if (text === "") return;
      delta(place, opened(), `{"type":"thinking_delta","thinking":${JSON.stringify(text)}}`);
    },
    state(state) {
      if (isRedacted(state)) {
        close();
        stateBlock(state, "self", place);
      } else sign(signatureOf(state, "self"));
    },
    close,
  };
}

function callBlock(block: Extract<OpenBlock, { kind: "call" }>, place: BlockPlace): WireBlock {
  const freeform = block.call === "custom";
  let at = -1;
  let early: OpaqueState | undefined;
  let late: OpaqueState | undefined;
  let fed = false;
  const feed = (json: string): void => {
    delta(place, at, `{"type":"input_json_delta","partial_json":${JSON.stringify(json)}}`);
  };
  return {
    ...silent,
    open(state) {
      early = state;
      if (state) stateBlock(state, "next", place);
      const [id, name] = [place.ids(block.id), block.name].map((text) => JSON.stringify(text));
      at = start(place, `{"type":"tool_use","id":${id},"name":${name},"input":{}}`);
    },
    text(text) {
      if (text === "") return;
      // The inside of a JSON string may be escaped piece by piece: half pairs are written as escapes.
      feed(freeform ? (fed ? "" : '{"input":"') + JSON.stringify(text).slice(1, -1) : text);
      fed = true;
    },
    state(state) {
      if (!early) late = state;
    },
    close() {
      if (freeform) feed(fed ? '"}' : '{"input":""}');
      stop(place, at);
      if (late) stateBlock(late, "previous", place);
    },
  };
}

function noteBlock(text: string, place: BlockPlace): void {
  const block = textBlock(place);
  block.text(text);
  block.close();
}

/** State alone, in a block without words. */
function stateBlock(state: OpaqueState, owner: StateOwner, place: BlockPlace): void {
  if (isRedacted(state)) {
    stop(place, start(place, JSON.stringify({ type: "redacted_thinking", data: state.data })));
    return;
  }
  const at = start(place, '{"type":"thinking","thinking":"","signature":""}');
  delta(
    place,
    at,
    JSON.stringify({ type: "signature_delta", signature: signatureOf(state, owner) }),
  );
  stop(place, at);
}
