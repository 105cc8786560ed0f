/** The neutral request -> a chat request, built from what chat knows and nothing else. */
import type { WrittenRequest } from "../../../core/format.ts";
import type { Target } from "../../../core/model.ts";
import { openAiFields } from "../../../core/parameters.ts";
import type { ModelRequest } from "../../../core/request.ts";
import { refuseGeminiOnly } from "../../../translation/gemini-only.ts";
import { refuseResponsesOnly } from "../../../translation/responses-only.ts";
import { isObject, type JsonObject, type JsonValue } from "../../../lib/json.ts";
import { normalize } from "../../../translation/normalize.ts";
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

/** OpenAI refuses longer ids of calls. */
const longestCallId = 40;

/** Throws M300 where leaving something out would change the meaning. */
export function writeRequest(request: ModelRequest, target: Target): WrittenRequest {
  const context = newWriteContext(request, target, {
    flatten: true,
    customAsFunction: !target.traits.customTools,
  });
  refuseResponsesOnly(request);
  refuseGeminiOnly(request);
  const body: JsonObject = {
    model: target.model,
    messages: writeMessages(normalize(request.messages, longestCallId), context),
    ...(target.stream && { stream: true }),
    ...writeLimits(context),
    ...writeParameters(context, parameterRules),
    ...writeTools(context),
    ...writeOutputShape(context),
    ...writeReasoning(context),
    ...writeOpenAiOnly(context),
  };
  if (target.stream && target.traits.streamUsage)
    body["stream_options"] = withUsage(body["stream_options"]);
  return writtenRequest(body, context);
}

function withUsage(options: JsonValue | undefined): JsonObject {
  return { ...(isObject(options) && options), include_usage: true };
}

function writeLimits(context: WriteContext): JsonObject {
  const { maxOutput, stop } = context.request;
  const { traits } = context.target;
  if (stop.length > 0 && traits.noStop) noteUnsupported("stop", context);
  return {
    ...(maxOutput !== undefined && {
      [traits.maxTokensField]: Math.max(maxOutput, traits.minOutput),
    }),
    ...(stop.length > 0 && !traits.noStop && { stop: [...stop] }),
  };
}

function writeOpenAiOnly({ request, target, quiet }: WriteContext): JsonObject {
  const asked = openAiFields.filter((field) => request.openaiOnly[field] !== undefined);
  if (target.traits.openAiFields)
    return Object.fromEntries(asked.map((field) => [field, request.openaiOnly[field]]));
  for (const field of asked) quiet.add(field);
  return {};
}
