/**
 * What a format can do. Every format is one folder under `formats/` whose `index.ts` exports one `Format`: the
 * half that clients speak, the half that providers speak, or both. Nothing outside that folder names a field of
 * its requests or answers.
 */
import type { JsonObject, JsonValue } from "../lib/json.ts";
import type { Failure } from "./failure.ts";
import type { ClientFormatName, FormatName, ProviderFormatName } from "./format-name.ts";
import type { Target } from "./model.ts";
import type { ReplyEvent, SafeguardResult } from "./events.ts";
import type { UsedUp } from "./problem.ts";
import type { Reply } from "./reply.ts";
import type { ModelRequest } from "./request.ts";
import type { SocketFormat } from "./socket-format.ts";
import type { SpendState } from "./spend.ts";
import type { ToolUses } from "./usage.ts";

export interface Format {
  readonly name: FormatName;
  readonly client?: ClientFormat;
  readonly provider?: ProviderFormat;
}

/** The half that clients speak: it reads requests, and writes answers and errors. */
export interface ClientFormat {
  readonly name: ClientFormatName;
  /** Path of its generation endpoint, under `/v1`; where the path names the model, what such paths begin with, version included. */
  readonly path: string;
  /** Its paths name the model: they have rules of their own. */
  readonly addressed?: true;
  /** Where its clients put their keys beside `Authorization` and `x-api-key`. */
  readonly keys?: ClientKeys;
  /** Response header in which its clients look for the request's id. */
  readonly requestIdHeader: string;
  /** What the gateway itself demands of a request, on relays too. Throws M300 that names the field. */
  checkRequest(body: JsonObject, address?: RequestAddress): void;
  /** What the gateway must know of a request without translating it. Takes any object: nothing is checked. */
  describe(body: JsonObject, address?: RequestAddress): RequestDescription;
  /** The request in the hub's terms. */
  readRequest(body: JsonObject, address?: RequestAddress): ModelRequest;
  /** The whole answer. */
  writeReply(reply: Reply, echo: ReplyEcho): JsonObject;
  /** The streamed answer, event for event. */
  eventWriter(echo: ReplyEcho): EventWriter;
  /** The error envelope; `code` is a number in one of the service's variants. */
  writeError(error: ErrorDetails, requestId: string): JsonObject;
  /** `error.type` of a failure with this status; `usual` is the name that OpenAI-shaped envelopes give it. */
  errorType(status: number, usual: string): string;
  /**
   * A context overflow in the form that its clients act on. `size`: characters of the request's body; `native`: the
   * provider speaks this format.
   */
  overflowError(
    failure: Failure,
    size: number,
    native?: boolean,
  ): Pick<ErrorDetails, "message" | "type" | "code">;
  /** The members of a request that an answer repeats, safe to write again. */
  echoed(body: JsonObject): JsonObject;
  /**
   * What a relay writes between two events while the provider is silent: a comment, or where its clients stumble
   * over comments an event that says nothing.
   */
  readonly relayKeepAlive: string;
  /** Something that is said in a stream to people alone; missing where its clients stumble over comments. */
  comment?(text: string): string;
  /** Takes usage that only the gateway asked for out of a relayed stream, where the format has such a thing. */
  usageFilter?(): TextFilter;
  /** Takes what its clients stumble over out of every relayed stream. */
  relayFilter?(): TextFilter;
  /** What a stream is put into where the request's address asks for another form than events. */
  framing?(address: RequestAddress | undefined): AnswerFraming | undefined;
  /**
   * Many of its clients bring back only the members of a call that its documentation names: reasoning with opaque state
   * is kept for them.
   */
  readonly losesReasoning?: true;
  /** Ends a relayed stream in which the provider failed, where an error's event goes on from those before it. */
  relayEnding?(): RelayEnding;
  /** Request header by which its clients ask for a model list with this format's members too. */
  readonly modelListHeader?: string;
  /** This format's members of a model in that list. */
  writeModelEntry?(model: ModelListing): JsonObject;
  /** Its token counting endpoint, where it has one. */
  readonly counting?: ClientCounting;
  /** How its clients speak it over a WebSocket, where they do. */
  readonly socket?: SocketFormat;
  /** Headers by which its clients show how much of a limit of money is used, where it has such. */
  readonly spending?: ClientSpending;
  /** Top-level members of its requests that tell of the user's machine: they are neither kept nor shown. */
  readonly unkept?: readonly string[];
  /** Writes verdicts on tool uses into an answer that is relayed, where the format has a place for them. */
  readonly safeguards?: SafeguardWriter;
}

/** What a list says of a model. */
export interface ModelListing {
  readonly shown: string;
  /** What a picker says of it. */
  readonly told: string;
  /** Tokens; missing: unknown. */
  readonly window?: number | undefined;
  readonly output?: number | undefined;
}

