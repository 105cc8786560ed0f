/**
 * A request in neutral form: the superset of what the formats can ask for.
 *
 * Readers (a format's body -> `ModelRequest`) never throw anything away in silence: what has no member here is
 * named in `unsupported`. Writers (`ModelRequest` -> a format's body) name what their format does not support,
 * under the paths that the client itself used (`paths`, `path` members), so that it learns exactly what was lost.
 */
import type { JsonObject, JsonValue } from "../lib/json.ts";
import type { ClientFormatName, FormatName } from "./format-name.ts";
import type { OpenAiField, ParameterField, RequestSettings, Sampling } from "./parameters.ts";

/** The simple settings (`sampling`, and those of `RequestSettings`) are rows of the parameter table. */
export interface ModelRequest extends RequestSettings {
  /** The format that the client speaks. */
  readonly format: ClientFormatName;
  /** As the client wrote it. */
  readonly model: string;
  readonly stream: boolean;
  /** Chat only: the client asked for the extra usage chunk. The other formats always carry usage. */
  readonly wantsUsage: boolean;
  /** In the order of the conversation. Instructions stand where the client put them. */
  readonly messages: readonly Message[];
  readonly tools: readonly Tool[];
  readonly choice?: ToolChoice;
  readonly parallelTools?: boolean;
  /** Upper limit of output tokens, reasoning included. */
  readonly maxOutput?: number;
  readonly stop: readonly string[];
  readonly sampling: Sampling;
  readonly reasoning?: Reasoning;
  readonly output?: OutputShape;
  /** Responses only; it cannot be resolved here. */
  readonly previousResponseId?: string;
  /**
   * Paths of client fields that only a Responses provider can honour (`conversation`, `background`, `prompt`).
   * Writers of every other format refuse the request with `invalid(path, …)` when there is one.
   */
  readonly responsesOnly?: readonly string[];
  /** The same for a Gemini provider (`cachedContent`, answers that hold no text). */
  readonly geminiOnly?: readonly string[];
  /** Fields of the client that the neutral form has no member for; client's own paths, `[]` for any index. */
  readonly unsupported: readonly string[];
  /** Where the client wrote a neutral field, so that a writer whose format does not support it can name it. */
  readonly paths: RequestPaths;
  /** Fields of OpenAI chat that only OpenAI-type providers know; other formats leave them out without a header. */
  readonly openaiOnly: Readonly<Partial<Record<OpenAiField, JsonValue>>>;
}

/** Neutral fields that some format does not support. */
export type RequestField =
  | "choice"
  | "parallelTools"
  | "maxOutput"
  | "stop"
  | "output"
  | "outputStrict"
  | "previousResponseId"
  | "reasoning"
  | "reasoningSummary"
  | ParameterField;

/** The client's own paths of neutral fields. */
export type RequestPaths = Readonly<Partial<Record<RequestField, string>>>;

export interface Message {
  role: "instruction" | "user" | "assistant";
  blocks: Block[];
  /** For instructions: the word the client used. */
  voice?: "system" | "developer";
  /** The instruction stood in the format's own top-level field (`system`, `instructions`). */
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
  /** Where the client wrote the name and the detail, if not in its format's usual place. */
  namePath?: string;
  detailPath?: string;
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
 * brought it in its own format, untagged, so that only a relay of that format may forward it.
 */
export interface OpaqueState {
  format: FormatName;
  origin?: string;
  /** What the format calls it: signature, redacted, encrypted_content, thought_signature, reasoning_details … */
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
  /** What `input` says, where the client wrote it as an object: never changed. */
  readonly object?: JsonObject;
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

/** A block that only its own format knows. Never sent to another; `text` is what it said in words, if anything. */
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
  /** The format's own object, for its own format. */
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
      /** The provider runs it (web_search …) or it needs a client of that format; meaning by format and type. */
      format: FormatName;
      type: string;
      /** What the tool does where another format has a tool of the same meaning. */
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
