/**
 * Output items -> neutral events. One builder serves the stream and the whole answer: it is told of pieces and
 * of finished items, and says each thing once, whichever of them brought it.
 */
import type { ReadContext } from "../../core/format.ts";
import { freeformReader, type FreeformReader } from "../../core/freeform.ts";
import type { OpenBlock, ReplyEvent } from "../../core/reply.ts";
import { shortHash } from "../../core/toolnames.ts";
import {
  asArray,
  asObject,
  asString,
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../lib/json.ts";
import { readAnnotation } from "./citations.ts";

/** A part of a message or of a reasoning item, and what of it was said. */
interface Part {
  said: string;
  /** Indices of annotations that were said. */
  cited: Set<number>;
  key?: number;
  done?: boolean;
}

/** An output item as far as it is known. */
export interface Item {
  type: string;
  id?: string;
  callId?: string;
  phase?: string;
  parts: Map<string, Part>;
  /** Reasoning: the block that stands open. Call: its block. */
  key?: number;
  /** Call: wire input that was said or, before the name is known, is held. */
  input: string;
  held: string;
  /** Call: input that its head brought, in case that nothing brings it again. */
  initial: string;
  freeform?: FreeformReader;
  done: boolean;
}

export interface ItemReader {
  /** The events since the last call. */
  take(): ReplyEvent[];
  add(event: ReplyEvent): void;
  /** The item of that kind; a new one where `item` is undefined. */
  create(type: string): Item;
  /** An item began: its head is known. */
  begin(item: Item, head: JsonObject): void;
  text(item: Item, index: number, piece: TextPiece): void;
  /** Reasoning text; `part` tells one summary or content part from the next. */
  think(item: Item, part: string, text: string): void;
  cite(
    item: Item,
    index: number,
    annotation: { index: number; value: JsonValue | undefined },
  ): void;
  input(item: Item, text: string): void;
  /** The item is complete: says what was not said, closes it. */
  finish(item: Item, whole: JsonObject): void;
  /** No more will come of this item. */
  close(item: Item): void;
  /** Whether a call for the client was made. */
  called(): boolean;
}

export interface TextPiece {
  kind: "text" | "refusal";
  /** Appended text. */
  delta?: string;
  /** All of the part's text. */
  whole?: string;
}

export function itemReader(context: ReadContext): ItemReader {
  let out: ReplyEvent[] = [];
  let nextKey = 0;
  let created = 0;
  let called = false;
  /** Closes the one text or reasoning block that stands open. */
  let closeSoft: (() => void) | undefined;

  const open = (block: OpenBlock): number => {
    closeSoft?.();
    closeSoft = undefined;
    const key = nextKey++;
    out.push({ kind: "open", key, block });
    return key;
  };

  const openSoft = (holder: { key?: number }, block: OpenBlock): number => {
    const key = open(block);
    holder.key = key;
    closeSoft = () => {
      delete holder.key;
      out.push({ kind: "close", key });
    };
    return key;
  };

  const shut = (holder: { key?: number }): void => {
    if (holder.key === undefined) return;
    closeSoft?.();
    closeSoft = undefined;
  };

  const partOf = (item: Item, name: string): Part => {
    const known = item.parts.get(name);
    if (known) return known;
    const part: Part = { said: "", cited: new Set() };
    item.parts.set(name, part);
    return part;
  };

  const say = (part: Part, text: string, key: number): void => {
    part.said += text;
    out.push({ kind: "delta", key, text });
  };

  const text = (item: Item, index: number, piece: TextPiece): void => {
    const part = partOf(item, `${index}`);
    if (part.done === true || item.done) return;
    const added = piece.delta ?? rest(part.said, piece.whole ?? "");
    if (added === "") return;
    say(part, added, part.key ?? openSoft(part, textBlock(piece.kind, item.phase)));
  };

  const think = (item: Item, name: string, added: string): void => {
    const part = partOf(item, name);
    if (added === "" || item.done) return;
    const first = part.said === "";
    const key = item.key ?? openSoft(item, { kind: "thinking" });
    const others = first && [...item.parts.values()].some((other) => other.said !== "");
    if (others) out.push({ kind: "delta", key, text: "\n\n" });
    say(part, added, key);
  };

  const cite: ItemReader["cite"] = (item, index, { index: at, value }) => {
    const part = partOf(item, `${index}`);
    // An annotation before any text waits for the finished part, which lists it again.
    if (part.key === undefined || part.cited.has(at) || !isObject(value)) return;
    part.cited.add(at);
    out.push({ kind: "cite", key: part.key, citation: readAnnotation(value) });
  };

  const openCall = (item: Item, head: JsonObject): void => {
    const name = asString(head["name"]);
    if (item.key !== undefined || name === undefined || name === "") return;
    const named = context.names.fromWire(name);
    const namespace = named.namespace ?? (asString(head["namespace"]) || undefined);
    const native = item.type === "custom_tool_call";
    const call = native ? "custom" : named.call;
    const id =
      asString(head["call_id"]) ||
      asString(head["id"]) ||
      `call_${shortHash(`${context.origin}${created}${item.id ?? ""}`)}`;
    item.callId = id;
    item.key = open({
      kind: "call",
      id,
      name: named.name,
      ...(namespace !== undefined && { namespace }),
      call,
    });
    if (call === "custom" && !native) item.freeform = freeformReader();
    called = true;
    const held = item.held;
    item.held = "";
    input(item, held);
  };

  const input = (item: Item, added: string): void => {
    if (added === "" || item.done) return;
    if (item.key === undefined) {
      item.held += added;
      return;
    }
    item.input += added;
    const decoded = item.freeform ? item.freeform.feed(added) : added;
    if (decoded !== "") out.push({ kind: "delta", key: item.key, text: decoded });
  };

  const finishMessage = (item: Item, whole: JsonObject): void => {
    const phase = asString(whole["phase"]);
    if (phase !== undefined) item.phase ??= phase;
    const content = whole["content"];
    const parts =
      typeof content === "string" ? [{ type: "output_text", text: content }] : asArray(content);
    parts.forEach((part, index) => {
      if (isObject(part)) finishPart(item, index, part);
    });
  };

  const finishPart = (item: Item, index: number, part: JsonObject): void => {
    const refusal = part["type"] === "refusal";
    const full = asString(part[refusal ? "refusal" : "text"]) ?? "";
    if (!refusal && part["type"] !== "output_text" && part["type"] !== "text") return;
    text(item, index, { kind: refusal ? "refusal" : "text", whole: full });
    asArray(part["annotations"]).forEach((value, at) => cite(item, index, { index: at, value }));
    const known = partOf(item, `${index}`);
    known.done = true;
    shut(known);
  };

  const finishReasoning = (item: Item, whole: JsonObject): void => {
    for (const [list, letter] of [
      ["summary", "s"],
      ["content", "c"],
    ] as const)
      asArray(whole[list]).forEach((part, index) => {
        const full = (isObject(part) ? asString(part["text"]) : asString(part)) ?? "";
        const name = `${letter}${index}`;
        think(item, name, rest(partOf(item, name).said, full));
      });
    const data = asString(whole["encrypted_content"]);
    if (data !== undefined && data !== "") {
      const key = item.key ?? openSoft(item, { kind: "thinking" });
      const state = {
        format: "responses",
        origin: context.origin,
        type: "encrypted_content",
        data,
      } as const;
      out.push({ kind: "state", key, state });
    }
    shut(item);
  };

  const finishCall = (item: Item, whole: JsonObject): void => {
    openCall(item, whole);
    input(item, rest(item.input, callInput(item, whole)));
    closeCall(item);
  };

  const closeCall = (item: Item): void => {
    if (item.key === undefined) return;
    const tail = item.freeform?.end() ?? "";
    if (tail !== "") out.push({ kind: "delta", key: item.key, text: tail });
    out.push({ kind: "close", key: item.key });
    delete item.key;
  };

  const finishOther = (whole: JsonObject): void => {
    const block = otherBlock(whole);
    if (isAction(whole)) called = true;
    const key = open(block);
    out.push({ kind: "close", key });
  };

  const finish = (item: Item, whole: JsonObject): void => {
    if (item.done) return;
    switch (item.type) {
      case "message":
        finishMessage(item, whole);
        break;
      case "reasoning":
        finishReasoning(item, whole);
        break;
      case "function_call":
      case "custom_tool_call":
        finishCall(item, whole);
        break;
      default:
        finishOther(whole);
    }
    close(item);
  };

  const close = (item: Item): void => {
    if (item.done) return;
    if (isCall(item.type)) input(item, rest(item.input, item.initial));
    item.done = true;
    if (isCall(item.type)) return closeCall(item);
    shut(item);
    for (const part of item.parts.values()) shut(part);
  };

  return {
    take() {
      const events = out;
      out = [];
      return events;
    },
    add: (event) => void out.push(event),
    create(type) {
      created++;
      return { type, parts: new Map(), input: "", held: "", initial: "", done: false };
    },
    begin(item, head) {
      const [id, phase] = [asString(head["id"]), asString(head["phase"])];
      if (id !== undefined && id !== "") item.id = id;
      if (phase !== undefined) item.phase = phase;
      const callId = asString(head["call_id"]);
      if (callId !== undefined && callId !== "") item.callId = callId;
      if (isCall(item.type)) {
        item.initial = callInput(item, head);
        openCall(item, head);
      }
    },
    text,
    think,
    cite,
    input,
    finish,
    close,
    called: () => called,
  };
}

function callInput(item: Item, whole: JsonObject): string {
  const value = whole[item.type === "custom_tool_call" ? "input" : "arguments"];
  return isObject(value) ? JSON.stringify(value) : (asString(value) ?? "");
}

/** Whether items of that type are calls that the client answers. */
export function isCall(type: string): boolean {
  return type === "function_call" || type === "custom_tool_call";
}

function textBlock(kind: "text" | "refusal", phase: string | undefined): OpenBlock {
  return kind === "refusal" ? { kind } : { kind, ...(phase !== undefined && { phase }) };
}

/** What of the whole was not said yet; nothing when the whole does not continue what was said. */
export function rest(said: string, whole: string): string {
  return whole.startsWith(said) ? whole.slice(said.length) : "";
}

function otherBlock(item: JsonObject): OpenBlock {
  const type = asString(item["type"]) ?? "unknown";
  const result = asString(item["result"]);
  if (type === "image_generation_call" && result !== undefined && result !== "") {
    const mime = `image/${asString(item["output_format"]) ?? "png"}`;
    return { kind: "media", media: "image", mime, data: result };
  }
  return { kind: "opaque", type, raw: item, action: isAction(item) };
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
