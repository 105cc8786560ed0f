/**
 * Calling providers: `Upstream` takes what a request may be asked of and gives the answer that began, or why
 * none did. Everything round one call (fallback, retry, masking …) is a layer over that one function.
 */
import type { ClientFormat, ProviderFormat, ReadContext, SavedParameters } from "../core/format.ts";
import type { Failure } from "../core/failure.ts";
import type { ClientFormatName, FormatName } from "../core/format-name.ts";
import type { Target } from "../core/model.ts";
import type { ReplyEvent } from "../core/events.ts";
import type { Usage } from "../core/usage.ts";
import type { Departure } from "../lib/departure.ts";
import type { JsonObject } from "../lib/json.ts";
import type { RequestTimer } from "../lib/request-timer.ts";
import type { Connection, ListedModel } from "../providers/connection/connection.ts";
import type { Credentials } from "../providers/connection/credentials.ts";
import type { AttemptRecord } from "../workspace/contract/request-record.ts";
import type { ClientRequest } from "./client-request.ts";
import type { Piece, Source } from "./source.ts";

export type Upstream = (ask: Ask) => Promise<Started>;

/** A layer wraps the calls below it. It may change the ask, ask again, or change what comes back. */
export type Layer = (next: Upstream) => Upstream;

/** One request and the models that may answer it. Layers below `fallback` ask the first candidate only. */
export interface Ask {
  readonly request: ClientRequest;
  /** The format in which the client speaks. */
  readonly client: ClientFormat;
  /** In the order in which they may be asked. Never empty. */
  readonly candidates: readonly [ListedModel, ...ListedModel[]];
  /** Candidates that failed lately: id -> epoch ms until which they are asked last. */
  readonly cooling: Readonly<Record<string, number>>;
  /** Epoch ms at which the candidate was first asked: a second call shares the time of the first. Missing: with this call. */
  readonly since?: number;
  /** Failed calls of this request so far. */
  readonly attempted: readonly AttemptRecord[];
  /** Saved parameters of the request's harness for a model, by its id. */
  parametersFor(model: string): SavedParameters;
  /** The conversation as providers with a keyed prompt cache are told of it, where the client states one. */
  cacheKey?(): string | undefined;
  /** Forward a request that needs no translation as it is. */
  readonly asIs: boolean;
  /** No promise where they are known. */
  credentials(connection: Connection): Credentials | Promise<Credentials>;
  /** The client's headers and query string (with its question mark, or empty). */
  readonly headers: Headers;
  readonly query: string;
  /** The request's own. */
  readonly timer: RequestTimer;
  /** The client's: it ends the calls. */
  readonly departure?: Departure | undefined;
  /**
   * Told of a call for whose answer the client waits in silence: behind its provider's headers where it streams, from its
   * beginning otherwise. What it returns is called at the first content, or when the call has failed.
   */
  awaits?(call: SilentCall): () => void;
  /** The request's trace, where it has one. */
  readonly trace?: TraceCarrier | undefined;
  /** What the call that comes next says of it. */
  readonly attempt?: AttemptTrace;
  /** Told how many bytes a whole answer has so far: false where the isolate has no memory for them. */
  hasRoom?(bytes: number): boolean;
  /** Ends the call. */
  readonly signal?: AbortSignal;
  /** Who searches the web for models whose providers cannot; missing: nobody. */
  readonly searcher?: ListedModel | undefined;
  /** Address of a search endpoint of the user's own, with `{query}`, in place of a searcher. */
  readonly searchAddress?: string | undefined;
  /** A limit that blocks counts what the answer costs: what is asked beside it keeps within what was set aside. */
  readonly held?: boolean;
  /** Whether a model may be called after the failed calls; missing: always. A limit may bound what all of them cost. */
  mayCall?(model: ListedModel, failed: readonly AttemptRecord[]): boolean;
  /** The client's format for which the model's is chosen, where it is not the client's own. */
  readonly targetAs?: ClientFormatName;
  /** The request is no longer the client's own: it is written anew for every provider. */
  readonly rewritten?: true;
  /** Who judges the answer's tool uses where its client asks for that; missing: nobody. */
  readonly judge?: ListedModel | undefined;
}

