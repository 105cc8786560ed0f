/** A model's answer as a stream of neutral events: what readers of providers' formats give and writers of clients' formats take. */
import type { JsonObject } from "../lib/json.ts";
import type { Failure } from "./failure.ts";
import type { Citation, OpaqueState } from "./request.ts";
import type { Usage } from "./usage.ts";
import type { WebSearchRun } from "./web-search.ts";

/** Why a model stopped. `tools`: it waits for results of calls; `context_full`: the context window is full. */
export type StopReason =
  | "end"
  | "stop_sequence"
  | "tools"
  | "length"
  | "context_full"
  | "filter"
  | "pause"
  | "error";

/** What is said of the answer's tool uses for one kind of safeguard that the client asked for. */
export type SafeguardResult = {
  /** As the client named it. */
  readonly type: string;
} & (
  | { readonly status: "unsupported" }
  /** A call without a verdict was not judged. */
  | { readonly status: "judged"; readonly verdicts: readonly SafeguardVerdict[] }
);

/** A judgement of one call of a tool. */
export interface SafeguardVerdict {
  /** The call's place among the answer's calls, in the order in which they opened; from 0. */
  readonly call: number;
  /** Its id, as the provider gave it. */
  readonly id: string;
  /** Why the call must not run; missing: nothing speaks against it. */
  readonly flagged?: string;
}

/** How an answer stopped. `raw` is the provider's own reason, `sequence` the stop sequence that was met. */
export interface Stop {
  reason: StopReason;
  raw?: string;
  sequence?: string;
  details?: JsonObject;
  /** Verdicts on the calls, where the client asked for some. */
  safeguards?: readonly SafeguardResult[];
}

/**
 * More blocks than this are no answer: a model writes a few dozen, and formats that put them in an order of their own
 * take more time for each the more there are.
 */
export const mostBlocks = 10_000;

/** Why an answer that has more is given up. */
export const tooManyBlocks = "The provider's answer holds too many blocks.";

/**
 * One event of an answer. Blocks are opened, continued and closed by `key`. A reader may have several open at once
 * (parallel calls in chat); writers of formats that allow one block at a time put them in order. No block is opened
 * for empty text. Every opened block is closed before `stop`.
 */
export type ReplyEvent =
  /** `created` in Unix seconds. */
  | { kind: "start"; id?: string; model?: string; created?: number }
  | { kind: "open"; key: number; block: OpenBlock }
  /** Appended text of a text, thinking or refusal block; input fragments of a call (JSON text or free text). */
  | { kind: "delta"; key: number; text: string }
  | { kind: "state"; key: number; state: OpaqueState }
  | { kind: "cite"; key: number; citation: Citation }
  | { kind: "close"; key: number }
  | { kind: "usage"; usage: Usage }
  | ({ kind: "stop" } & Stop)
  /** The provider failed in mid-stream. Nothing follows. */
  | { kind: "fail"; failure: Failure }
  /** The provider ended its answer as its format demands. Nothing follows. */
  | { kind: "end" };

/** What is known of a block when it opens; its text, input, state and citations follow as events. */
export type OpenBlock =
  | { kind: "text"; phase?: string }
  | { kind: "thinking"; redacted?: boolean }
  | { kind: "refusal" }
  | OpenCall
  | ReplyMedia
  | ReplyOpaque;

/** A call of a tool. `custom`: its input is free text, not JSON. */
export interface OpenCall {
  kind: "call";
  id: string;
  name: string;
  namespace?: string;
  call: "function" | "custom";
}

/** Media that the model made; `data` in base64. */
export interface ReplyMedia {
  kind: "media";
  media: "image" | "audio" | "video" | "document";
  mime: string;
  data: string;
}

/** Something that only the provider's format knows; `action` when a client would have to act on it. */
export interface ReplyOpaque {
  kind: "opaque";
  type: string;
  raw: JsonObject;
  action: boolean;
  /** What it is in the formats' common terms, where it is a search of the web. */
  search?: WebSearchRun;
}

/** How an answer starts, with what is known of it. */
export function startEvent(known: {
  readonly id: string | undefined;
  readonly model: string | undefined;
  readonly created?: number | undefined;
}): Extract<ReplyEvent, { kind: "start" }> {
  const start: Extract<ReplyEvent, { kind: "start" }> = { kind: "start" };
  if (known.id !== undefined) start.id = known.id;
  if (known.model !== undefined) start.model = known.model;
  if (known.created !== undefined) start.created = known.created;
  return start;
}

/** Whether a caller can see this event: from the first such event on, no fallback is possible. */
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
