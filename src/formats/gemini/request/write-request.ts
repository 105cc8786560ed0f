/** A request for Gemini's generateContent, built from an allow-list. */
import type { WrittenRequest } from "../../../core/format.ts";
import type { Target } from "../../../core/model.ts";
import { openAiFields } from "../../../core/parameters.ts";
import type { ModelRequest } from "../../../core/request.ts";
import { refuseResponsesOnly } from "../../../translation/responses-only.ts";
import { asObject, type JsonObject } from "../../../lib/json.ts";
import {
  newWriteContext,
  noteUnsupported,
  writtenRequest,
  type WriteContext,
} from "../../../translation/write-context.ts";
import { writeParameters } from "../../../translation/write-parameters.ts";
import { parameterRules } from "./parameters.ts";
import { writeMessages } from "./write-messages.ts";
import { writeOutputShape } from "./write-output-shape.ts";
import { writeReasoning } from "./write-reasoning.ts";
import { writeTools } from "./write-tools.ts";

const mostStops = 5;

/** Throws M300 where leaving something out would change the meaning. */
export function writeRequest(request: ModelRequest, target: Target): WrittenRequest {
  const context = newWriteContext(request, target, {
    flatten: true,
    customAsFunction: true,
    start: "letter",
  });
  refuseResponsesOnly(request);
  const { instructions, contents } = writeMessages(context);
  const tools = writeTools(context);
  const hasFunctions = tools.tools?.some((tool) => "functionDeclarations" in tool) === true;
  const shape = writeOutputShape(hasFunctions, context);
  const system = [...instructions, ...(shape.instruction === undefined ? [] : [shape.instruction])];
  const { generationConfig, ...settings } = writeParameters(context, parameterRules);
  const config = {
    ...writeLimit(context),
    ...asObject(generationConfig),
    ...writeImpliedLogprobs(context),
    ...writeStop(context),
    ...shape.config,
    ...writeReasoning(context),
  };
  noteOpenAiOnly(context);
  const body: JsonObject = {
    ...(system.length > 0 && { systemInstruction: { parts: system.map((text) => ({ text })) } }),
    contents,
    ...tools,
    ...(Object.keys(config).length > 0 && { generationConfig: config }),
    ...settings,
  };
  return writtenRequest(body, context);
}

function writeLimit({ request, target }: WriteContext): JsonObject {
  if (request.maxOutput === undefined) return {};
  const least = Math.max(request.maxOutput, target.traits.minOutput);
  return { maxOutputTokens: Math.min(least, target.maxOutput ?? Infinity) };
}

/** Gemini wants the flag beside the number of alternatives, which may stand alone elsewhere. */
function writeImpliedLogprobs({ request, target }: WriteContext): JsonObject {
  const { logprobs, topLogprobs } = request.sampling;
  const implied = topLogprobs !== undefined && logprobs === undefined;
  return implied && target.traits.extraSampling.includes("logprobs")
    ? { responseLogprobs: true }
    : {};
}

function writeStop(context: WriteContext): JsonObject {
  const texts = context.request.stop.filter((text) => text !== "");
  if (texts.length === 0) return {};
  const { noStop } = context.target.traits;
  if (noStop || texts.length > mostStops) noteUnsupported("stop", context);
  return noStop ? {} : { stopSequences: texts.slice(0, mostStops) };
}

/** The effort is reported with the reasoning. */
function noteOpenAiOnly({ request, quiet }: WriteContext): void {
  for (const field of openAiFields)
    if (field !== "reasoning_effort" && request.openaiOnly[field] !== undefined) quiet.add(field);
}