/** Takes the provider's own text and gives it with the results; everything else in it stays as it is. */
export interface SafeguardWriter {
  whole(text: string, results: readonly SafeguardResult[]): string;
  /** `text`: whole server-sent events, the answer's end among them. */
  streamed(text: string, results: readonly SafeguardResult[]): string;
  /** Where in such a text the event begins that carries the results; its length where none does. */
  place(text: string): number;
}

/** What the address of a request says, in formats whose body names neither the model nor the form of the answer. */
export interface RequestAddress {
  /** As the client wrote it, percent-decoded. */
  readonly model: string;
  readonly answer: AnswerForm;
}

/** One JSON object, server-sent events, or a JSON array that is written piece by piece. */
export type AnswerForm = "whole" | "events" | "array";

/** Names of a request's header and of a member of its query. */
export interface ClientKeys {
  readonly header: string;
  readonly query: string;
}

/** Another form of a stream, made of its events' text. */
export interface AnswerFraming {
  readonly contentType: string;
  /** What shows that a silent stream is alive. */
  readonly keepAlive: string;
  frame(): TextFilter;
}

export interface ClientSpending {
  /** The beginning of their names. A provider's own go when these are set. */
  readonly prefix: string;
  /** On an answer that succeeded. */
  headers(spend: SpendState): Readonly<Record<string, string>>;
  /** On a refusal for a limit that is used up. `now`: epoch ms. */
  refusedHeaders(spend: SpendState, now: number): Readonly<Record<string, string>>;
}

export interface ClientCounting {
  /** Under `/v1`; missing where the format's paths name the model. */
  readonly path?: string;
  /** The request whose tokens are asked for, where the body may hold it inside. */
  requestOf?(body: JsonObject): JsonObject;
  /** Throws M300 that names the field. */
  checkRequest(body: JsonObject): void;
  writeCount(tokens: number): JsonObject;
}

/** The half that providers speak: it writes requests, and reads answers and failures. */
export interface ProviderFormat {
  readonly name: ProviderFormatName;
  readonly endpoint: ProviderEndpoint;
  /**
   * The request in this format, built from an allow-list. Throws `Problem` M300 naming the client's field where
   * leaving something out would change the meaning.
   */
  writeRequest(request: ModelRequest, target: Target): WrittenRequest;
  /** A streamed answer: text in, events out. Pure; any chopping of the text gives the same events. */
  eventReader(context: ReadContext): EventReader;
  /** A whole answer as the events that a stream of it would give. An error body gives one `fail`. */
  readReply(body: JsonValue, context: ReadContext): ReplyEvent[];
  /** An error status with its body text (may be HTML, empty or JSON). `retryAfter` is filled by the caller. */
  readFailure(status: number, text: string): Failure;
  /** A client's request of this same format, made fit for one provider. */
  relayRequest(relay: Relay): RelayedRequest;
  /** Writes saved parameters that no other format knows into a written body, in place, as they stand. */
  writeExtraParameters(body: JsonObject, parameters: SavedParameters): void;
  /**
   * Takes out of a body of this format, in place, every opaque state that carries this gateway's tag:
   * state of another maker must not reach this provider. Returns the paths it took out.
   */
  scrub(body: JsonObject, origin: string): string[];
  /** How such a provider is asked for the tokens of a request, where the format has a word for that. */
  readonly counting?: ProviderCounting;
}

/** How a credential travels: as a bearer token, or in the header of this name. */
export type Auth = "bearer" | Lowercase<string>;

/** What endpoints of a format have in common everywhere. */
export interface ProviderEndpoint {
  readonly auth: Auth;
  readonly headers: Readonly<Record<string, string>>;
  /** Path and query under the provider's root. Some formats name the model there. */
  path(model: string, call: "whole" | "stream" | "count"): string;
  /** Names under which providers' model lists publish it. */
  readonly publishedAs: readonly string[];
  /** What a relay hands on of the client's request beside its body; nothing unless set. */
  readonly passes?: PassedOn;
  /** Headers of an answer over a user's own subscription that its client may see, by the beginnings of their names. */
  readonly subscriptionHeaders?: readonly string[];
}

/** What a relay hands on beside the body. */
export interface PassedOn {
  readonly headers: readonly string[];
  /** Whether another header of the client's is handed on too. */
  passesToo(name: string): boolean;
  /** Header whose values the client's and the connection's are joined, by commas. */
  readonly joined: string;
  /** Whether one of those values may reach the target: some mean only their maker's own service. */
  passesValue(value: string, target: Target): boolean;
  readonly query: true;
}

export interface ProviderCounting {
  /** A generation's body as the body of the question for its tokens. */
  body(body: JsonObject, target: Target): JsonObject;
  /** The number in the answer. */
  read(answer: JsonValue): number | undefined;
}

