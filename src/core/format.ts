/**
 * What a wire dialect can do. Every dialect is one folder under `formats/` whose `index.ts` exports one
 * such record; nothing outside that folder knows its wire names.
 */
import type { JsonObject, JsonValue } from "../lib/json.ts";
import type { Failure } from "./failure.ts";
import type { ClientFormatName, FormatName } from "./format-name.ts";
import type { Target } from "./model.ts";
import type { Reply, ReplyEvent } from "./reply.ts";
import type { ModelRequest } from "./request.ts";

/** A dialect that providers speak. */
export interface ProviderFormat {
  readonly name: FormatName;
  /**
   * The request body in this dialect, built from an allow-list. Throws `Problem` M300 naming the client's
   * field where leaving something out would change the meaning.
   */
  writeRequest(turn: ModelRequest, target: Target): WrittenRequest;
  /** A streamed answer: text in, neutral events out. Pure; any chopping of the text gives the same events. */
  eventReader(context: ReadContext): EventReader;
  /** A whole answer as the same events that a stream of it would give. An error body gives one `fail`. */
  readReply(body: JsonValue, context: ReadContext): ReplyEvent[];
  /** An error status with its body text (may be HTML, empty or JSON). `retryAfter` is filled by the caller. */
  readFailure(status: number, text: string): Failure;
  /**
   * Takes out of a body of this dialect, in place, every opaque state that carries this gateway's tag:
   * state of another maker must not reach this provider. Returns the paths it took out.
   */
  scrub(body: JsonObject, origin: string): string[];
}

/** A dialect that clients speak too. */
export interface ClientFormat extends ProviderFormat {
  readonly name: ClientFormatName;
  /** Content type and last line aside, how this dialect frames a stream. */
  readRequest(body: JsonObject): ModelRequest;
  /** The whole answer in this dialect. */
  writeReply(reply: Reply, echo: ReplyEcho): JsonObject;
  /** The streamed answer in this dialect, event for event. */
  eventWriter(echo: ReplyEcho): EventWriter;
  /** The error envelope; `code` is a number in one of the service's variants. */
  writeError(error: ErrorWords, requestId: string): JsonObject;
}

export interface WrittenRequest {
  body: JsonObject;
  /** Client's paths that this dialect has no words for: header and log. */
  dropped: string[];
  /** Client's paths left out without a header (the five OpenAI-only fields): log only. */
  quiet: string[];
  /** How the tools were renamed for the wire, so that returned calls can be given their own names again. */
  names: ToolNames;
}

/** Wire names of tools and what they stand for. */
export interface ToolNames {
  /** Wire name of a tool; injective. */
  toWire(name: string, namespace?: string): string;
  /** What a returned wire name stands for; an unknown name stands for itself, a function. */
  fromWire(wire: string): { name: string; namespace?: string; call: "function" | "custom" };
}

export interface ReadContext {
  /** The connection that answers: the origin of its opaque state. */
  origin: string;
  names: ToolNames;
}

/** Push parser of a provider's stream. `events` never holds anything after a `fail` or `end`. */
export interface EventReader {
  /** Decoded text (the caller decodes UTF-8 and takes off a byte order mark). */
  feed(text: string): ReplyEvent[];
  /** The body ended: `fail` (cut) unless the grammar's own end was seen. Empty when already ended. */
  end(): ReplyEvent[];
}

export interface EventWriter {
  /** Wire text for these events, in one piece; empty when nothing is to be said yet. */
  write(events: readonly ReplyEvent[]): string;
  /** What to send while the provider is silent. */
  keepAlive(): string;
}

/** What an answer repeats of the request, and the ids it is given when the provider made none. */
export interface ReplyEcho {
  /** The model name to show: what the client asked for. */
  model: string;
  /** Chat: whether the client asked for the usage chunk. */
  wantsUsage: boolean;
  /** Fallback ids and times: `newId("resp_")`, unix seconds. */
  newId: (prefix: string) => string;
  now: number;
  /** The request itself (Responses echoes tools, tool_choice, temperature … as the client wrote them). */
  request: JsonObject;
  /** Tokens that the request is estimated to have, for dialects whose first event wants a number. */
  estimatedInput?: number;
}

export interface ErrorWords {
  status: number;
  message: string;
  type: string;
  code: string | number | null;
  /** Extra members of `error` (limit, used, attempts …). */
  extra?: JsonObject;
}
