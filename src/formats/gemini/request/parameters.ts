/** What Gemini makes of parameters beyond the table, and saved parameters that no other format knows. */
import type { SavedParameters } from "../../../core/format.ts";
import type { Target } from "../../../core/model.ts";
import {
  asFilledString,
  asNumber,
  asObject,
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../../lib/json.ts";
import { putInside, putMember } from "../../../translation/members.ts";
import { effortConfig } from "./write-reasoning.ts";
import { extraParameters, type ParameterWriters } from "../../../translation/saved-parameters.ts";
import type { WriteContext } from "../../../translation/write-context.ts";
import type { FittedParameter, ParameterRules } from "../../../translation/write-parameters.ts";

const mostLogprobs = 20;

const serviceTiers: Readonly<Record<string, string>> = {
  flex: "flex",
  priority: "priority",
  default: "standard",
  standard: "standard",
  standard_only: "standard",
};

export const parameterRules: ParameterRules = {
  temperature: usualUnlessFree,
  topP: usualUnlessFree,
  // One answer is what the service gives.
  n: () => "omit",
  logprobs: (value) => (value ? { send: true } : "omit"),
  topLogprobs: (value, { request }) =>
    request.sampling.logprobs !== false && value > 0
      ? { send: Math.min(value, mostLogprobs) }
      : "omit",
  serviceTier: (value) => {
    if (value === "auto") return "omit";
    const tier = Object.hasOwn(serviceTiers, value) ? serviceTiers[value] : undefined;
    return tier === undefined ? "unsupported" : { send: tier };
  },
};

/** Models that refuse sampling draw with 1 anyway. */
function usualUnlessFree(value: number, { target }: WriteContext): FittedParameter {
  return target.traits.sampling === "none" && value === 1 ? "omit" : { send: value };
}

/** Into `generationConfig`, as they stand. */
export function writeExtraParameters(body: JsonObject, parameters: SavedParameters): void {
  for (const [name, value] of extraParameters(parameters)) {
    putInside(body, ["generationConfig", name], value);
    // Gemini takes either spelling of a name, but not both at once.
    const twin = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    const config = body["generationConfig"];
    if (twin !== name && isObject(config)) delete config[twin];
  }
}

/** Saved parameters that a relayed body takes in another form than the table says. */
export const savedWriters: ParameterWriters = {
  max_tokens: writeLimit,
  max_completion_tokens: writeLimit,
  stop: (body, value) => {
    const list = (Array.isArray(value) ? value : [value]).filter((text) => asFilledString(text));
    return list.length > 0 && putInside(body, ["generationConfig", "stopSequences"], list);
  },
  reasoning_effort: writeEffort,
  service_tier: (body, value) => {
    const tier = typeof value === "string" ? value : "";
    const word = Object.hasOwn(serviceTiers, tier) ? serviceTiers[tier] : undefined;
    return word !== undefined && putMember(body, "serviceTier", word);
  },
  response_format: writeFormat,
  tool_choice: writeChoice,
};

function writeLimit(body: JsonObject, value: JsonValue): boolean {
  return (
    typeof value === "number" && putInside(body, ["generationConfig", "maxOutputTokens"], value)
  );
}

/** What the client wants to see of the thoughts stays its own wish. */
function writeEffort(body: JsonObject, value: JsonValue, target: Target): boolean {
  const limit = asNumber(asObject(body["generationConfig"])?.["maxOutputTokens"]);
  const effort = asFilledString(value);
  const written = effort === undefined ? undefined : effortConfig(effort, limit, target);
  if (!written) return false;
  const before = asObject(asObject(body["generationConfig"])?.["thinkingConfig"]);
  const shown = before?.["includeThoughts"] ?? before?.["include_thoughts"];
  return putInside(body, ["generationConfig", "thinkingConfig"], {
    ...written,
    ...(shown !== undefined && { includeThoughts: shown }),
  });
}

function writeFormat(body: JsonObject, value: JsonValue): boolean {
  const spec = isObject(value) ? asObject(value["json_schema"]) : undefined;
  const schema = asObject(spec?.["schema"]);
  const isJson = isObject(value) && value["type"] === "json_object";
  if (!schema && !isJson) return false;
  const config = { ...asObject(body["generationConfig"]) };
  for (const name of ["responseSchema", "responseJsonSchema", "_responseJsonSchema"])
    delete config[name];
  const written = { ...config, responseMimeType: "application/json" };
  return putMember(body, "generationConfig", {
    ...written,
    ...(schema && { responseJsonSchema: schema }),
  });
}

const modes: Readonly<Record<string, string>> = { auto: "AUTO", none: "NONE", required: "ANY" };

function writeChoice(body: JsonObject, value: JsonValue): boolean {
  if (!Array.isArray(body["tools"])) return false;
  const name = asFilledString(asObject(isObject(value) ? value["function"] : undefined)?.["name"]);
  const word = typeof value === "string" && Object.hasOwn(modes, value) ? modes[value] : undefined;
  if (name === undefined && word === undefined) return false;
  const calling =
    name === undefined ? { mode: word } : { mode: "ANY", allowedFunctionNames: [name] };
  return putInside(body, ["toolConfig", "functionCallingConfig"], calling);
}
