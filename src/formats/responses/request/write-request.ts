/** The neutral request -> a Responses request, from an allow-list. */
import type { WrittenRequest } from "../../../core/format.ts";
import type { Target } from "../../../core/model.ts";
import type { ModelRequest } from "../../../core/request.ts";
import { asObject, type JsonObject } from "../../../lib/json.ts";
import { refuseGeminiOnly } from "../../../translation/gemini-only.ts";
import {
  newWriteContext,
  noteUnsupported,
  writtenRequest,
} from "../../../translation/write-context.ts";
import { writeParameters } from "../../../translation/write-parameters.ts";
import { parameterRules } from "./parameters.ts";
import { writeInclude } from "./write-include.ts";
import { writeMessages } from "./write-messages.ts";
import { writeOpenAiFields } from "./write-openai-fields.ts";
import { writeOutputShape } from "./write-output-shape.ts";
import { writeReasoning } from "./write-reasoning.ts";
import { writeTools } from "./write-tools.ts";

/** Throws M300 where leaving something out would change the meaning. */
export function writeRequest(request: ModelRequest, target: Target): WrittenRequest {
  const context = newWriteContext(request, target, {
    flatten: !target.traits.namespaces,
    customAsFunction: !target.traits.customTools,
  });
  refuseGeminiOnly(request);
  const { text, ...settings } = writeParameters(context, parameterRules);
  const format = writeOutputShape(context);
  if (request.stop.length > 0) noteUnsupported("stop", context);
  const { previousResponseId } = request;
  const body: JsonObject = {
    model: target.model,
    ...writeMessages(context),
    stream: target.stream,
    // Nothing is stored unless the client asks for it.
    store: false,
    ...settings,
    ...writeTools(context),
    ...writeLimit(request, target),
    ...writeReasoning(context),
    ...writeInclude(context),
    ...((text !== undefined || format) && {
      text: { ...(format && { format }), ...asObject(text) },
    }),
    ...writeOpenAiFields(context),
    ...(previousResponseId !== undefined && { previous_response_id: previousResponseId }),
  };
  return writtenRequest(body, context);
}

function writeLimit({ maxOutput }: ModelRequest, { traits }: Target): JsonObject {
  return maxOutput === undefined
    ? {}
    : { max_output_tokens: Math.max(maxOutput, traits.minOutput) };
}
