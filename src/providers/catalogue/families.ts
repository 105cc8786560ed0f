/**
 * Rules of model families, shared by every provider that serves them. Sources: the makers' model pages
 * and parameter references. Patterns are lower case; a leading `*` lets vendor prefixes pass.
 */
import type { ModelRule } from "./record.ts";

const openAi = ["chat", "responses"] as const;
const textImage = ["text", "image"];
const talks = ["stream", "tools"];
const thinks = ["stream", "tools", "reasoning"];

/** OpenAI's models, wherever they are served. */
export const openAiModels: readonly ModelRule[] = [
  {
    match: ["*gpt-4*", "*gpt-3.5*", "*chatgpt-4o*"],
    on: openAi,
    traits: { reasoning: "none" },
    info: { features: talks },
  },
  { match: ["*gpt-4o*", "*chatgpt-4o*"], info: { maxOutput: 16_384, inputModalities: textImage } },
  { match: ["*gpt-4.1*"], info: { maxOutput: 32_768, inputModalities: textImage } },
  { match: ["*gpt-4-turbo*", "*gpt-3.5*"], info: { maxOutput: 4096 } },
  {
    match: ["*gpt-4o*audio*", "*gpt-audio*"],
    info: { inputModalities: ["text", "audio"], outputModalities: ["text", "audio"] },
  },
  {
    match: ["o1*", "o3*", "o4*", "openai/o1*", "openai/o3*", "openai/o4*"],
    on: openAi,
    traits: {
      maxTokensField: "max_completion_tokens",
      sampling: "none",
      noStop: true,
      efforts: ["low", "medium", "high"],
      extraSampling: ["seed"],
    },
    info: { maxOutput: 100_000, inputModalities: textImage, features: thinks },
    firstContent: 180,
  },
  {
    match: ["*gpt-5*", "*gpt-6*", "*codex*"],
    on: openAi,
    traits: {
      maxTokensField: "max_completion_tokens",
      sampling: "none",
      noStop: true,
      customTools: true,
      efforts: ["minimal", "low", "medium", "high"],
      extraSampling: ["seed"],
    },
    info: { maxOutput: 128_000, inputModalities: textImage, features: thinks },
    firstContent: 180,
  },
  { match: ["*gpt-5.1*"], on: openAi, traits: { efforts: ["none", "low", "medium", "high"] } },
  {
    match: ["*gpt-5.2*", "*gpt-5.3*", "*gpt-5.4*", "*gpt-5.5*", "*gpt-5.1-codex-max*"],
    on: openAi,
    traits: { efforts: ["none", "low", "medium", "high", "xhigh"] },
  },
  {
    match: ["*gpt-5.6*", "*gpt-6*"],
    on: openAi,
    traits: { efforts: ["none", "low", "medium", "high", "xhigh", "max"] },
  },
  {
    match: ["*gpt-5*-chat*", "*gpt-chat-latest*"],
    on: openAi,
    traits: { reasoning: "none", sampling: "all", noStop: false, customTools: false },
    info: { maxOutput: 16_384 },
  },
  {
    match: ["*gpt-oss*"],
    on: openAi,
    traits: { efforts: ["low", "medium", "high"] },
    info: { features: thinks },
  },
];

/** Of those, the ones that answer on the Responses endpoint alone (where their maker serves them). */
export const responsesOnly: ModelRule = {
  match: [
    "gpt-*-pro",
    "gpt-*-pro-*",
    "o1-pro*",
    "o3-pro*",
    "*deep-research*",
    "*codex*",
    "computer-use*",
  ],
  formats: ["responses"],
};

/** Deep-research and pro models think for minutes before they say anything. */
export const slowModels: ModelRule = {
  match: ["gpt-*-pro", "gpt-*-pro-*", "o1-pro*", "o3-pro*", "*deep-research*"],
  firstContent: 600,
};

const claudeNames = (...names: string[]): string[] =>
  names.flatMap((name) => [
    `*claude-${name}*`,
    `*claude-${name.replaceAll("-", ".").replace(".", "-")}*`,
  ]);

