/** Saved parameters in the neutral request, for attempts that are translated. */
import type { SavedParameters } from "../core/format.ts";
import { parameterRows } from "../core/parameters.ts";
import { openAiFields, type OpenAiField } from "../core/parameters.ts";
import { type ModelRequest, type OutputShape, type ToolChoice } from "../core/request.ts";
import { asNumber, asString, isObject, type JsonObject, type JsonValue } from "../lib/json.ts";
import { asParameter, withParameter } from "./parameters.ts";

/** The request with the harness's saved parameters, saved over the client's; values of the wrong type are left out. */
export function applyParameters(request: ModelRequest, saved: SavedParameters): ModelRequest {
  return Object.keys(saved).reduce((current, name) => {
    const value = saved[name];
    return value === undefined ? current : applyOne(current, name, value);
  }, request);
}

function applyOne(request: ModelRequest, name: string, value: JsonValue): ModelRequest {
  const apply = Object.hasOwn(compound, name) ? compound[name] : undefined;
  if (apply) return apply(request, value);
  const row = parameterRows.find(({ saved }) => saved === name);
  if (row) {
    const read = asParameter(value, row.type);
    return read === undefined ? request : withParameter(request, row, read);
  }
  return isOpenAiField(name)
    ? { ...request, openaiOnly: { ...request.openaiOnly, [name]: value } }
    : request;
}

function isOpenAiField(name: string): name is OpenAiField {
  return openAiFields.some((field) => field === name);
}

type Apply = (request: ModelRequest, value: JsonValue) => ModelRequest;

/** Parameters that are more than one value. */
const compound: Readonly<Record<string, Apply>> = {
  max_tokens: applyLimit,
  max_completion_tokens: applyLimit,
  stop: (request, value) => {
    const list = typeof value === "string" ? [value] : Array.isArray(value) ? value : [];
    return { ...request, stop: list.filter((text) => typeof text === "string") };
  },
  reasoning_effort: applyEffort,
  parallel_tool_calls: (request, value) =>
    typeof value === "boolean" ? { ...request, parallelTools: value } : request,
  response_format: (request, value) => {
    if (!isObject(value)) return request;
    const { output: _, ...rest } = request;
    const output = readShape(value);
    return output === undefined ? rest : { ...rest, output };
  },
  tool_choice: (request, value) => {
    const choice = readChoice(value);
    return choice !== undefined && request.tools.length > 0 ? { ...request, choice } : request;
  },
};

function applyLimit(request: ModelRequest, value: JsonValue): ModelRequest {
  const maxOutput = asNumber(value);
  return maxOutput === undefined ? request : { ...request, maxOutput };
}

function applyEffort(request: ModelRequest, value: JsonValue): ModelRequest {
  const effort = asString(value);
  if (effort === undefined) return request;
  const { openaiOnly } = request;
  const summary = request.reasoning?.summary;
  const asked = openaiOnly.reasoning_effort !== undefined;
  return {
    ...request,
    reasoning: {
      effort,
      ...(effort === "none" && { mode: "off" }),
      ...(summary !== undefined && { summary }),
    },
    ...(asked && { openaiOnly: { ...openaiOnly, reasoning_effort: effort } }),
  };
}

function readShape(value: JsonObject): OutputShape | undefined {
  if (value["type"] === "json_object") return { type: "json" };
  const spec = value["json_schema"];
  if (value["type"] !== "json_schema" || !isObject(spec) || !isObject(spec["schema"]))
    return undefined;
  const name = asString(spec["name"]);
  const description = asString(spec["description"]);
  return {
    type: "schema",
    schema: spec["schema"],
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(typeof spec["strict"] === "boolean" && { strict: spec["strict"] }),
  };
}

function readChoice(value: JsonValue): ToolChoice | undefined {
  if (value === "auto" || value === "none" || value === "required") return { type: value };
  const tool = isObject(value) ? value["function"] : undefined;
  const name = isObject(tool) ? asString(tool["name"]) : undefined;
  return name === undefined ? undefined : { type: "tool", name };
}
