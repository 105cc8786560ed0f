/** What can be asked beside generation: one record an operation, with everything of its wire. */
import type { RequestDescription } from "../core/format.ts";
import type { OperationName } from "../core/operation-name.ts";
import type { FormPart } from "../lib/multipart.ts";
import type { JsonObject } from "../lib/json.ts";

export interface Operation {
  readonly name: OperationName;
  /** Of its endpoint, under `/v1`; at providers under their root. */
  readonly path: string;
  /** Bodies that it takes: JSON, or JSON and forms. */
  readonly body: "json" | "form";
  /** What it answers where it does not stream: a JSON object, JSON or plain text, or media. */
  readonly answer: "json" | "text" | "media";
  /** What it writes that is billed: nothing, text that can be counted, or what only the provider can count. */
  readonly output: "none" | "text" | "uncounted";
  /** Throws M300 that names the field. `model` and `stream` are checked for every operation. */
  check(fields: JsonObject): void;
  /** Tokens of what the model is given to read; undefined where it cannot be counted. */
  inputTokens(fields: JsonObject): number | undefined;
  /** Output tokens that it may take at most, where its fields let that be foreseen. */
  mostOutput?(fields: JsonObject): number;
  /** Whether it asks for an answer in events. */
  streams?(fields: JsonObject): boolean;
}

/** A body as the client sent it, with its fields read. */
export type OperationContent =
  | { readonly kind: "json"; readonly text: string; readonly fields: JsonObject }
  | { readonly kind: "form"; readonly parts: readonly FormPart[]; readonly fields: JsonObject };

/** The form in which embeddings are asked for: OpenAI's, or Gemini's for one text and for several. */
export type EmbeddingForm = "openai" | "embedContent" | "batchEmbedContents";

/** A client's request of an operation. */
export interface OperationRequest {
  readonly operation: Operation;
  readonly content: OperationContent;
  readonly form: EmbeddingForm;
  readonly description: RequestDescription;
  /** Tokens of what the model is given to read, counted when first asked for; undefined where they cannot be. */
  inputTokens(): number | undefined;
}

/** A request of an operation, written for one model. */
export interface OperationCall {
  /** Under the provider's root. */
  readonly path: string;
  readonly type: string;
  readonly body: string | Uint8Array;
  /** Client's paths that the provider's form cannot say. */
  readonly dropped: readonly string[];
  /** The answer in the client's form; missing: the provider's own bytes. Throws `NoEmbeddings`. */
  translate?(answer: JsonObject): JsonObject;
}
