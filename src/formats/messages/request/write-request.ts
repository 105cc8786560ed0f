/** A neutral turn as a Messages request, built from what this dialect knows and nothing else. */
import type { JsonObject } from "../../../lib/json.ts";
import type { WrittenRequest } from "../../../core/format.ts";
import { normalize } from "../../../translation/normalize.ts";
import type { Target } from "../../../core/model.ts";
import { invalid } from "../../../core/problem.ts";
import { toolNames } from "../../../translation/tool-names.ts";
import {
  openAiFields,
  refuseResponsesOnly,
  type Sampling,
  type ModelRequest,
  type RequestField,
} from "../../../core/request.ts";
import { outputSchema } from "./write-schema.ts";
import { writeMessages } from "./write-messages.ts";
import { writeReasoning } from "./write-reasoning.ts";
import { writeTools } from "./write-tools.ts";
import { dropField, settleMarks, type WriteContext } from "./write-context.ts";

/** For models whose own limit is unknown: room for an agent's longest file, within what current models allow. */
const usualOutput = 32_000;

const jsonInstruction =
  "Answer with one JSON object and nothing else: no code fence, no words before or after it.";

export function writeRequest(request: ModelRequest, target: Target): WrittenRequest {
  refuseUnsayable(request);
  const names = toolNames(request, {
    maxLength: target.traits.toolNameLength,
    flatten: true,
    customAsFunction: true,
  });
  const context: WriteContext = {
    request,
    target,
    names,
    dropped: new Set(request.unsupported),
    quiet: new Set(),
    marks: [],
  };
  const limit = outputLimit(request, target);
  const tools = writeTools(context);
  const { system, messages } = writeMessages(normalize(request.messages), context);
  const { thinking, effort } = writeReasoning({ limit, messages, forced: tools.forced }, context);
  const output = writeOutput(context);
  if (output.instruction !== undefined) system.push({ type: "text", text: output.instruction });
  const config = { ...(effort !== undefined && { effort }), ...output.format };
  const body: JsonObject = {
    model: target.model,
    max_tokens: limit,
    ...(system.length > 0 && { system }),
    messages: messages.map(({ role, content }) => ({ role, content })),
    ...(target.stream && { stream: true }),
    ...tools.body,
    ...(thinking && { thinking }),
    ...(Object.keys(config).length > 0 && { output_config: config }),
    ...writeSampling(thinking !== undefined && thinking["type"] !== "disabled", context),
    ...writeSettings(context),
  };
  settleMarks(context);
  noteOpenAiOnly(thinking !== undefined || effort !== undefined, context);
  return { body, dropped: [...context.dropped], quiet: [...context.quiet], names };
}

/** Fields that this dialect cannot say and that must not be lost in silence. */
function refuseUnsayable(request: ModelRequest): void {
  refuseResponsesOnly(request);
  if ((request.sampling.n ?? 1) > 1)
    throw invalid(request.paths.n ?? "n", "this provider gives one answer to a request");
}

function outputLimit(request: ModelRequest, target: Target): number {
  const most = target.maxOutput ?? Infinity;
  const window = target.contextWindow ?? Infinity;
  const usual = target.maxOutput ?? Math.min(usualOutput, Math.floor(window / 2));
  return Math.max(1, target.traits.minOutput, Math.min(request.maxOutput ?? usual, most));
}

function writeOutput(context: WriteContext): { format?: JsonObject; instruction?: string } {
  const { request, target } = context;
  const { output } = request;
  if (!output) return {};
  if (output.type === "json") return { instruction: jsonInstruction };
  // Answers follow a schema strictly here; a looser wish has no words.
  if (output.strict === false) noteUnsupported("outputStrict", context);
  if (!target.traits.schemaOutput) {
    const schema = JSON.stringify(output.schema);
    return { instruction: `${jsonInstruction} It must match this JSON schema:\n${schema}` };
  }
  const schema = outputSchema(output.schema, output.description);
  return { format: { format: { type: "json_schema", schema } } };
}

/** Thinking and the newest models exclude sampling; `top_p` near 1 is taken beside thinking. */
function writeSampling(thinks: boolean, context: WriteContext): JsonObject {
  const { request, target } = context;
  const { temperature, topP, topK, ...others } = request.sampling;
  const { sampling, maxTemperature, extraSampling } = target.traits;
  const free = sampling === "all" && !thinks;
  const body: JsonObject = {};
  if (temperature !== undefined) {
    if (free) body["temperature"] = Math.min(temperature, maxTemperature);
    else noteUnsupported("temperature", context);
  }
  if (topP !== undefined) {
    if (sampling === "all" && (!thinks || topP >= 0.95)) body["top_p"] = topP;
    else noteUnsupported("topP", context);
  }
  if (topK !== undefined) {
    if (free && extraSampling.includes("topK")) body["top_k"] = topK;
    else noteUnsupported("topK", context);
  }
  // The members of `others` are the fields of Sampling that are left.
  for (const field of Object.keys(others) as (keyof Sampling)[]) noteUnsupported(field, context);
  return body;
}

function writeSettings(context: WriteContext): JsonObject {
  const { request, target } = context;
  const stops = request.stop.filter((word) => /\S/.test(word));
  if (request.stop.length > 0 && (target.traits.noStop || stops.length < request.stop.length))
    noteUnsupported("stop", context);
  const tier = request.serviceTier === undefined ? undefined : serviceTier(request.serviceTier);
  if (request.serviceTier !== undefined && tier === undefined) noteUnsupported("serviceTier", context);
  const unknown: RequestField[] = ["verbosity", "cacheKey", "cacheRetention", "metadata", "store"];
  // Every one of these names is a member of Turn as well as of TurnField.
  for (const field of unknown)
    if (request[field as keyof ModelRequest] !== undefined) noteUnsupported(field, context);
  return {
    ...(stops.length > 0 && !target.traits.noStop && { stop_sequences: stops }),
    ...(request.user !== undefined && { metadata: { user_id: request.user } }),
    ...(tier !== undefined && { service_tier: tier }),
  };
}

function serviceTier(tier: string): string | undefined {
  if (tier === "auto") return "auto";
  return tier === "default" || tier === "standard_only" ? "standard_only" : undefined;
}

function noteOpenAiOnly(reasons: boolean, context: WriteContext): void {
  for (const field of openAiFields) {
    if (context.request.openaiOnly[field] === undefined) continue;
    if (field !== "reasoning_effort" || !reasons) context.quiet.add(field);
  }
}
