/**
 * A request in neutral form: the superset of what the four wire dialects can ask for.
 *
 * Readers (wire -> Turn) never throw anything away in silence: what has no room here is named in
 * `unsaid`. Writers (Turn -> wire) name what their dialect has no words for, with the paths the
 * client itself used (`paths`, `path` members), so that a caller can be told exactly what was lost.
 */
import type { ClientFormatName, FormatName } from "./format-name.ts";
import type { JsonObject, JsonValue } from "../lib/json.ts";
import { invalid } from "./problem.ts";

export interface ModelRequest {
  /** The dialect that the client speaks. */
  readonly format: ClientFormatName;
  /** As the client wrote it. */
  model: string;
  stream: boolean;
  /** Chat only: the client asked for the extra usage chunk. The other dialects always carry usage. */
  wantsUsage: boolean;
  /** In the order of the conversation. Instructions stand where the client put them. */
  messages: Message[];
  tools: Tool[];
  choice?: ToolChoice;
  parallelTools?: boolean;
  /** Upper limit of output tokens, reasoning included. */
  maxOutput?: number;
  stop: string[];
  sampling: Sampling;
  reasoning?: Reasoning;
  output?: OutputShape;
  verbosity?: string;
  /** Provider-side prompt cache: a routing key and how long to keep it. */
  cacheKey?: string;
  cacheRetention?: string;
  user?: string;
  metadata?: JsonObject;
  serviceTier?: string;
  store?: boolean;
  /** Responses only; it cannot be resolved here. */
  previousResponseId?: string;
  /**
   * Paths of client fields that only a Responses provider can honour (`conversation`, `background`, `prompt`).
   * Writers of every other dialect refuse the request with `invalid(path, …)` when there is one.
   */
  responsesOnly?: string[];
  /** Fields of the client that the neutral form has no room for; client's own paths, `[]` for any index. */
  unsupported: string[];
  /** Where the client wrote a neutral field, so that a writer that cannot say it can name it. */
  paths: Partial<Record<RequestField, string>>;
  /** Fields of OpenAI chat that only OpenAI-type providers know; other dialects leave them out without a header. */
  openaiOnly: Partial<Record<OpenAiField, JsonValue>>;
}

/** The seed's five fields that leave no trace in `X-Gateway-Dropped` when they are left out. */
export const openAiFields = [
  "stream_options",
  "reasoning_effort",
  "modalities",
  "audio",
  "prediction",
] as const;
export type OpenAiField = (typeof openAiFields)[number];

/** Neutral fields that some dialect cannot say. */
export type RequestField =
  | "choice"
  | "parallelTools"
  | "maxOutput"
  | "stop"
  | "output"
  | "outputStrict"
  | "verbosity"
  | "cacheKey"
  | "cacheRetention"
  | "user"
  | "metadata"
  | "serviceTier"
  | "store"
  | "previousResponseId"
  | "reasoning"
  | "reasoningSummary"
  | keyof Sampling;

export interface Sampling {
  temperature?: number;
  topP?: number;
  topK?: number;
  frequencyPenalty?: number;
  presencePenalty?: number;
  seed?: number;
  n?: number;
  logprobs?: boolean;
  topLogprobs?: number;
  logitBias?: JsonObject;
}

export interface Message {
  role: "instruction" | "user" | "assistant";
  blocks: Block[];
  /** For instructions: the word the client used. */
  voice?: "system" | "developer";
  /** The instruction stood in the dialect's own top-level field (`system`, `instructions`). */
  top?: boolean;
  /** Responses: `commentary` or `final_answer`. */
  phase?: string;
  /** Chat: `name` of a participant. */
  name?: string;
}

/** A cache breakpoint that the client set, with the path of that member for reports. */
export interface CacheMark {
  ttl?: string;
  path: string;
}

export type Block =
  | TextBlock
  | MediaBlock
  | ThinkingBlock
  | CallBlock
  | ResultBlock
  | RefusalBlock
  | ReferenceBlock
  | OpaqueBlock;

export interface TextBlock {
  kind: "text";
  text: string;
  cache?: CacheMark;
  citations?: Citation[];
  /** Where the client wrote the citations, e.g. `input[].content[].annotations`. */
  citationsPath?: string;
}

export interface MediaBlock {
  kind: "media";
  media: "image" | "document" | "audio" | "video";
  source:
    | { type: "bytes"; mime: string; data: string }
    | { type: "url"; url: string; mime?: string }
    | { type: "file"; id: string }
    | { type: "text"; text: string }
    | { type: "blocks"; blocks: Block[] };
  /** File name or title. */
  name?: string;
  /** Anthropic documents: context for the model about the document. */
  context?: string;
  /** OpenAI images: low | high | auto | original. */
  detail?: string;
  cache?: CacheMark;
  /** Where the client wrote this block, e.g. `messages[].content[]`. */
  path: string;
}

