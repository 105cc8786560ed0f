/** The neutral request -> a chat request, built from what chat knows and nothing else. */
import type { JsonObject, JsonValue } from "../../../lib/json.ts";
import { budgetToEffort, nearestEffort } from "../../../translation/effort.ts";
import type { WrittenRequest } from "../../../core/format.ts";
import { normalize } from "../../../translation/normalize.ts";
import type { Target } from "../../../core/model.ts";
import { shortHash, toolNames } from "../../../translation/tool-names.ts";
import {
  openAiFields,
  refuseResponsesOnly,
  type Sampling,
  type ModelRequest,
} from "../../../core/request.ts";
import { writeMessages } from "./write-messages.ts";
import { noteUnsupported, writeOutput, writeTools } from "./write-tools.ts";
import type { Writing } from "./write-context.ts";

/** OpenAI refuses longer ids of calls, and longer names of users. */
const longestCallId = 40;
const longestUser = 64;

export function writeRequest(request: ModelRequest, target: Target): WrittenRequest {
  const { traits } = target;
  const names = toolNames(request, {
    maxLength: traits.toolNameLength,
    flatten: true,
    customAsFunction: !traits.customTools,
  });
  const writing: Writing = {
    target,
    traits,
    names,
    dropped: new Set(request.unsupported),
    quiet: new Set(),
  };
  refuseResponsesOnly(request);
  const body: JsonObject = {
    model: target.model,
    messages: writeMessages(normalize(request.messages, longestCallId), writing),
    ...(target.stream && { stream: true }),
    ...writeLimits(request, writing),
    ...writeSampling(request, writing),
    ...writeTools(request, writing),
    ...writeOutput(request, writing),
    ...writeReasoning(request, writing),
    ...writeSettings(request, writing),
    ...writeOpenAiOnly(request, writing),
  };
  if (target.stream && traits.streamUsage)
    body["stream_options"] = withUsage(body["stream_options"]);
  return { body, dropped: [...writing.dropped], quiet: [...writing.quiet], names };
}

function withUsage(options: JsonValue | undefined): JsonObject {
  return typeof options === "object" && options !== null && !Array.isArray(options)
    ? { ...options, include_usage: true }
    : { include_usage: true };
}

function writeLimits(request: ModelRequest, writing: Writing): JsonObject {
  const { traits } = writing;
  const body: JsonObject = {};
  if (request.maxOutput !== undefined)
    body[traits.maxTokensField] = Math.max(request.maxOutput, traits.minOutput);
  if (request.stop.length > 0) {
    if (traits.noStop) noteUnsupported(request, "stop", writing);
    else body["stop"] = request.stop;
  }
  return body;
}

/** Neutral name, chat's name, and the trait's word for those that not every server knows. */
const samplingFields: readonly [
  keyof Sampling,
  string,
  Writing["traits"]["extraSampling"][number]?,
][] = [
  ["temperature", "temperature"],
  ["topP", "top_p"],
  ["topK", "top_k", "topK"],
  ["frequencyPenalty", "frequency_penalty", "penalties"],
  ["presencePenalty", "presence_penalty", "penalties"],
  ["seed", "seed", "seed"],
  ["n", "n", "n"],
  ["logprobs", "logprobs", "logprobs"],
  ["topLogprobs", "top_logprobs", "logprobs"],
  ["logitBias", "logit_bias", "logitBias"],
];

/** Those that steer the draw itself: refused by models that take none. */
const drawing: ReadonlySet<keyof Sampling> = new Set([
  "temperature",
  "topP",
  "topK",
  "frequencyPenalty",
  "presencePenalty",
] as const);

function writeSampling(request: ModelRequest, writing: Writing): JsonObject {
  const { traits } = writing;
  const body: JsonObject = {};
  for (const [field, name, extra] of samplingFields) {
    const value = request.sampling[field];
    if (value === undefined) continue;
    const known = extra === undefined || traits.extraSampling.includes(extra);
    if (!known || (traits.sampling === "none" && drawing.has(field)))
      noteUnsupported(request, field, writing);
    else
      body[name] = field === "temperature" ? Math.min(Number(value), traits.maxTemperature) : value;
  }
  return body;
}

function writeReasoning(request: ModelRequest, writing: Writing): JsonObject {
  const { reasoning } = request;
  if (!reasoning) return {};
  const { traits } = writing;
  if (reasoning.summary !== undefined) noteUnsupported(request, "reasoningSummary", writing);
  const word = reasoning.effort ?? impliedEffort(reasoning);
  if (word === undefined) return {};
  const effort =
    traits.reasoning === "effort" && traits.openAiFields
      ? nearestEffort(word, traits.efforts)
      : undefined;
  if (effort !== undefined) return { reasoning_effort: effort };
  noteUnsupported(request, "reasoning", writing);
  return {};
}

function impliedEffort(reasoning: NonNullable<ModelRequest["reasoning"]>): string | undefined {
  if (reasoning.mode === "off") return "none";
  if (reasoning.budget !== undefined) return budgetToEffort(reasoning.budget);
  return reasoning.mode === "adaptive" ? "high" : undefined;
}

/** Settings of OpenAI's own service: other servers refuse or ignore them. */
function writeSettings(request: ModelRequest, writing: Writing): JsonObject {
  const { openAiFields: openAi, cacheKey } = writing.traits;
  // Not to be stored is what chat does unless asked; metadata are taken only with what is stored.
  const stored = request.store === true;
  const user = request.user === undefined ? undefined : shortUser(request.user);
  const settings: [keyof ModelRequest["paths"], string, JsonValue | undefined, boolean][] = [
    ["verbosity", "verbosity", request.verbosity, openAi],
    ["cacheKey", "prompt_cache_key", request.cacheKey, cacheKey],
    ["cacheRetention", "prompt_cache_retention", request.cacheRetention, cacheKey],
    ["user", "user", user, openAi],
    ["serviceTier", "service_tier", serviceTier(request.serviceTier), openAi],
    ["store", "store", stored ? true : undefined, openAi],
    ["metadata", "metadata", request.metadata, openAi && stored],
  ];
  const body: JsonObject = {};
  for (const [field, name, value, known] of settings) {
    if (value === undefined) continue;
    if (known) body[name] = value;
    else noteUnsupported(request, field, writing);
  }
  return body;
}

function shortUser(user: string): string {
  return user.length <= longestUser ? user : `user_${shortHash(user)}`;
}

/** Anthropic's word for "no priority" is OpenAI's `default`. */
function serviceTier(tier: string | undefined): string | undefined {
  return tier === "standard_only" ? "default" : tier;
}

function writeOpenAiOnly(request: ModelRequest, writing: Writing): JsonObject {
  const body: JsonObject = {};
  for (const field of openAiFields) {
    const value = request.openaiOnly[field];
    if (value === undefined) continue;
    if (writing.traits.openAiFields) body[field] = value;
    else writing.quiet.add(field);
  }
  return body;
}
