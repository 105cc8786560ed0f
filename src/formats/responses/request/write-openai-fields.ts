/** Of the five OpenAI-only fields Responses has one, and of that one member; effort is sent as `reasoning`. */
import type { Target } from "../../../core/model.ts";
import { openAiFields, type OpenAiField } from "../../../core/parameters.ts";
import { asObject, type JsonObject } from "../../../lib/json.ts";
import { noteUnknownMembers } from "../../../translation/unsupported.ts";
import type { WriteContext } from "../../../translation/write-context.ts";

const optionMembers = new Set(["include_usage", "include_obfuscation"]);

export function writeOpenAiFields({ request, target, quiet }: WriteContext): JsonObject {
  for (const name of openAiFields)
    if (request.openaiOnly[name] !== undefined && !isSent(name, target)) quiet.add(name);
  const options = asObject(request.openaiOnly.stream_options);
  if (isSent("stream_options", target))
    noteUnknownMembers(options, optionMembers, { path: "stream_options", unsupported: quiet });
  const obfuscation = options?.["include_obfuscation"];
  const sent = target.traits.openAiFields && target.stream && typeof obfuscation === "boolean";
  return sent ? { stream_options: { include_obfuscation: obfuscation } } : {};
}

function isSent(name: OpenAiField, target: Target): boolean {
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
