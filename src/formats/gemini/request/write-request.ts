/** A request for Gemini's generateContent, built from an allow-list. */
import type { WrittenRequest } from "../../../core/format.ts";
import type { Target } from "../../../core/model.ts";
import { invalid } from "../../../core/problem.ts";
import { toolNames } from "../../../translation/tool-names.ts";
import { openAiFields, type ModelRequest, type RequestField } from "../../../core/request.ts";
import type { JsonObject } from "../../../lib/json.ts";
import { writeConfig } from "./write-settings.ts";
import { writeContents } from "./write-messages.ts";
import { writeTools } from "./write-tools.ts";
import { dropField, type Writing } from "./write-context.ts";

/** Neutral fields that this dialect never has words for. */
const unsayable = [
  "verbosity",
  "cacheKey",
  "cacheRetention",
  "user",
  "metadata",
  "store",
] as const satisfies readonly (RequestField & keyof ModelRequest)[];

const serviceTiers: Record<string, string> = {
  flex: "flex",
  priority: "priority",
  default: "standard",
  standard: "standard",
  standard_only: "standard",
};

export function writeRequest(request: ModelRequest, target: Target): WrittenRequest {
  const names = toolNames(request, {
    maxLength: target.traits.toolNameLength,
    flatten: true,
    customAsFunction: true,
    start: "letter",
  });
  const writing: Writing = {
    request,
    target,
    names,
    dropped: new Set(request.unsupported),
    quiet: new Set(),
  };
  if (request.previousResponseId !== undefined) {
    throw invalid(
      request.paths.previousResponseId ?? "previous_response_id",
      "this provider keeps no conversations; send the full input",
    );
  }
  for (const path of request.responsesOnly ?? []) {
    throw invalid(path, "only a provider of the Responses API can honour it");
  }
  const { instructions, contents } = writeContents(writing);
  const tools = writeTools(writing);
  const { config, instruction } = writeConfig(
    writing,
    tools.tools?.some((tool) => "functionDeclarations" in tool) === true,
  );
  const system = instruction === undefined ? instructions : [...instructions, instruction];
  for (const field of unsayable) if (request[field] !== undefined) dropField(writing, field);
  for (const field of openAiFields) {
    if (field !== "reasoning_effort" && request.openaiOnly[field] !== undefined)
      writing.quiet.add(field);
  }
  const body: JsonObject = {
    ...(system.length > 0 && { systemInstruction: { parts: system.map((text) => ({ text })) } }),
    contents,
    ...tools,
    ...(Object.keys(config).length > 0 && { generationConfig: config }),
    ...tier(writing),
  };
  return { body, dropped: [...writing.dropped], quiet: [...writing.quiet], names };
}

function tier(writing: Writing): JsonObject {
  const wanted = writing.request.serviceTier;
  if (wanted === undefined || wanted === "auto") return {};
  const serviceTier = Object.hasOwn(serviceTiers, wanted) ? serviceTiers[wanted] : undefined;
  if (serviceTier === undefined) dropField(writing, "serviceTier");
  return serviceTier === undefined ? {} : { serviceTier };
}
