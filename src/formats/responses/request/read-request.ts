/** A Responses request -> the neutral request. */
import type { ParameterRow, ParameterValue } from "../../../core/parameters.ts";
import { invalid } from "../../../core/problem.ts";
import type { ModelRequest, RequestPaths } from "../../../core/request.ts";
import {
  asArray,
  asNumber,
  asObject,
  asString,
  type JsonObject,
  type JsonValue,
} from "../../../lib/json.ts";
import { droppedPaths } from "../../../translation/dropped-paths.ts";
import { asParameter, parameterMembers } from "../../../translation/parameters.ts";
import { readParameters, type ReadParameters } from "../../../translation/read-parameters.ts";
import { isSet, noteUnknownMembers } from "../../../translation/unsupported.ts";
import { offeredClientTools } from "../shared/client-tools.ts";
import { checkRequest } from "./check.ts";
import { newConversation } from "./conversation.ts";
import { topLevel } from "./position.ts";
import { readInstructions, readMessages } from "./read-messages.ts";
import { readOutputShape } from "./read-output-shape.ts";
import { readReasoning } from "./read-reasoning.ts";
import { readToolChoice } from "./read-tool-choice.ts";
import { mergeTools, readTools } from "./read-tools.ts";

/** Throws M300 for what cannot be understood; what has no neutral form is listed in `unsupported`. */
export function readRequest(body: JsonObject): ModelRequest {
  checkRequest(body);
  const unsupported = droppedPaths();
  const clientTools = offeredClientTools(body);
  const conversation = newConversation(clientTools);
  readInstructions(body["instructions"], topLevel("instructions", unsupported), conversation);
  readMessages(body["input"], topLevel("input", unsupported), conversation);
  const declared = readTools(body["tools"], topLevel("tools", unsupported), { clientTools });
  const parameters = readParameters(body, "responses", strictNumbers);
  const { reasoning, paths } = readReasoning(body, unsupported);
  const limits = readLimits(body, clientTools, unsupported);
  const continuation = readContinuation(body);
  noteUnsupportedSettings(body, parameters, unsupported);
  const logprobs = asArray(body["include"]).includes(logprobsEntry);
  return {
    format: "responses",
    model: asString(body["model"]) ?? "",
    stream: body["stream"] === true,
    wantsUsage: true,
    messages: conversation.messages,
    tools: mergeTools(declared, conversation.tools),
    stop: [],
    sampling: { ...parameters.sampling, ...(logprobs && { logprobs }) },
    ...parameters.settings,
    ...limits,
    ...(reasoning && { reasoning }),
    ...continuation,
    unsupported: [...unsupported],
    paths: {
      ...parameters.paths,
      ...paths,
      ...pathsOf({ ...limits, ...continuation }),
      ...(logprobs && { logprobs: "include" }),
    },
    openaiOnly: isSet(body["stream_options"])
      ? { stream_options: body["stream_options"] ?? null }
      : {},
  };
}

/** Numbers that are none are refused, as the service does. */
function strictNumbers(
  value: JsonValue | undefined,
  { type }: ParameterRow,
  path: string,
): ParameterValue | undefined {
  return type === "number" ? numberOf(value, path) : asParameter(value, type);
}

function numberOf(value: JsonValue | undefined, path: string): number | undefined {
  if (value === undefined || value === null) return undefined;
  const number = asNumber(value);
  if (number === undefined) throw invalid(path, "must be a number");
  return number;
}

type Limits = Pick<ModelRequest, "maxOutput" | "parallelTools" | "choice" | "output">;

function readLimits(
  body: JsonObject,
  clientTools: ReadonlySet<string>,
  unsupported: Set<string>,
): Limits {
  const maxOutput = numberOf(body["max_output_tokens"], "max_output_tokens");
  const parallelTools = body["parallel_tool_calls"];
  const position = topLevel("tool_choice", unsupported);
  const choice = readToolChoice(body["tool_choice"], position, clientTools);
  const text = asObject(body["text"]);
  const output = text && readOutputShape(text, unsupported);
  return {
    ...(maxOutput !== undefined && { maxOutput }),
    ...(typeof parallelTools === "boolean" && { parallelTools }),
    ...(choice && { choice }),
    ...(output && { output }),
  };
}

/** What only a Responses provider can honour: it keeps what the request refers to. */
function readContinuation(
  body: JsonObject,
): Pick<ModelRequest, "previousResponseId" | "responsesOnly"> {
  const previousResponseId = asString(body["previous_response_id"]);
  const responsesOnly = ["conversation", "prompt"].filter((name) => isSet(body[name]));
  if (body["background"] === true) responsesOnly.push("background");
  return {
    ...(previousResponseId !== undefined && { previousResponseId }),
    ...(responsesOnly.length > 0 && { responsesOnly }),
  };
}

function pathsOf(read: Limits & Pick<ModelRequest, "previousResponseId">): RequestPaths {
  const { maxOutput, parallelTools, choice, output, previousResponseId } = read;
  const strict = output?.type === "schema" && output.strict !== undefined;
  return {
    ...(maxOutput !== undefined && { maxOutput: "max_output_tokens" }),
    ...(parallelTools !== undefined && { parallelTools: "parallel_tool_calls" }),
    ...(choice && { choice: "tool_choice" }),
    ...(output && { output: "text.format" }),
    ...(strict && { outputStrict: "text.format.strict" }),
    ...(previousResponseId !== undefined && { previousResponseId: "previous_response_id" }),
  };
}

/** Entry of `include` that asks for the tokens' probabilities. */
const logprobsEntry = "message.output_text.logprobs";

/** Members that are read above, whatever came of them. */
const knownMembers: ReadonlySet<string> = new Set([
  ...parameterMembers("responses"),
  "model",
  "input",
  "instructions",
  "stream",
  "stream_options",
  "tools",
  "tool_choice",
  "parallel_tool_calls",
  "max_output_tokens",
  "include",
  "text",
  "reasoning",
  "previous_response_id",
  "conversation",
  "prompt",
  "background",
]);
const textMembers = new Set(["format", ...parameterMembers("responses", "text")]);

function noteUnsupportedSettings(
  body: JsonObject,
  { ignored }: ReadParameters,
  unsupported: Set<string>,
): void {
  for (const name in body) if (!knownMembers.has(name) && isSet(body[name])) unsupported.add(name);
  for (const name of ignored) unsupported.add(name);
  noteUnknownMembers(asObject(body["text"]), textMembers, { path: "text", unsupported });
  if (asArray(body["include"]).some((entry) => entry !== logprobsEntry)) unsupported.add("include");
}