/** What the gateway reads off a request without translating it. */
export interface RequestDescription {
  /** Empty when the request names none. */
  readonly model: string;
  readonly stream: boolean;
  /** The client asked for usage in its stream, where that is a wish and not the rule. */
  readonly wantsUsage: boolean;
  /** The limit of output tokens that it set; the largest, where the format has several names for it. */
  readonly maxOutput?: number;
  /** The largest limit under other names, which some servers read and saved parameters do not replace. */
  readonly otherMaxOutput?: number;
  /** How many answers it wants at once. */
  readonly answers: number;
  /** The conversation's id, if the body states one. */
  readonly conversation?: string;
  /** What the client says of the request in its body where it could not in headers, by the headers' names. */
  readonly marks?: Readonly<Record<string, string>>;
  /** The provider may keep the answer, so that a later request can refer to it by its id. */
  readonly stored: boolean;
  /** The stored response that it goes on from. */
  readonly continues?: StoredResponse;
  /** The provider adds input that it keeps itself: a conversation, a stored response, a prompt. */
  readonly addsInput?: true;
  /** The provider works on behind its answer, and its usage may never be reported. */
  readonly deferred?: true;
  /** The service tier that it asks for. */
  readonly serviceTier?: string;
  /** The provider's own tools, plugins and searches that it asks for, with how often they may be used, or a guess. */
  readonly toolUses?: ToolUses;
  /** What the client calls those, by their names there. */
  readonly toolNames?: Readonly<Record<string, string>>;
  /** Where the model is to run, in the provider's word. */
  readonly region?: string;
  /** How much searches are to put before the model, in the provider's word. */
  readonly searchContext?: string;
  /** What the answer may hold beside text, where the request says it. */
  readonly outputs?: readonly OutputKind[];
  /** Fields that leave open what the request may cost. It is refused where a blocking limit covers it. */
  readonly uncertain: readonly UncertainField[];
  /** Paths of fields that name further models, which a provider may let answer or help. */
  readonly otherModels: readonly string[];
  /** The kinds of verdicts on the answer's tool uses that the client asks for. */
  readonly safeguards?: readonly string[];
  /** The conversation is, or is to be, kept by the provider as a thread. */
  readonly thread?: "create" | "continue";
}

/** What an answer may hold beside text. */
export type OutputKind = "image" | "audio";

/** A stored response by the field that names it. */
export interface StoredResponse {
  readonly path: string;
  /** Missing: the field does not hold a text. */
  readonly id?: string;
}

/** A field of a request, and what it must be for the request's cost to be foreseen. */
export interface UncertainField {
  readonly path: string;
  readonly must: string;
}

/** Saved parameters by their names in OpenAI chat. */
export type SavedParameters = Readonly<Record<string, JsonValue>>;

export interface Relay {
  /** The client's body. It is not changed. */
  readonly body: JsonObject;
  readonly target: Target;
  readonly parameters: SavedParameters;
  /** Change nothing but the model. */
  readonly asIs: boolean;
}

export interface RelayedRequest {
  body: JsonObject;
  /** Paths left out without a header: only the log lists them. */
  quiet: string[];
  /** The gateway asked for usage and the client did not: it is taken out of the stream again. */
  hidesUsage: boolean;
}

/** A push filter over a stream's text. */
export interface TextFilter {
  feed(text: string): string;
  end(): string;
}

/** Follows one relayed stream, cheaply: most of them end well. */
export interface RelayEnding {
  /** Text of whole events, which reaches the client as the provider wrote it. */
  passed(text: string): void;
  /** The error's event after those that passed; undefined where none of them says what it must go on from. */
  failed(failure: Failure): string | undefined;
}

export interface WrittenRequest {
  body: JsonObject;
  /** Client's paths that this format does not support: header and log. */
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
  /** The model that answers, in its provider's words, where one does. */
  answeredBy?: string;
  /** What the request's address said, in formats where it says something. */
  address?: RequestAddress;
  /** Chat: whether the client asked for the usage chunk. */
  wantsUsage: boolean;
  /** Fallback ids and times: `newId("resp_")`, unix seconds. */
  newId: (prefix: string) => string;
  now: number;
  /** The request itself (Responses echoes tools, tool_choice, temperature … as the client wrote them). */
  request: JsonObject;
  /** Tokens that the request is estimated to have, for formats whose first event wants a number. */
  estimatedInput?: number;
  /** The provider speaks this format, and its bytes pass: only what the gateway adds is written. */
  relayed?: boolean;
}

export interface ErrorDetails {
  status: number;
  message: string;
  type: string;
  code: string | number | null;
  /** Extra members of `error` (limit, used, attempts …). */
  extra?: JsonObject;
  /** Whole seconds after which trying again may help, where that is known. */
  retryAfter?: number;
  /** The limit or quota that is used up, where that is the reason. */
  usedUp?: UsedUp;
}