/** Visible reasoning and the provider's opaque proof of it. Also carries state that belongs to the call after it. */
export interface ThinkingBlock {
  kind: "thinking";
  text: string;
  state?: OpaqueState;
  /** The provider hid the text on purpose (Anthropic `redacted_thinking`). */
  redacted?: boolean;
  path: string;
}

/**
 * State that only its maker can read. `origin` is the connection that made it; absent when the client
 * brought it in its own dialect, untagged, so that only a relay of that dialect may forward it.
 */
export interface OpaqueState {
  format: FormatName;
  origin?: string;
  /** What the dialect calls it: signature, redacted, encrypted_content, thought_signature, reasoning_details … */
  type: string;
  data: string;
}

export interface CallBlock {
  kind: "call";
  id: string;
  name: string;
  namespace?: string;
  /** function: `input` is JSON text. custom: `input` is free text. */
  call: "function" | "custom";
  input: string;
  state?: OpaqueState;
  /** Where the client keeps the state. */
  statePath?: string;
  cache?: CacheMark;
}

export interface ResultBlock {
  kind: "result";
  /** The call that it answers. */
  id: string;
  call: "function" | "custom";
  blocks: Block[];
  isError?: boolean;
  cache?: CacheMark;
  path: string;
}

export interface RefusalBlock {
  kind: "refusal";
  text: string;
}

/** Anthropic `tool_reference`: a deferred tool was loaded. */
export interface ReferenceBlock {
  kind: "reference";
  tool: string;
}

/** A block that only its own dialect knows. Never sent to another; `text` is what it said in words, if anything. */
export interface OpaqueBlock {
  kind: "opaque";
  format: FormatName;
  type: string;
  raw: JsonValue;
  text?: string;
  /** auxiliary: may be left out and reported. essential: leaving it out would change the meaning (M300). */
  weight: "auxiliary" | "essential";
  path: string;
}

export interface Citation {
  type: "url" | "document" | "other";
  url?: string;
  title?: string;
  text?: string;
  start?: number;
  end?: number;
  /** The dialect's own object, for its own dialect. */
  raw?: { format: FormatName; value: JsonValue };
}

export type Tool =
  | {
      kind: "function";
      name: string;
      namespace?: string;
      description?: string;
      schema?: JsonObject;
      strict?: boolean;
      /** Anthropic `defer_loading`: not offered until a `tool_reference` names it. */
      deferred?: boolean;
      cache?: CacheMark;
      path: string;
    }
  | {
      kind: "custom";
      name: string;
      namespace?: string;
      description?: string;
      /** Chat/Responses `format` of the freeform input (grammar or text), in Responses' flat form. */
      grammar?: JsonObject;
      path: string;
    }
  | {
      kind: "hosted";
      /** The provider runs it (web_search …) or it needs a client of that dialect; meaning by dialect and type. */
      format: FormatName;
      type: string;
      /** What the tool does where another dialect has a tool of the same meaning. */
      means?: "web_search" | "code_execution";
      raw: JsonObject;
      path: string;
    };

export type ToolChoice =
  | { type: "auto" | "none" | "required" }
  | { type: "tool"; name: string; namespace?: string; custom?: boolean }
  | { type: "allowed"; mode: "auto" | "required"; names: string[] }
  | { type: "hosted"; raw: JsonObject };

export interface Reasoning {
  /** none | minimal | low | medium | high | xhigh | max, as the client said. */
  effort?: string;
  /** Tokens (Anthropic budget_tokens, Gemini thinkingBudget). */
  budget?: number;
  mode?: "off" | "adaptive" | "budget";
  /** Whether the client wants to see reasoning: a summary level, or hidden. */
  summary?: string;
}

export type OutputShape =
  | { type: "json" }
  | { type: "schema"; name?: string; schema: JsonObject; strict?: boolean; description?: string };

/** Throws M300 for what only a provider of the Responses API can honour: it keeps what the request refers to. */
export function refuseResponsesOnly(turn: ModelRequest): void {
  if (turn.previousResponseId !== undefined) {
    throw invalid(
      turn.paths.previousResponseId ?? "previous_response_id",
      "this provider keeps no earlier responses; send the whole conversation",
    );
  }
  for (const path of turn.responsesOnly ?? []) {
    throw invalid(path, "only a provider of the Responses API can honour it");
  }
}
