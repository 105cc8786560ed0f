/** The neutral request -> a Messages request, built from what Messages knows and nothing else. */
import type { WrittenRequest } from "../../../core/format.ts";
import type { Target } from "../../../core/model.ts";
import { openAiFields } from "../../../core/parameters.ts";
import type { ModelRequest } from "../../../core/request.ts";
import { refuseGeminiOnly } from "../../../translation/gemini-only.ts";
import { refuseResponsesOnly } from "../../../translation/responses-only.ts";
import type { JsonObject } from "../../../lib/json.ts";
import { normalize } from "../../../translation/normalize.ts";
import {
  newWriteContext,
  noteUnsupported,
  writtenRequest,
  type WriteContext,
} from "../../../translation/write-context.ts";
import { writeParameters } from "../../../translation/write-parameters.ts";
import { parameterRules } from "./parameters.ts";
import {
  limitCacheMarks,
  writeCacheMarks,
  type MessagesWriteContext,
} from "./write-cache-marks.ts";
import { writeMessages } from "./write-messages.ts";
import { writeOutputShape } from "./write-output-shape.ts";
import { writeReasoning } from "./write-reasoning.ts";
import { writeTools } from "./write-tools.ts";

/** For models whose own limit is unknown: room for an agent's longest file, within what current models allow. */
const usualOutput = 32_000;

/** Throws M300 where leaving something out would change the meaning. */
export function writeRequest(request: ModelRequest, target: Target): WrittenRequest {
  refuseResponsesOnly(request);
  refuseGeminiOnly(request);
  const rules = { flatten: true, customAsFunction: true };
  const context: MessagesWriteContext = {
    ...newWriteContext(request, target, rules),
    cacheMarks: [],
  };
  const limit = outputLimit(request, target);
  const tools = writeTools(context);
  const { system, messages } = writeMessages(normalize(request.messages), context);
  const { thinking, effort } = writeReasoning({ limit, messages, forced: tools.forced }, context);
  const thinks = thinking !== undefined && thinking["type"] !== "disabled";
  const { format, instruction } = writeOutputShape(context);
  if (instruction !== undefined) system.push({ type: "text", text: instruction });
  const config = { ...(effort !== undefined && { effort }), ...(format && { format }) };
  const body: JsonObject = {
    model: target.model,
    max_tokens: limit,
    ...(system.length > 0 && { system }),
    messages: messages.map(({ role, content }) => ({ role, content })),
    ...(target.stream && { stream: true }),
    ...tools.body,
    ...(thinking && { thinking }),
    ...(Object.keys(config).length > 0 && { output_config: config }),
    ...writeParameters(context, parameterRules(thinks)),
    ...writeStop(context),
    ...writeCacheMarks({ system, messages }, context),
  };
  limitCacheMarks(context);
  noteOpenAiOnly(thinking !== undefined || effort !== undefined, context);
  return writtenRequest(body, context);
}

/** Messages demands a limit. */
function outputLimit(request: ModelRequest, target: Target): number {
  const most = target.maxOutput ?? Infinity;
  const window = target.contextWindow ?? Infinity;
  const usual = target.maxOutput ?? Math.min(usualOutput, Math.floor(window / 2));
  return Math.max(1, target.traits.minOutput, Math.min(request.maxOutput ?? usual, most));
}

/** The provider refuses stop sequences without a visible character. */
function writeStop(context: WriteContext): JsonObject {
  const { stop } = context.request;
  const { noStop } = context.target.traits;
  const visible = stop.filter((text) => /\S/.test(text));
  if (stop.length > 0 && (noStop || visible.length < stop.length)) noteUnsupported("stop", context);
  return visible.length > 0 && !noStop ? { stop_sequences: visible } : {};
}

/** `reasons`: the effort was sent in the form that Messages has for it. */
function noteOpenAiOnly(reasons: boolean, { request, quiet }: WriteContext): void {
  for (const field of openAiFields) {
    if (request.openaiOnly[field] === undefined) continue;
    if (field !== "reasoning_effort" || !reasons) quiet.add(field);
  }
}
