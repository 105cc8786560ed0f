/** A Messages request -> the neutral request. */
import type { ModelRequest, RequestPaths } from "../../../core/request.ts";
import { asArray, asNumber, asString, isObject, type JsonObject } from "../../../lib/json.ts";
import { parameterMembers } from "../../../translation/parameters.ts";
import { readParameters } from "../../../translation/read-parameters.ts";
import { checkCountRequest } from "./check.ts";
import { newReadContext, noteUnknown, type RequestReadContext } from "./read-context.ts";
import { readMessages } from "./read-messages.ts";
import { readOutputShape } from "./read-output-shape.ts";
import { readReasoning } from "./read-reasoning.ts";
import { readToolChoice } from "./read-tool-choice.ts";
import { readTools } from "./read-tools.ts";
import { safeguardsMember } from "./safeguards.ts";

const bodyKeys: ReadonlySet<string> = new Set([
  ...parameterMembers("messages"),
  "model",
  "stream",
  "messages",
  "system",
  "max_tokens",
  "tools",
  "tool_choice",
  "stop_sequences",
  "thinking",
  "output_config",
  "output_format",
  // Answered here, and told to nobody else.
  safeguardsMember,
]);

/** Known members of the objects at the top level. */
const innerKeys: Readonly<Record<string, ReadonlySet<string>>> = {
  metadata: new Set(parameterMembers("messages", "metadata")),
  output_config: new Set(["effort", "format"]),
};

/**
 * Throws M300 for what is not a Messages request. A missing `max_tokens` is no reason: requests that only want
 * their tokens counted have none, and `checkRequest` has refused all others.
 */
export function readRequest(body: JsonObject): ModelRequest {
  checkCountRequest(body);
  const context = newReadContext();
  noteUnknownSettings(body, context);
  const { messages, effort } = readMessages(body, context);
  const tools = readTools(body["tools"], context);
  const parameters = readParameters(body, "messages");
  const limit = asNumber(body["max_tokens"]);
  return {
    format: "messages",
    model: asString(body["model"]) ?? "",
    stream: body["stream"] === true,
    wantsUsage: true,
    messages,
    tools,
    ...readToolChoice(body["tool_choice"], tools, context),
    ...(limit !== undefined && { maxOutput: limit }),
    stop: asArray(body["stop_sequences"]).filter((text) => typeof text === "string"),
    sampling: parameters.sampling,
    ...parameters.settings,
    // In other formats the tier without priority is called `default`.
    ...(parameters.settings.serviceTier === "standard_only" && { serviceTier: "default" }),
    ...readReasoning(body, effort, context),
    ...readOutputShape(body, context),
    unsupported: [...context.unsupported],
    paths: { ...readPaths(body), ...parameters.paths },
    openaiOnly: {},
  };
}

function noteUnknownSettings(body: JsonObject, context: RequestReadContext): void {
  noteUnknown(body, { path: "", known: bodyKeys }, context);
  for (const [path, known] of Object.entries(innerKeys)) {
    const inner = body[path];
    if (isObject(inner)) noteUnknown(inner, { path, known }, context);
  }
}

function readPaths(body: JsonObject): RequestPaths {
  const config = isObject(body["output_config"]) ? body["output_config"] : {};
  const thinking = isObject(body["thinking"]) ? body["thinking"] : {};
  return {
    choice: "tool_choice",
    parallelTools: "tool_choice.disable_parallel_tool_use",
    maxOutput: "max_tokens",
    stop: "stop_sequences",
    output: isObject(config["format"]) ? "output_config.format" : "output_format",
    reasoning: config["effort"] === undefined ? "thinking" : "output_config.effort",
    ...(typeof thinking["display"] === "string" && { reasoningSummary: "thinking.display" }),
  };
}
