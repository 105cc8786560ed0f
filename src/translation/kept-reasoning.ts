/**
 * Reasoning of an answer with tool calls, kept for clients that bring back nothing but the calls. Without it a model
 * thinks no further until the loop of calls is over.
 */
import type { ReplyEvent } from "../core/events.ts";
import type { Block, CallBlock, Message, ModelRequest, OpaqueState } from "../core/request.ts";
import { asArray, asObject, asString, parseJson, type JsonObject } from "../lib/json.ts";
import { unwrapState, wrapState } from "./opaque-state.ts";

/** The reasoning of one answer. */
export interface KeptReasoning {
  /** Id of the answer's first call, by which it is asked for. */
  readonly call: string;
  readonly parts: readonly ReasoningPart[];
}

/** State with what it belongs to. */
export type ReasoningPart =
  /** `before`: the call that came next. */
  | {
      readonly kind: "thinking";
      readonly text: string;
      readonly state: OpaqueState;
      readonly redacted: boolean;
      readonly before: string;
    }
  | { readonly kind: "call"; readonly id: string; readonly state: OpaqueState };

/** Gathers the reasoning of one answer from its events. */
export interface ReasoningGatherer {
  add(event: ReplyEvent): void;
  /** Undefined where nothing of the answer is to be kept. */
  gathered(): KeptReasoning | undefined;
}

/** Characters of thinking that are kept of an answer; of a longer one nothing is. */
const mostText = 128 * 1024;

interface OpenThinking {
  readonly kind: "thinking";
  text: string;
  readonly redacted: boolean;
  state?: OpaqueState;
  before?: string;
}

interface OpenCallState {
  readonly kind: "call";
  readonly id: string;
  state?: OpaqueState;
}

/** A gatherer that has seen nothing yet. */
export function reasoningGatherer(): ReasoningGatherer {
  const parts: (OpenThinking | OpenCallState)[] = [];
  const open = new Map<number, OpenThinking | OpenCallState>();
  let length = 0;
  const opened = (key: number, part: OpenThinking | OpenCallState): void => {
    parts.push(part);
    open.set(key, part);
  };
  return {
    add(event) {
      if (event.kind === "open") {
        const { key, block } = event;
        if (block.kind === "thinking")
          opened(key, { kind: "thinking", text: "", redacted: block.redacted === true });
        if (block.kind === "call") {
          for (const part of parts) if (part.kind === "thinking") part.before ??= block.id;
          opened(key, { kind: "call", id: block.id });
        }
        return;
      }
      if (event.kind !== "delta" && event.kind !== "state") return;
      const part = open.get(event.key);
      if (part === undefined) return;
      if (event.kind === "state") part.state = event.state;
      else if (part.kind === "thinking") {
        length += event.text.length;
        if (length <= mostText) part.text += event.text;
      }
    },
    gathered() {
      const first = parts.find((part) => part.kind === "call");
      const kept = parts.flatMap(keptPart);
      if (first === undefined || kept.length === 0 || length > mostText) return undefined;
      return { call: first.id, parts: kept };
    },
  };
}

/** State without an origin is nobody's here, and thinking behind the last call is not asked for. */
function keptPart(part: OpenThinking | OpenCallState): ReasoningPart[] {
  const { state } = part;
  if (state?.origin === undefined) return [];
  if (part.kind === "call") return [{ kind: "call", id: part.id, state }];
  const { text, redacted, before } = part;
  return before === undefined ? [] : [{ kind: "thinking", text, state, redacted, before }];
}

/** As one text. */
export function writeKeptReasoning({ call, parts }: KeptReasoning): string {
  const written = parts.map((part) => ({ ...part, state: wrapState(part.state) }));
  return JSON.stringify({ call, parts: written });
}

/** What `writeKeptReasoning` wrote; undefined for any other text. */
export function readKeptReasoning(text: string): KeptReasoning | undefined {
  const value = asObject(parseJson(text));
  const call = asString(value?.["call"]);
  if (value === undefined || call === undefined) return undefined;
  return { call, parts: asArray(value["parts"]).flatMap((part) => readPart(asObject(part) ?? {})) };
}

function readPart(part: JsonObject): ReasoningPart[] {
  const state = unwrapState(asString(part["state"]) ?? "");
  if (state === undefined) return [];
  const [id, before] = [asString(part["id"]), asString(part["before"])];
  if (part["kind"] === "call") return id === undefined ? [] : [{ kind: "call", id, state }];
  if (before === undefined) return [];
  const text = asString(part["text"]) ?? "";
  return [{ kind: "thinking", text, state, redacted: part["redacted"] === true, before }];
}

/** Ids of the calls by which reasoning may be kept: the first of each message that brings none, newest last. */
export function callsWithoutReasoning(request: ModelRequest): string[] {
  return request.messages.flatMap(({ role, blocks }) => {
    if (role !== "assistant" || blocks.some(holdsState)) return [];
    return blocks.find((block) => block.kind === "call")?.id ?? [];
  });
}

function holdsState(block: Block): boolean {
  return (block.kind === "thinking" || block.kind === "call") && block.state !== undefined;
}

/** The request with the reasoning that belongs to its calls. */
export function withKeptReasoning(
  request: ModelRequest,
  kept: readonly KeptReasoning[],
): ModelRequest {
  const byCall = new Map(kept.map(({ call, parts }) => [call, parts]));
  const messages = request.messages.map((message) => {
    if (message.role !== "assistant" || message.blocks.some(holdsState)) return message;
    const first = message.blocks.find((block) => block.kind === "call");
    const parts = first && byCall.get(first.id);
    return parts ? { ...message, blocks: withParts(message, first, parts) } : message;
  });
  return { ...request, messages };
}

/** Thinking before the first call opens the message, and takes the place of its text without state. */
function withParts(
  { blocks }: Message,
  first: CallBlock,
  parts: readonly ReasoningPart[],
): Block[] {
  const thinking = parts.filter((part) => part.kind === "thinking");
  const states = new Map(
    parts.flatMap((part) => (part.kind === "call" ? [[part.id, part.state]] : [])),
  );
  const plain = blocks.find((block) => block.kind === "thinking");
  // The client's path is told where the state turns out to be another provider's.
  let path = plain?.path ?? "";
  const before = (id: string): Block[] =>
    thinking.flatMap(({ text, state, redacted, before: call }): Block[] => {
      if (call !== id) return [];
      const block: Block = { kind: "thinking", text, state, path, ...(redacted && { redacted }) };
      path = "";
      return [block];
    });
  const said = thinking.length === 0 ? blocks : blocks.filter(({ kind }) => kind !== "thinking");
  return [
    ...before(first.id),
    ...said.flatMap((block) => {
      if (block.kind !== "call") return [block];
      const state = states.get(block.id);
      const call: Block = state ? { ...block, state, statePath: "" } : block;
      return block === first ? [call] : [...before(block.id), call];
    }),
  ];
}
