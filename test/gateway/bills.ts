/** Answers of providers that are charged beside the text that they write, each with its true price. */
import type { Json } from "../kit/asking.ts";

/** One request and its answer. */
export interface BilledAnswer {
  readonly title: string;
  /** Kind of the provider, and the version at the end of its address. */
  readonly kind: string;
  readonly version: string;
  /** The provider's name of the model. */
  readonly model: string;
  readonly path: string;
  readonly body: Json;
  /** The whole answer. */
  readonly answer?: Json;
  /** The events of a streamed one. */
  readonly events?: readonly Json[];
  /** USD. */
  readonly dollars: number;
}

const says = { role: "assistant", content: "Done." };
const asks = [{ role: "user", content: "Draw, count, search." }];

type Given = Pick<BilledAnswer, "title" | "model" | "dollars">;

function chat(
  given: Given & { kind: string; body?: Json; usage: Json; message?: Json },
): BilledAnswer {
  const { kind, usage, message = says, body = {}, ...rest } = given;
  return {
    ...rest,
    kind,
    version: kind === "perplexity" ? "" : "/v1",
    path: "/v1/chat/completions",
    body: { messages: asks, ...body },
    answer: {
      id: "c1",
      object: "chat.completion",
      created: 1,
      model: given.model,
      choices: [{ index: 0, message, finish_reason: "stop" }],
      usage,
    },
  };
}

/** Chunks of a streamed chat answer, with a usage in each. */
function chatStream(given: Given & { kind: string; usages: readonly Json[] }): BilledAnswer {
  const { usages, ...rest } = given;
  const chunk = { id: "c1", object: "chat.completion.chunk", created: 1, model: given.model };
  const [first = {}, ...others] = usages;
  return {
    ...rest,
    version: "/v1",
    path: "/v1/chat/completions",
    body: { messages: asks, stream: true },
    events: [
      { ...chunk, choices: [{ index: 0, delta: says, finish_reason: null }], usage: first },
      { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
      ...others.map((usage) => ({ ...chunk, choices: [], usage })),
    ],
  };
}

function responses(
  given: Given & {
    kind?: string;
    tools?: readonly Json[];
    items?: readonly Json[];
    usage?: Json;
    more?: Json;
  },
): BilledAnswer {
  const { kind = "openai", tools = [], items = [], usage = tokens, more = {}, ...rest } = given;
  const message = {
    id: "m1",
    type: "message",
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text: "Done.", annotations: [] }],
  };
  return {
    ...rest,
    kind,
    version: "/v1",
    path: "/v1/responses",
    body: { input: "Draw, count, search.", tools },
    answer: {
      id: "r1",
      object: "response",
      created_at: 1,
      status: "completed",
      model: given.model,
      output: [...items, message],
      usage,
      ...more,
    },
  };
}

function messages(
  given: Given & { body?: Json; usage: Json; content?: readonly Json[] },
): BilledAnswer {
  const { usage, body = {}, content = [], ...rest } = given;
  return {
    ...rest,
    kind: "anthropic",
    version: "/v1",
    path: "/v1/messages",
    body: { max_tokens: 100, messages: asks, ...body },
    answer: {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: given.model,
      content: [...content, { type: "text", text: "Done." }],
      stop_reason: "end_turn",
      stop_sequence: null,
      usage,
    },
  };
}

function gemini(
  given: Given & { body?: Json; usage: Json; parts?: readonly Json[]; grounding?: Json },
): BilledAnswer {
  const { usage, body = {}, parts = [{ text: "Done." }], grounding, ...rest } = given;
  return {
    ...rest,
    kind: "gemini",
    version: "/v1beta",
    path: `/v1beta/models/p/${given.model}:generateContent`,
    body: { contents: [{ role: "user", parts: [{ text: "Draw, count, search." }] }], ...body },
    answer: {
      candidates: [
        {
          content: { role: "model", parts },
          finishReason: "STOP",
          index: 0,
          ...(grounding && { groundingMetadata: grounding }),
        },
      ],
      usageMetadata: usage,
      modelVersion: given.model,
    },
  };
}

/** gpt-4.1 costs $2 and $8 a million: $0.0001. */
const tokens = { input_tokens: 10, output_tokens: 10, total_tokens: 20 };
const text = 0.0001;
/** OpenRouter's and xAI's counts are small beside what they charge. */
const few = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };

