/**
 * Output items -> neutral events. An item is told of pieces and of its finished form, and says each thing once,
 * whichever of them brought it.
 */
import type { ReadContext } from "../../../core/format.ts";
import type { OpenBlock } from "../../../core/events.ts";
import {
  asArray,
  asObject,
  asString,
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../../lib/json.ts";
import { readAnnotation } from "../citations.ts";
import { rest, type Blocks, type Soft } from "./event-collector.ts";
import { callReader } from "./read-calls.ts";

/** An output item as far as it is known. */
export interface Item {
  readonly type: string;
  id?: string;
  callId?: string;
  /** Nothing more is said of it. */
  done: boolean;
  readonly reader: PieceReader;
}

/** What an item does with what is told of it; pieces that its kind does not have are ignored. */
export interface PieceReader {
  begin?(head: JsonObject): void;
  text?(index: number, piece: TextPiece): void;
  /** A part of a message is complete. */
  part?(index: number, whole: JsonObject): void;
  cite?(index: number, annotation: { index: number; value: JsonValue | undefined }): void;
  /** Reasoning text; `part` tells one summary or content part from the next. */
  think?(part: string, piece: { delta?: string; whole?: string }): void;
  /** Input of a call. */
  input?(delta: string): void;
  /** Says what was not said. */
  finish(whole: JsonObject): void;
  /** No more will come. */
  close(): void;
  /** Whether it asks the client to do something. */
  calls(): boolean;
}

export interface TextPiece {
  kind: "text" | "refusal";
  /** Appended text. */
  delta?: string;
  /** All of the part's text. */
  whole?: string;
}

/** What an item is read with. */
export interface ItemPlace {
  blocks: Blocks;
  context: ReadContext;
  /** The id of a call that was given none of its own. */
  spare: string;
  /** Ids of the answer's calls. */
  taken: Set<string>;
}

export function newItem(type: string, at: ItemPlace): Item {
  return { type, done: false, reader: readerOf(type, at) };
}

function readerOf(type: string, at: ItemPlace): PieceReader {
  switch (type) {
    case "message":
      return messageReader(at.blocks);
    case "reasoning":
      return reasoningReader(at.blocks, at.context.origin);
    case "function_call":
    case "custom_tool_call":
      return callReader(type, at);
    default:
      return otherReader(at.blocks);
  }
}

/** Whether items of that type are calls that the client answers. */
export function isCall(type: string): boolean {
  return type === "function_call" || type === "custom_tool_call";
}

/** Parts of a message that the assistant says. */
const spoken = new Set(["output_text", "text", "refusal"]);

/** A part of a message, and what of it was said. */
interface Part extends Soft {
  said: string;
  /** Indices of annotations that were said. */
  cited: Set<number>;
  done: boolean;
}

function messageReader(blocks: Blocks): PieceReader {
  const parts = new Map<number, Part>();
  let phase: string | undefined;

  const partOf = (index: number): Part => {
    const known = parts.get(index) ?? { said: "", cited: new Set<number>(), done: false };
    parts.set(index, known);
    return known;
  };

  const text = (index: number, piece: TextPiece): void => {
    const part = partOf(index);
    const added = piece.delta ?? rest(part.said, piece.whole ?? "");
    if (added === "" || part.done) return;
    const key = part.key ?? blocks.openSoft(part, textBlock(piece.kind, phase));
    part.said += added;
    blocks.add({ kind: "delta", key, text: added });
  };

  const cite: PieceReader["cite"] = (index, annotation) => {
    const part = partOf(index);
    const { index: at, value } = annotation;
    // An annotation before any text waits for the finished part, which lists it again.
    if (part.key === undefined || part.cited.has(at) || !isObject(value)) return;
    part.cited.add(at);
    blocks.add({ kind: "cite", key: part.key, citation: readAnnotation(value) });
  };

  const finishPart = (index: number, whole: JsonObject): void => {
    if (!spoken.has(asString(whole["type"]) ?? "text")) return;
    const kind = whole["type"] === "refusal" ? "refusal" : "text";
    text(index, { kind, whole: asString(whole[kind]) ?? "" });
    asArray(whole["annotations"]).forEach((value, at) => cite(index, { index: at, value }));
    const part = partOf(index);
    part.done = true;
    blocks.shut(part);
  };

  return {
    begin(head) {
      phase = asString(head["phase"]) ?? phase;
    },
    text,
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
      for (const part of parts.values()) blocks.shut(part);
    },
    calls: () => false,
  };
}

function textBlock(kind: "text" | "refusal", phase: string | undefined): OpenBlock {
  return kind === "refusal" ? { kind } : { kind, ...(phase !== undefined && { phase }) };
}

/** Summary and content parts are one thinking block, with a blank line between parts. */
function reasoningReader(blocks: Blocks, origin: string): PieceReader {
  const said = new Map<string, string>();
  const block: Soft = {};

  const think: PieceReader["think"] = (part, { delta, whole }) => {
    const before = said.get(part);
    const added = delta ?? rest(before ?? "", whole ?? "");
    if (added === "") return;
    const key = block.key ?? blocks.openSoft(block, { kind: "thinking" });
    if (before === undefined && said.size > 0) blocks.add({ kind: "delta", key, text: "\n\n" });
    said.set(part, (before ?? "") + added);
    blocks.add({ kind: "delta", key, text: added });
  };

  const finishParts = (list: JsonValue | undefined, letter: string): void => {
    asArray(list).forEach((part, index) => {
      const whole = (isObject(part) ? asString(part["text"]) : asString(part)) ?? "";
      think(`${letter}${index}`, { whole });
    });
  };

  return {
    think,
    finish(whole) {
      finishParts(whole["summary"], "s");
      finishParts(whole["content"], "c");
      const data = asString(whole["encrypted_content"]);
      if (data === undefined || data === "") return;
      const key = block.key ?? blocks.openSoft(block, { kind: "thinking" });
      const state = { format: "responses", origin, type: "encrypted_content", data } as const;
      blocks.add({ kind: "state", key, state });
    },
    close: () => blocks.shut(block),
    calls: () => false,
  };
}

/** Items of the service's own tools: known when they are finished. */
function otherReader(blocks: Blocks): PieceReader {
  let action = false;
  return {
    finish(whole) {
      action = isAction(whole);
      const key = blocks.open(otherBlock(whole, action));
      blocks.add({ kind: "close", key });
    },
    close() {
      // An item that was announced and never finished says nothing.
    },
    calls: () => action,
  };
}

function otherBlock(item: JsonObject, action: boolean): OpenBlock {
  const type = asString(item["type"]) ?? "unknown";
  const result = asString(item["result"]);
  if (type === "image_generation_call" && result !== undefined && result !== "") {
    const mime = `image/${asString(item["output_format"]) ?? "png"}`;
    return { kind: "media", media: "image", mime, data: result };
  }
  return { kind: "opaque", type, raw: item, action };
}

/** Whether the client would have to do something that only a Responses client knows. */
function isAction(item: JsonObject): boolean {
  switch (item["type"]) {
    case "computer_call":
    case "local_shell_call":
    case "apply_patch_call":
    case "mcp_approval_request":
      return true;
    case "shell_call":
      return (asObject(item["environment"])?.["type"] ?? "local") === "local";
    case "tool_search_call":
      return item["execution"] === "client";
    default:
      return false;
  }
}
