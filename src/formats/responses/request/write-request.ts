/** `Turn` -> a Responses request, from an allow-list. */
import type { WrittenRequest } from "../../../core/format.ts";
import type { Target } from "../../../core/model.ts";
import { budgetToEffort, nearestEffort } from "../../../translation/effort.ts";
import { invalid } from "../../../core/problem.ts";
import { toolNames } from "../../../translation/tool-names.ts";
import type { OpenAiField, ModelRequest } from "../../../core/request.ts";
import { noteUnknownMembers } from "../../../translation/unsupported.ts";
import { asObject, type JsonObject } from "../../../lib/json.ts";
import { writeInput } from "./write-messages.ts";
import { writeTools } from "./write-tools.ts";
import { noteUnsupported, type WriteContext } from "../../../translation/write-context.ts";

/** Throws `Problem` M300 where leaving something out would change the meaning. */
export function writeRequest(request: ModelRequest, target: Target): WrittenRequest {
  const { traits } = target;
  const names = toolNames(request, {
    maxLength: traits.toolNameLength,
    flatten: !traits.namespaces,
    customAsFunction: !traits.customTools,
  });
  const context: WriteContext = { request, target, names, dropped: new Set(request.unsupported) };
  const quiet = new Set<string>();
  const body: JsonObject = {
    model: target.model,
    ...writeInput(context),
    stream: target.stream,
    store: request.store ?? false,
    ...writeTools(context),
    ...writeLimit(request, target),
    ...writeSampling(context),
    ...writeReasoning(context),
    ...writeText(context),
    ...writeLabels(context),
    ...writeOpenAi(quiet, context),
  };
  if (request.previousResponseId !== undefined)
    body["previous_response_id"] = request.previousResponseId;
  return { body, dropped: [...context.dropped], quiet: [...quiet], names };
}

function writeLimit(request: ModelRequest, target: Target): JsonObject {
  if (request.maxOutput === undefined) return {};
  return { max_output_tokens: Math.max(request.maxOutput, target.traits.minOutput) };
}

function writeSampling(context: WriteContext): JsonObject {
  const { request, target } = context;
  const { temperature, topP, n } = request.sampling;
  if (n !== undefined && n > 1)
    throw invalid(request.paths.n ?? "n", "this model's provider gives one answer only");
  for (const field of [
    "topK",
    "frequencyPenalty",
    "presencePenalty",
    "seed",
    "logitBias",
    "logprobs",
    "topLogprobs",
  ] as const)
    if (request.sampling[field] !== undefined && request.sampling[field] !== false)
      noteUnsupported(field, context);
  if (request.stop.length > 0) noteUnsupported("stop", context);
  if (target.traits.sampling === "none") {
    if (temperature !== undefined) noteUnsupported("temperature", context);
    if (topP !== undefined) noteUnsupported("topP", context);
    return {};
  }
  return {
    ...(temperature !== undefined && {
      temperature: Math.min(Math.max(temperature, 0), target.traits.maxTemperature),
    }),
    ...(topP !== undefined && { top_p: topP }),
  };
}

/** Reasoning is asked back encrypted, since nothing is stored at the provider. */
function writeReasoning(context: WriteContext): JsonObject {
  const { request, target } = context;
  if (target.traits.reasoning === "none") {
    if (request.reasoning) {
      noteUnsupported("reasoning", context);
      noteUnsupported("reasoningSummary", context);
    }
    return {};
  }
  const effort = effortOf(request, target);
  if (effort === undefined && wantsEffort(request)) noteUnsupported("reasoning", context);
  const summary = summaryOf(request);
  return {
    ...((effort !== undefined || summary !== undefined) && {
      reasoning: {
        ...(effort !== undefined && { effort }),
        ...(summary !== undefined && { summary }),
      },
    }),
    include: ["reasoning.encrypted_content"],
  };
}

function wantsEffort({ reasoning }: ModelRequest): boolean {
  return (
    reasoning?.effort !== undefined ||
    reasoning?.budget !== undefined ||
    reasoning?.mode !== undefined
  );
}

function effortOf(request: ModelRequest, target: Target): string | undefined {
  const { reasoning } = request;
  if (!reasoning) return undefined;
  const word = effortWord(reasoning);
  return word === undefined ? undefined : nearestEffort(word, target.traits.efforts);
}