const image = (quality?: string, size?: string): Json => ({
  id: "ig",
  type: "image_generation_call",
  status: "completed",
  result: "aGk=",
  ...(quality !== undefined && { quality }),
  ...(size !== undefined && { size }),
});
const code = (container: string): Json => ({
  id: `ci_${container}`,
  type: "code_interpreter_call",
  status: "completed",
  code: "1",
  container_id: container,
  outputs: [],
});
const search = (type: string): Json => ({
  id: `ws_${type}`,
  type: "web_search_call",
  status: "completed",
  action: { type, query: "tides" },
});

export const billedAnswers: readonly BilledAnswer[] = [
  responses({
    title: "eight images of the best quality",
    model: "gpt-4.1",
    tools: [{ type: "image_generation", model: "gpt-image-1" }],
    items: Array.from({ length: 8 }, (_, at) => ({ ...image("high", "1024x1536"), id: `ig${at}` })),
    dollars: text + (8 * 6240 * 40) / 1e6,
  }),
  responses({
    title: "an image as the request wants it, where the item says nothing",
    model: "gpt-4.1",
    tools: [
      { type: "image_generation", model: "gpt-image-1.5", quality: "low", size: "1024x1024" },
    ],
    items: [image()],
    dollars: text + (272 * 32) / 1e6,
  }),
  responses({
    title: "an image of a small model",
    model: "gpt-4.1",
    tools: [{ type: "image_generation", model: "gpt-image-1-mini" }],
    items: [image("medium", "1024x1536")],
    dollars: text + 0.015,
  }),
  responses({
    title: "an image of which nothing is said, at the dearest",
    model: "gpt-4.1",
    tools: [{ type: "image_generation" }],
    items: [image()],
    dollars: text + (6240 * 40) / 1e6,
  }),
  responses({
    title: "an image whose tokens are counted",
    model: "gpt-4.1",
    tools: [{ type: "image_generation", model: "gpt-image-1" }],
    items: [image("high", "1024x1024")],
    more: {
      tools: [{ type: "image_generation", model: "gpt-image-1" }],
      tool_usage: {
        image_gen: {
          input_tokens: 300,
          input_tokens_details: { image_tokens: 200, text_tokens: 100 },
          output_tokens: 4160,
          output_tokens_details: { image_tokens: 4160, text_tokens: 0 },
          total_tokens: 4460,
        },
      },
    },
    dollars: text + (100 * 5 + 200 * 10 + 4160 * 40) / 1e6,
  }),
  responses({
    title: "three containers of 64 GB",
    model: "gpt-4.1",
    tools: [{ type: "code_interpreter", container: { type: "auto", memory_limit: "64g" } }],
    items: [code("a"), code("a"), code("b"), code("c")],
    dollars: text + 3 * 1.92,
  }),
  responses({
    title: "a container of the usual size",
    model: "gpt-4.1",
    tools: [{ type: "code_interpreter", container: { type: "auto" } }],
    items: [code("a"), code("a")],
    dollars: text + 0.03,
  }),
  responses({
    title: "a tool that was offered and not used",
    model: "gpt-4.1",
    tools: [
      { type: "code_interpreter", container: { type: "auto" } },
      { type: "image_generation" },
      { type: "web_search" },
    ],
    dollars: text,
  }),
  responses({
    title: "searches, whose pages are free to open",
    model: "gpt-4.1",
    tools: [{ type: "web_search" }],
    items: [search("search"), search("open_page"), { ...search("search"), id: "ws_2" }],
    dollars: text + 0.02,
  }),
  responses({
    title: "searches of the older tool",
    model: "gpt-4.1",
    tools: [{ type: "web_search_preview" }],
    items: [search("search")],
    dollars: text + 0.025,
  }),
  responses({
    title: "the priority tier",
    model: "gpt-4.1",
    more: { service_tier: "priority" },
    dollars: text * 1.75,
  }),
  responses({
    title: "OpenRouter's own cost in a response",
    kind: "openrouter",
    model: "openai/gpt-4.1",
    usage: { ...tokens, cost: 0.4 },
    dollars: 0.4,
  }),
  chat({
    title: "OpenRouter's own cost with a plugin",
    kind: "openrouter",
    model: "openai/gpt-4.1",
    body: { plugins: [{ id: "web", max_results: 10 }] },
    usage: { ...few, cost: 1.2 },
    dollars: 1.2,
  }),
  chat({
    title: "OpenRouter's own cost of an online model",
    kind: "openrouter",
    model: "openai/gpt-4.1:online",
    usage: { ...few, cost: 0.9, cost_details: { upstream_inference_cost: null } },
    dollars: 0.9,
  }),
  chat({
    title: "OpenRouter with a key of one's own for the maker",
    kind: "openrouter",
    model: "openai/gpt-4.1",
    usage: {
      ...few,
      cost: 0.01,
      is_byok: true,
      cost_details: { upstream_inference_cost: 0.2 },
    },
    dollars: 0.21,
  }),
  chat({
    title: "a plugin whose cost nobody states",
    kind: "openrouter",
    model: "openai/gpt-4.1",
    body: { plugins: [{ id: "web" }] },
    usage: few,
    dollars: text + 0.02,
  }),
  chat({
    title: "an online model whose cost nobody states",
    kind: "openrouter",
    model: "openai/gpt-4.1:online",
    usage: few,
    dollars: text + 0.02,
  }),
  chatStream({
    title: "OpenRouter's own cost at the end of a stream",
    kind: "openrouter",
    model: "openai/gpt-4.1",
    usages: [few, { ...few, cost: 0.7 }],
    dollars: 0.7,
  }),
  chatStream({
    title: "a usage that shrinks",
    kind: "openai",
    model: "gpt-4.1",
    usages: [{ prompt_tokens: 1000, completion_tokens: 2000, total_tokens: 3000 }, few],
    dollars: (1000 * 2 + 2000 * 8) / 1e6,
  }),
  chat({
    title: "xAI's ticks",
    kind: "xai",
    model: "grok-4-0709",
    body: { search_parameters: { mode: "on" } },
    usage: { ...few, num_sources_used: 12, cost_in_usd_ticks: 3_100_000_000 },
    dollars: 0.31,
  }),
  chat({
    title: "sources of xAI's search",
    kind: "xai",
    model: "grok-4-0709",
    body: { search_parameters: { mode: "on" } },
    usage: { ...few, num_sources_used: 12 },
    dollars: (10 * 3 + 10 * 15) / 1e6 + 12 * 0.025,
  }),
  chat({
    title: "Perplexity's fee by the size of the search",
    kind: "perplexity",
    model: "sonar-pro",
    body: { web_search_options: { search_context_size: "high" } },
    usage: few,
    dollars: (10 * 3 + 10 * 15) / 1e6 + 0.014,
  }),
  chat({
    title: "Perplexity's fee where nothing is said",
    kind: "perplexity",
    model: "sonar",
    usage: few,
    dollars: 20 / 1e6 + 0.005,
  }),
  chat({
    title: "Perplexity's own cost",
    kind: "perplexity",
    model: "sonar",
    usage: {
      ...few,
      search_context_size: "low",
      cost: { input_tokens_cost: 0.1, output_tokens_cost: 0.1, request_cost: 0.3, total_cost: 0.5 },
    },
    dollars: 0.5,
  }),
  chat({
    title: "sound that a model hears and speaks",
    kind: "openai",
    model: "gpt-audio",
    body: { modalities: ["text", "audio"], audio: { voice: "alloy", format: "wav" } },
    usage: {
      prompt_tokens: 150,
      completion_tokens: 600,
      total_tokens: 750,
      prompt_tokens_details: { audio_tokens: 100, cached_tokens: 0 },
      completion_tokens_details: { audio_tokens: 500, reasoning_tokens: 0 },
    },
    dollars: (50 * 2.5 + 100 * 32 + 100 * 10 + 500 * 64) / 1e6,
  }),
  chat({
    title: "a model that searches for every answer",
    kind: "openai",
    model: "gpt-4o-search-preview",
    body: { web_search_options: {} },
    usage: few,
    dollars: (10 * 2.5 + 10 * 10) / 1e6 + 0.025,
  }),
  gemini({
    title: "an image among text",
    model: "gemini-2.5-flash-image",
    body: { generationConfig: { responseModalities: ["TEXT", "IMAGE"] } },
    parts: [{ text: "Here." }, { inlineData: { mimeType: "image/png", data: "aGk=" } }],
    usage: {
      promptTokenCount: 100,
      candidatesTokenCount: 1300,
      totalTokenCount: 1400,
      candidatesTokensDetails: [
        { modality: "IMAGE", tokenCount: 1290 },
        { modality: "TEXT", tokenCount: 10 },
      ],
    },
    dollars: (100 * 0.3 + 1290 * 30 + 10 * 2.5) / 1e6,
  }),
  gemini({
    title: "an image of which no details come",
    model: "gemini-2.5-flash-image",
    parts: [{ inlineData: { mimeType: "image/png", data: "aGk=" } }],
    usage: { promptTokenCount: 100, candidatesTokenCount: 1290, totalTokenCount: 1390 },
    dollars: (100 * 0.3 + 1290 * 30) / 1e6,
  }),
  gemini({
    title: "sound that is read anew and from the cache",
    model: "gemini-2.5-flash",
    usage: {
      promptTokenCount: 1000,
      cachedContentTokenCount: 400,
      candidatesTokenCount: 10,
      totalTokenCount: 1010,
      promptTokensDetails: [
        { modality: "TEXT", tokenCount: 200 },
        { modality: "AUDIO", tokenCount: 800 },
      ],
      cacheTokensDetails: [
        { modality: "AUDIO", tokenCount: 300 },
        { modality: "TEXT", tokenCount: 100 },
      ],
    },
    dollars: (100 * 0.3 + 500 * 1 + 300 * 0.1 + 100 * 0.03 + 10 * 2.5) / 1e6,
  }),
  gemini({
    title: "an answer that rests on maps",
    model: "gemini-2.5-flash",
    body: { tools: [{ googleMaps: {} }] },
    grounding: { groundingChunks: [{ maps: { uri: "https://maps.example/1", title: "Cafe" } }] },
    usage: { promptTokenCount: 10, candidatesTokenCount: 10, totalTokenCount: 20 },
    dollars: (10 * 0.3 + 10 * 2.5) / 1e6 + 0.025,
  }),
  messages({
    title: "inference in the US",
    model: "claude-opus-4-6",
    body: { inference_geo: "us" },
    usage: { input_tokens: 1000, output_tokens: 1000, inference_geo: "us" },
    dollars: ((1000 * 5 + 1000 * 25) / 1e6) * 1.1,
  }),
  messages({
    title: "inference in the US that the answer doesn't repeat",
    model: "claude-opus-4-6",
    body: { inference_geo: "us" },
    usage: { input_tokens: 1000, output_tokens: 1000 },
    dollars: ((1000 * 5 + 1000 * 25) / 1e6) * 1.1,
  }),
  messages({
    title: "cache writes that live an hour",
    model: "claude-opus-4-6",
    usage: {
      input_tokens: 10,
      output_tokens: 10,
      cache_creation_input_tokens: 1000,
      cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 1000 },
    },
    dollars: (10 * 5 + 10 * 25 + 1000 * 10) / 1e6,
  }),
  messages({
    title: "searches, and code in a container",
    model: "claude-opus-4-6",
    body: {
      tools: [
        { type: "web_search_20250305", name: "web_search" },
        { type: "code_execution_20250825", name: "code_execution" },
      ],
    },
    content: [
      { type: "server_tool_use", id: "s1", name: "bash_code_execution", input: { command: "ls" } },
      { type: "server_tool_use", id: "s2", name: "bash_code_execution", input: { command: "ls" } },
    ],
    usage: {
      input_tokens: 10,
      output_tokens: 10,
      server_tool_use: { web_search_requests: 2, web_fetch_requests: 1 },
    },
    dollars: (10 * 5 + 10 * 25) / 1e6 + 0.02 + 0.05 / 12,
  }),
  messages({
    title: "code that newer searches run themselves",
    model: "claude-opus-4-6",
    body: { tools: [{ type: "web_search_20260209", name: "web_search" }] },
    content: [{ type: "server_tool_use", id: "s1", name: "code_execution", input: { code: "1" } }],
    usage: {
      input_tokens: 10,
      output_tokens: 10,
      server_tool_use: { web_search_requests: 1 },
    },
    dollars: (10 * 5 + 10 * 25) / 1e6 + 0.01,
  }),
];