/** The trace of a request, as its calls carry it on. */
export interface TraceCarrier {
  /** For one call; the next one is another span. */
  attempt(): AttemptTrace;
}

/** One call's place in a trace. */
export interface AttemptTrace {
  /** The id of the call's own span; missing where none is made. */
  readonly span?: string;
  /** What its provider is told. */
  readonly headers: Readonly<Record<string, string>>;
}

export type Started = StreamAnswer | WholeAnswer | NoAnswer;

/** A request written for one model. */
export interface Prepared {
  readonly model: ListedModel;
  readonly target: Target;
  readonly format: ProviderFormat;
  /** The client speaks the provider's format: bytes pass as they are. */
  readonly relay: boolean;
  readonly body: JsonObject;
  readonly context: ReadContext;
  /** Client's paths that the provider's format cannot say: for the header and the log, and for the log alone. */
  readonly dropped: readonly string[];
  readonly quiet: readonly string[];
  /** The gateway asked for usage in the stream, the client did not. */
  readonly hidesUsage: boolean;
}

interface AnswerBase {
  readonly prepared: Prepared;
  /** What a caller may see of the provider's response headers. */
  readonly headers: Readonly<Record<string, string>>;
  /** Failed calls under this ask, before the one that answers. */
  readonly attempts: readonly AttemptRecord[];
  /** Epoch ms at which the call that answers began. */
  readonly begun: number;
  /** Id of its span, where the request has a trace. */
  readonly span?: string;
  /** Calls of other models that the gateway made for this answer; a stream's are added until its end. */
  readonly sideCalls?: AttemptRecord[];
  /** Of an answer that takes several calls of its model. */
  readonly turns?: AnswerTurns;
}

/** The calls of its model that an answer takes, kept up to date. */
export interface AnswerTurns {
  /** Those that are complete, but the one that `latest` tells of. */
  complete(): readonly AttemptRecord[];
  /** The call that runs, or ended the answer: what it reported, and the tokens of its request; undefined between two. */
  latest(): { readonly reported: Usage; readonly input: number } | undefined;
}

/** A call without content so far. */
export interface SilentCall extends Pick<AnswerBase, "prepared"> {
  /** What a caller may see of the provider's response headers, as far as they are there. */
  headers(): AnswerBase["headers"];
}

/** The first content has arrived; the rest follows from `source`. */
export interface StreamAnswer extends AnswerBase {
  readonly kind: "stream";
  readonly source: Source;
  /** What was read until the first content. */
  readonly held: Piece;
  /** Aborts the provider's call. */
  readonly controller: AbortController;
}

/** All of it has arrived and parsed. */
export interface WholeAnswer extends AnswerBase {
  readonly kind: "whole";
  readonly events: readonly ReplyEvent[];
  /** The provider's own bytes, where they may pass untouched. */
  readonly bytes?: Uint8Array;
}

export interface NoAnswer {
  readonly kind: "failed";
  /** One for each candidate that was asked, in the order of the calls. */
  readonly failures: readonly [FailedCandidate, ...FailedCandidate[]];
  readonly attempts: readonly AttemptRecord[];
}

export interface FailedCandidate {
  /** `<connection>/<model>`. */
  readonly model: string;
  readonly failure: Failure;
  /** In which it was asked; missing where it could not be called. */
  readonly format?: FormatName;
  /** The provider speaks the client's format: its error type is one of that format's. */
  readonly native: boolean;
}

/** The same result, with earlier failed calls in front. */
export function after(earlier: readonly AttemptRecord[], started: Started): Started {
  return earlier.length === 0
    ? started
    : { ...started, attempts: [...earlier, ...started.attempts] };
}