/** Anthropic's models in their own format. */
export const claudeModels: readonly ModelRule[] = [
  {
    match: ["*claude*"],
    on: ["messages"],
    traits: {
      sampling: "none",
      reasoning: "adaptive",
      efforts: ["low", "medium", "high", "xhigh", "max"],
      systemInTurns: true,
    },
  },
  {
    match: ["*claude*"],
    info: {
      maxOutput: 128_000,
      inputModalities: textImage,
      outputModalities: ["text"],
      features: thinks,
    },
    firstContent: 180,
  },
  { match: claudeNames("opus-4-7"), on: ["messages"], traits: { systemInTurns: false } },
  {
    match: claudeNames("opus-4-6", "sonnet-4-6"),
    on: ["messages"],
    traits: { sampling: "all", efforts: ["low", "medium", "high", "max"], systemInTurns: false },
  },
  {
    match: [
      ...claudeNames(
        "opus-4-5",
        "opus-4-1",
        "opus-4-0",
        "sonnet-4-5",
        "sonnet-4-0",
        "haiku-4-5",
        "3-7-sonnet",
      ),
      "*claude-opus-4-2*",
      "*claude-sonnet-4-2*",
      "*claude-opus-4",
      "*claude-sonnet-4",
      "*claude-4-opus*",
      "*claude-4-sonnet*",
    ],
    on: ["messages"],
    traits: { sampling: "all", reasoning: "budget", systemInTurns: false },
  },
  {
    match: [
      ...claudeNames("3-5", "3-haiku", "3-opus", "3-sonnet"),
      "*claude-2*",
      "*claude-v1*",
      "*claude-instant*",
    ],
    on: ["messages"],
    traits: { sampling: "all", reasoning: "none", systemInTurns: false, schemaOutput: false },
  },
  {
    match: claudeNames(
      "sonnet-4-6",
      "sonnet-4-5",
      "sonnet-4-0",
      "opus-4-5",
      "haiku-4-5",
      "3-7-sonnet",
    ),
    info: { maxOutput: 64_000 },
  },
  {
    match: ["*claude-sonnet-4-2*", "*claude-sonnet-4", "*claude-4-sonnet*"],
    info: { maxOutput: 64_000 },
  },
  {
    match: [
      ...claudeNames("opus-4-1", "opus-4-0"),
      "*claude-opus-4-2*",
      "*claude-opus-4",
      "*claude-4-opus*",
    ],
    info: { maxOutput: 32_000 },
  },
  { match: claudeNames("3-5"), info: { maxOutput: 8192, features: talks } },
  {
    match: claudeNames("3-haiku", "3-opus", "3-sonnet"),
    info: { maxOutput: 4096, features: talks },
  },
];

/** Google's models over generateContent. */
export const geminiModels: readonly ModelRule[] = [
  {
    match: ["*gemini*"],
    on: ["gemini"],
    traits: { reasoning: "effort", efforts: ["minimal", "low", "medium", "high"] },
  },
  {
    match: ["*gemini*"],
    info: {
      maxOutput: 65_536,
      inputModalities: ["text", "image", "audio", "video"],
      outputModalities: ["text"],
      features: thinks,
    },
    firstContent: 180,
  },
  { match: ["*gemini-3-pro*"], on: ["gemini"], traits: { efforts: ["low", "high"] } },
  { match: ["*gemini-3.*-pro*"], on: ["gemini"], traits: { efforts: ["low", "medium", "high"] } },
  {
    match: ["*gemini-2.5*"],
    on: ["gemini"],
    traits: {
      reasoning: "budget",
      mediaInResults: false,
      mixedTools: false,
      thoughtSignatures: false,
    },
  },
  {
    match: ["*gemini-2.0*", "*gemini-1.5*", "*gemini-flash-1.5*", "*gemini-pro-1.5*", "*gemma*"],
    on: ["gemini"],
    traits: {
      reasoning: "none",
      mediaInResults: false,
      mixedTools: false,
      thoughtSignatures: false,
    },
  },
  { match: ["*gemini-2.0*", "*gemini-1.5*"], info: { maxOutput: 8192, features: talks } },
  {
    match: ["*gemini*image*"],
    info: { outputModalities: ["text", "image"], features: ["stream"], maxOutput: 32_768 },
  },
];

/** Ids in makers' lists that no conversation can be held with. */
export const notConversational: readonly string[] = [
  "*embed*",
  "*moderation*",
  "whisper*",
  "*/whisper*",
  "tts-*",
  "*-tts",
  "*-tts-*",
  "dall-e*",
  "gpt-image*",
  "chatgpt-image*",
  "sora*",
  "*realtime*",
  "*transcribe*",
  "*-instruct-0914",
  "gpt-3.5-turbo-instruct*",
  "davinci*",
  "babbage*",
  "curie",
  "ada",
  "text-davinci*",
  "ft:*",
  "*rerank*",
  "imagen*",
  "veo-*",
  "lyria*",
  "aqa",
  "*-live-*",
  "gemini-live*",
  "*native-audio*",
  "*-ocr-*",
  "grok-voice*",
  "grok-imagine*",
  "grok-2-image*",
];
