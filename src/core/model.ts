/**
 * A provider's model as the gateway knows it, and what a format's writer must know about it. All of it is
 * data from the catalogue or the configuration; no code asks for a provider's name.
 */
import type { FormatName, ProviderFormatName } from "./format-name.ts";
import type { MediaTokens } from "./usage.ts";

/** USD per million tokens. A missing member is unknown; 0 is free. */
export interface Prices {
  input?: number;
  output?: number;
  cacheRead?: number;
  cacheWrite?: number;
  /** Cache writes that live an hour; missing: 1.6 times `cacheWrite` (2.0 / 1.25 of the input price). */
  cacheWrite1h?: number;
  /** Prices that hold from so many input tokens on (the whole request is charged at them). */
  tiers?: {
    from: number;
    input?: number;
    output?: number;
    cacheRead?: number;
    cacheWrite?: number;
    cacheWrite1h?: number;
  }[];
  /** Factors on all token prices, by the service tier that answers; one that is not listed has the factor 1. */
  serviceTiers?: Readonly<Record<string, number>>;
  /** Factors on all token prices, by where the model ran; a place that is not listed has the factor 1. */
  regions?: Readonly<Record<string, number>>;
  /** Fees by the names of `ToolUses`; a tool that is not listed has none that is known. */
  toolUses?: Readonly<Record<string, ToolFee>>;
  /** USD for a thousand answers, by how much their searches put before the model; the first where nobody says. */
  answers?: Readonly<Record<string, number>>;
  /** Of tokens that are no text; one that is not listed costs what text costs. */
  media?: MediaTokens;
  /** USD for an hour of audio, where that is billed instead of tokens. */
  audioHour?: number;
  /** Nobody is paid by use, tools included: a server of one's own, or a subscription. */
  free?: "own" | "subscription";
}

/** What the uses of one tool cost. */
export interface ToolFee {
  /** USD for a thousand. */
  perThousand: number;
  /** All uses in one answer count as one. */
  onceAnAnswer?: true;
}

export interface ModelInfo {
  /** The provider's own id. */
  id: string;
  contextWindow?: number;
  maxOutput?: number;
  /** Missing member: unknown, not unsupported. */
  inputModalities?: string[];
  outputModalities?: string[];
  /** `stream`, `tools`, `reasoning`, `structured_output` … */
  features?: string[];
  /** Whether answers can follow a JSON schema, where the provider's own list says so. */
  structured?: boolean;
  /** Only from the provider's own list. */
  supportedEndpoints?: string[];
  prices?: Prices;
  displayName?: string;
  /** Epoch ms at which it was published, where the provider's own list says so. */
  created?: number;
}

/** Where one attempt goes. Everything a writer and `send` need, nothing else. */
export interface Target {
  /** The provider's real model id. */
  readonly model: string;
  /** Connection id: origin of opaque state. */
  readonly connection: string;
  readonly format: ProviderFormatName;
  readonly traits: Traits;
  /** The model's maximum of output tokens, if known. */
  readonly maxOutput?: number;
  readonly contextWindow?: number;
  readonly stream: boolean;
}

/**
 * What a format's writer may send to this model. One record a catalogue entry, refined by model
 * patterns. Every member has a default (`defaultTraits`), so that a new provider states only differences.
 */
