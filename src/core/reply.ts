/**
 * An answer in neutral form, as a stream of events and as a whole. The stream is the primitive: a whole
 * reply is `collect(events)`, a made-up one is `replay(reply)`; stream and whole can never disagree.
 */
import type { Failure } from "./failure.ts";
import type { JsonObject } from "../lib/json.ts";
import type { Citation, OpaqueState } from "./request.ts";
import { addUsage, type Usage } from "./usage.ts";

export type StopReason =
  | "end"
  | "stop_sequence"
  | "tools"
  | "length"
  | "context_full"
  | "filter"
  | "pause"
  | "error";

/**
 * Blocks are opened, fed and closed by `key`. A reader may have several open at once (parallel calls in
 * chat); writers of dialects that allow one block at a time put them in order. Nothing is opened for
 * empty text. `close` of every opened block comes before `stop`.
 */
export type ReplyEvent =
  | { kind: "start"; id?: string; model?: string; created?: number }
  | { kind: "open"; key: number; block: OpenBlock }
  /** Appended text of a text, thinking or refusal block; input fragments of a call (JSON text or free text). */
  | { kind: "delta"; key: number; text: string }
  | { kind: "state"; key: number; state: OpaqueState }
  | { kind: "cite"; key: number; citation: Citation }
  | { kind: "close"; key: number }
  | { kind: "usage"; usage: Usage }
  | { kind: "stop"; reason: StopReason; raw?: string; sequence?: string; details?: JsonObject }
  /** The provider failed in mid-stream. Nothing follows. */
  | { kind: "fail"; failure: Failure }
  /** The provider finished as its grammar says. Nothing follows. */
  | { kind: "end" };

export type OpenBlock =
  | { kind: "text"; phase?: string }
  | { kind: "thinking"; redacted?: boolean }
  | { kind: "refusal" }
  | { kind: "call"; id: string; name: string; namespace?: string; call: "function" | "custom" }
  /** Media that the model made (bytes in base64). */
  | { kind: "media"; media: "image" | "audio" | "video" | "document"; mime: string; data: string }
  /** Something only the provider's dialect knows; `action` when a client would have to act on it. */
  | { kind: "opaque"; type: string; raw: JsonObject; action: boolean };

export type ReplyBlock =
  | { kind: "text"; text: string; citations: Citation[]; phase?: string }
  | { kind: "thinking"; text: string; state?: OpaqueState; redacted?: boolean }
  | { kind: "refusal"; text: string }
  | {
      kind: "call";
      id: string;
      name: string;
      namespace?: string;
      call: "function" | "custom";
      input: string;
      state?: OpaqueState;
    }
  | { kind: "media"; media: "image" | "audio" | "video" | "document"; mime: string; data: string }
  | { kind: "opaque"; type: string; raw: JsonObject; action: boolean };

export interface Reply {
  id?: string;
  model?: string;
  /** Unix seconds. */
  created?: number;
  blocks: ReplyBlock[];
  usage: Usage;
  stop: { reason: StopReason; raw?: string; sequence?: string; details?: JsonObject };
}

/** Whether this event is something a caller can read: from the first such event on, no fallback is possible. */
export function isContent(event: ReplyEvent): boolean {
  switch (event.kind) {
    case "delta":
      return event.text !== "";
    case "state":
    case "cite":
      return true;
    case "open":
      return (
        event.block.kind === "call" || event.block.kind === "media" || event.block.kind === "opaque"
      );
    default:
      return false;
  }
}

/** The whole reply of a complete event list, or the failure that ended it. */
export function collect(events: readonly ReplyEvent[]): Reply | { failure: Failure } {
  const reply: Reply = { blocks: [], usage: {}, stop: { reason: "end" } };
  const open = new Map<number, ReplyBlock>();
  for (const event of events) {
    switch (event.kind) {
      case "start":
        if (event.id !== undefined) reply.id = event.id;
        if (event.model !== undefined) reply.model = event.model;
        if (event.created !== undefined) reply.created = event.created;
        break;
      case "open": {
        const block = emptyBlock(event.block);
        open.set(event.key, block);
        reply.blocks.push(block);
        break;
      }
      case "delta": {
        const block = open.get(event.key);
        if (block?.kind === "call") block.input += event.text;
        else if (block && "text" in block) block.text += event.text;
        break;
      }
      case "state": {
        const block = open.get(event.key);
        if (block?.kind === "thinking" || block?.kind === "call") block.state = event.state;
        break;
      }
      case "cite": {
        const block = open.get(event.key);
        if (block?.kind === "text") block.citations.push(event.citation);
        break;
      }
      case "close":
        open.delete(event.key);
        break;
      case "usage":
        reply.usage = addUsage(reply.usage, event.usage);
        break;
      case "stop": {
        const { kind: _, ...stop } = event;
        reply.stop = stop;
        break;
      }
      case "fail":
        return { failure: event.failure };
      case "end":
        break;
      default:
        event satisfies never;
    }
  }
  return reply;
}

function emptyBlock(block: OpenBlock): ReplyBlock {
  switch (block.kind) {
    case "text":
      return { ...block, text: "", citations: [] };
    case "thinking":
      return { ...block, text: "" };
    case "refusal":
      return { ...block, text: "" };
    case "call":
      return { ...block, input: "" };
    case "media":
    case "opaque":
      return block;
    default:
      return block satisfies never;
  }
}

/** The event list that a provider would have streamed for this reply. */
export function replay(reply: Reply): ReplyEvent[] {
  const events: ReplyEvent[] = [];
  const { id, model, created } = reply;
  events.push({
    kind: "start",
    ...(id !== undefined && { id }),
    ...(model !== undefined && { model }),
    ...(created !== undefined && { created }),
  });
  reply.blocks.forEach((block, key) => {
    switch (block.kind) {
      case "text": {
        const { text, citations, ...head } = block;
        events.push({ kind: "open", key, block: head });
        if (text !== "") events.push({ kind: "delta", key, text });
        for (const citation of citations) events.push({ kind: "cite", key, citation });
        break;
      }
      case "thinking":
      case "refusal": {
        const { text, ...rest } = block;
        const { state, ...head } = rest.kind === "thinking" ? rest : { ...rest, state: undefined };
        events.push({ kind: "open", key, block: head });
        if (text !== "") events.push({ kind: "delta", key, text });
        if (state) events.push({ kind: "state", key, state });
        break;
      }
      case "call": {
        const { input, state, ...head } = block;
        events.push({ kind: "open", key, block: head });
        // A call's state comes with its start: some clients are told of it before the call.
        if (state) events.push({ kind: "state", key, state });
        if (input !== "") events.push({ kind: "delta", key, text: input });
        break;
      }
      case "media":
      case "opaque":
        events.push({ kind: "open", key, block });
        break;
      default:
        block satisfies never;
    }
    events.push({ kind: "close", key });
  });
  if (Object.keys(reply.usage).length > 0) events.push({ kind: "usage", usage: reply.usage });
  events.push({ kind: "stop", ...reply.stop }, { kind: "end" });
  return events;
}