function effortWord(reasoning: NonNullable<ModelRequest["reasoning"]>): string | undefined {
  if (reasoning.mode === "off") return "none";
  if (reasoning.effort !== undefined) return reasoning.effort;
  if (reasoning.budget !== undefined) return budgetToEffort(reasoning.budget);
  return reasoning.mode === "adaptive" ? "high" : undefined;
}

const summaries = new Set(["auto", "concise", "detailed"]);
const hiding = new Set(["omitted", "hidden", "none"]);

/** A client that turned thinking on wants to see it, unless it said otherwise. */
function summaryOf({ reasoning }: ModelRequest): string | undefined {
  if (!reasoning || reasoning.mode === "off") return undefined;
  const { summary, mode } = reasoning;
  if (summary === undefined) return mode === undefined ? undefined : "auto";
  if (hiding.has(summary)) return undefined;
  return summaries.has(summary) ? summary : "auto";
}

function writeText(context: WriteContext): JsonObject {
  const { request, target } = context;
  const format = formatOf(target.traits.schemaOutput, context);
  const text = {
    ...(format && { format }),
    ...(request.verbosity !== undefined && { verbosity: request.verbosity }),
  };
  return Object.keys(text).length > 0 ? { text } : {};
}

function formatOf(schemas: boolean, context: WriteContext): JsonObject | undefined {
  const { output, format } = context.request;
  if (!output) return undefined;
  if (output.type === "json") return { type: "json_object" };
  if (!schemas) {
    noteUnsupported("output", context);
    return { type: "json_object" };
  }
  // Messages knows no unstrict schemas.
  const strict = output.strict ?? (format === "messages" ? true : undefined);
  return {
    type: "json_schema",
    name: schemaName(output.name),
    schema: output.schema,
    ...(strict !== undefined && { strict }),
    ...(output.description !== undefined && { description: output.description }),
  };
}

function schemaName(name: string | undefined): string {
  const clean = (name ?? "").replace(/[^A-Za-z0-9_-]/gu, "_").slice(0, 64);
  return clean === "" ? "response" : clean;
}

/** Longest end-user id that the service takes. */
const longestUser = 64;

function writeLabels(context: WriteContext): JsonObject {
  const { request, target } = context;
  const fits = request.user !== undefined && request.user.length <= longestUser;
  if (request.user !== undefined && !fits) noteUnsupported("user", context);
  if (!target.traits.cacheKey) {
    if (request.cacheKey !== undefined) noteUnsupported("cacheKey", context);
    if (request.cacheRetention !== undefined) noteUnsupported("cacheRetention", context);
  }
  const { cacheKey, cacheRetention } = target.traits.cacheKey ? request : {};
  return {
    ...(request.metadata && { metadata: request.metadata }),
    ...(fits && { user: request.user }),
    ...(request.serviceTier !== undefined && { service_tier: tierOf(request.serviceTier) }),
    ...(cacheKey !== undefined && { prompt_cache_key: cacheKey }),
    ...(cacheRetention !== undefined && { prompt_cache_retention: cacheRetention }),
  };
}

/** Messages says `standard_only` for no priority capacity. */
function tierOf(tier: string): string {
  return tier === "standard_only" ? "default" : tier;
}

const optionMembers = new Set(["include_usage", "include_obfuscation"]);

/** Of the five OpenAI-only fields Responses has one, and of that one member; effort is said by `reasoning`. */
function writeOpenAi(quiet: Set<string>, context: WriteContext): JsonObject {
  const { request, target } = context;
  for (const name of Object.keys(request.openaiOnly)) {
    // Object.keys gives the record's own names.
    if (!isSaid(name as OpenAiField, target)) quiet.add(name);
  }
  const options = asObject(request.openaiOnly.stream_options);
  const obfuscation = options?.["include_obfuscation"];
  if (isSaid("stream_options", target))
    noteUnknownMembers(options, optionMembers, { path: "stream_options", unsupported: quiet });
  const sent = target.traits.openAiFields && target.stream && typeof obfuscation === "boolean";
  return sent ? { stream_options: { include_obfuscation: obfuscation } } : {};
}

function isSaid(name: OpenAiField, target: Target): boolean {
  switch (name) {
    case "reasoning_effort":
      return target.traits.reasoning !== "none";
    case "stream_options":
      // Usage, which chat clients ask for by it, stands in every answer.
      return target.traits.openAiFields;
    case "modalities":
    case "audio":
    case "prediction":
      return false;
    default:
      return name satisfies never;
  }
}