export interface Traits {
  /** Chat: which name carries the limit of output tokens. */
  readonly maxTokensField: "max_tokens" | "max_completion_tokens";
  /** Chat: the server refuses the other name, so that even a relay renames it. */
  readonly renamesMaxTokens: boolean;
  /** Chat: accepts `developer` messages; else they go as `system`. */
  readonly developerRole: boolean;
  /** Takes the five OpenAI-only fields. */
  readonly openAiFields: boolean;
  /** Chat: knows `stream_options.include_usage`. */
  readonly streamUsage: boolean;
  /** Which sampling fields the model takes: all, temperature 1 only / none, … */
  readonly sampling: "all" | "none";
  /** Largest temperature. */
  readonly maxTemperature: number;
  /** `stop` is refused. */
  readonly noStop: boolean;
  /** How reasoning is asked for. effort: a word. budget: tokens. adaptive: Anthropic's newer form. none: not at all. */
  readonly reasoning: "effort" | "budget" | "adaptive" | "none";
  /** Effort words that the model knows, weakest first. */
  readonly efforts: readonly string[];
  /** Chat: wants `reasoning_content` back on assistant messages. */
  readonly reasoningEcho: boolean;
  /** Messages: the maker's own service, which keeps threads and judges its models' tool uses. */
  readonly makersOwn: boolean;
  /** Messages: takes `role: "system"` between messages. */
  readonly systemInTurns: boolean;
  /** Chat and Responses: takes freeform (`custom`) tools. */
  readonly customTools: boolean;
  /** Responses: takes `namespace` tools. */
  readonly namespaces: boolean;
  /** Takes images by URL. */
  readonly imageUrls: boolean;
  /** Takes audio input. */
  readonly audio: boolean;
  /** Takes JSON-schema output. */
  readonly schemaOutput: boolean;
  /** Gemini: `parametersJsonSchema`, else the narrow subset in `parameters`. */
  readonly jsonSchemaTools: boolean;
  /** Gemini: media inside functionResponse (3.x), else beside it. */
  readonly mediaInResults: boolean;
  /** Gemini: takes functions beside built-in tools and beside JSON output (3.x). */
  readonly mixedTools: boolean;
  /** Gemini: validates thought signatures; foreign history needs the documented dummy. */
  readonly thoughtSignatures: boolean;
  /** Longest tool name. */
  readonly toolNameLength: number;
  /** Least value of the limit of output tokens. */
  readonly minOutput: number;
  /** Provider's web search tool is offered under this format's own name. */
  readonly webSearch: boolean;
  /** Knows `prompt_cache_key`. */
  readonly cacheKey: boolean;
  /**
   * Messages: what makes a provider cache the prompt where the client said nothing of it. top: one `cache_control` of
   * the request, which moves along with the conversation. blocks: breakpoints. none: nothing, or it caches by itself.
   */
  readonly promptCache: "top" | "blocks" | "none";
  /** Chat: knows `seed`, `logit_bias`, `top_k` … beyond the common core. */
  readonly extraSampling: readonly (
    | "topK"
    | "seed"
    | "logprobs"
    | "logitBias"
    | "penalties"
    | "n"
  )[];
}

/** Traits of an endpoint about which nothing is known, by format. */
export function defaultTraits(format: FormatName): Traits {
  const openAi = format === "chat" || format === "responses";
  return {
    maxTokensField: "max_tokens",
    renamesMaxTokens: false,
    developerRole: format === "responses",
    openAiFields: openAi,
    streamUsage: true,
    sampling: "all",
    maxTemperature: format === "messages" ? 1 : 2,
    noStop: false,
    reasoning: format === "messages" || format === "gemini" ? "budget" : "effort",
    efforts: ["none", "minimal", "low", "medium", "high", "xhigh", "max"],
    reasoningEcho: false,
    makersOwn: false,
    systemInTurns: false,
    customTools: format === "responses",
    namespaces: format === "responses",
    imageUrls: true,
    audio: format !== "messages",
    schemaOutput: true,
    jsonSchemaTools: true,
    mediaInResults: true,
    mixedTools: true,
    thoughtSignatures: true,
    toolNameLength: 64,
    minOutput: format === "responses" ? 16 : 1,
    webSearch: format !== "chat",
    cacheKey: openAi,
    promptCache: format === "messages" ? "top" : "none",
    // OpenAI's chat has no `top_k`, and servers that follow it refuse what they do not know.
    extraSampling: [
      ...(format === "chat" ? [] : (["topK"] as const)),
      "seed",
      "logprobs",
      "logitBias",
      "penalties",
      "n",
    ],
  };
}
