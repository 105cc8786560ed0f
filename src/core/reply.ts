/**
 * A model's answer as a whole. The events are the primitive: a whole reply is `collect(events)`, and `replay(reply)`
 * gives the events again, so that streamed and whole answers can never disagree.
 */
import type { OpenBlock, OpenCall, ReplyEvent, ReplyMedia, ReplyOpaque, Stop } from "./events.ts";
import type { Failure } from "./failure.ts";
import type { Citation, OpaqueState } from "./request.ts";
import { addUsage, type Usage } from "./usage.ts";

/** A block with everything that its events brought. */
export type ReplyBlock =
  | { kind: "text"; text: string; citations: Citation[]; phase?: string }
  | { kind: "thinking"; text: string; state?: OpaqueState; redacted?: boolean }
  | { kind: "refusal"; text: string }
  | (OpenCall & { input: string; state?: OpaqueState })
  | ReplyMedia
  | ReplyOpaque;

/** A whole answer, its blocks in the order in which they opened. */
export interface Reply {
  id?: string;
  model?: string;
  /** Unix seconds. */
  created?: number;
  blocks: ReplyBlock[];
  usage: Usage;
  stop: Stop;
}

/**
 * The whole reply of a complete event list, or the failure that ended it.
 *
 *     const reply = collect(format.readReply(body, context));
 *     if ("failure" in reply) return refuse(reply.failure);
 */
export function collect(events: readonly ReplyEvent[]): Reply | { failure: Failure } {
  const reply: Reply = { blocks: [], usage: {}, stop: { reason: "end" } };
  const open = new Map<number, ReplyBlock>();
  for (const event of events) {
    if (event.kind === "fail") return { failure: event.failure };
    add(event, reply, open);
  }
  return reply;
}

/** Adds one event. `open`: the blocks that may still grow, by their keys. */
function add(
  event: Exclude<ReplyEvent, { kind: "fail" }>,
  reply: Reply,
  open: Map<number, ReplyBlock>,
): void {
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
    case "delta":
    case "state":
    case "cite":
      addPiece(event, open.get(event.key));
      break;
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
    case "end":
      break;
    default:
      event satisfies never;
  }
}

function addPiece(
  event: Extract<ReplyEvent, { kind: "delta" | "state" | "cite" }>,
  block: ReplyBlock | undefined,
): void {
  switch (event.kind) {
    case "delta":
      if (block?.kind === "call") block.input += event.text;
      else if (block && "text" in block) block.text += event.text;
      break;
    case "state":
      if (block?.kind === "thinking" || block?.kind === "call") block.state = event.state;
      break;
    case "cite":
      if (block?.kind === "text") block.citations.push(event.citation);
      break;
    default:
      event satisfies never;
  }
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

/** The events that a provider would have streamed for this reply. */
export function replay(reply: Reply): ReplyEvent[] {
  const { id, model, created, usage, stop } = reply;
  return [
    {
      kind: "start",
      ...(id !== undefined && { id }),
      ...(model !== undefined && { model }),
      ...(created !== undefined && { created }),
    },
    ...reply.blocks.flatMap(blockEvents),
    ...(Object.keys(usage).length > 0 ? [{ kind: "usage", usage } as const] : []),
    { kind: "stop", ...stop },
    { kind: "end" },
  ];
}

function blockEvents(block: ReplyBlock, key: number): ReplyEvent[] {
  const close: ReplyEvent = { kind: "close", key };
  switch (block.kind) {
    case "text": {
      const { text, citations, ...head } = block;
      const cites = citations.map((citation) => ({ kind: "cite", key, citation }) as const);
      return [{ kind: "open", key, block: head }, ...deltas(key, text), ...cites, close];
    }
    case "thinking": {
      const { text, state, ...head } = block;
      return [
        { kind: "open", key, block: head },
        ...deltas(key, text),
        ...states(key, state),
        close,
      ];
    }
    case "refusal": {
      const { text, ...head } = block;
      return [{ kind: "open", key, block: head }, ...deltas(key, text), close];
    }
    case "call": {
      const { input, state, ...head } = block;
      // A call's state comes with its start: some formats write it before the call.
      return [
        { kind: "open", key, block: head },
        ...states(key, state),
        ...deltas(key, input),
        close,
      ];
    }
    case "media":
    case "opaque":
      return [{ kind: "open", key, block }, close];
    default:
      return block satisfies never;
  }
}

function deltas(key: number, text: string): ReplyEvent[] {
  return text === "" ? [] : [{ kind: "delta", key, text }];
}

function states(key: number, state: OpaqueState | undefined): ReplyEvent[] {
  return state ? [{ kind: "state", key, state }] : [];
}
