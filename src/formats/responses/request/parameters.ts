/** Saved parameters in a Responses body, and what Responses makes of parameters beyond the table. */
import { asNumber, isObject, type JsonObject, type JsonValue } from "../../../lib/json.ts";
import type { Target } from "../../../core/model.ts";
import { putInside, putMember } from "../../../translation/members.ts";
import { asItStands, type ParameterWriters } from "../../../translation/saved-parameters.ts";
import type { ParameterRules } from "../../../translation/write-parameters.ts";

/** Longest end-user id that the service takes. */
const longestUser = 64;

export const parameterRules: ParameterRules = {
  temperature: (value) => ({ send: Math.max(value, 0) }),
  // One answer is what the service gives.
  n: () => "omit",
  // Translated answers carry no probabilities.
  topLogprobs: () => "unsupported",
  user: (user) => (user.length <= longestUser ? { send: user } : "unsupported"),
  // Anthropic's name for "no priority" is OpenAI's `default`.
  serviceTier: (tier) => ({ send: tier === "standard_only" ? "default" : tier }),
};

/** Saved parameters that a relayed body takes in another form than the table says. */
export const savedWriters: ParameterWriters = {
  max_tokens: writeLimit,
  max_completion_tokens: writeLimit,
  reasoning_effort: (body, value, target) =>
    target.traits.reasoning !== "none" && putInside(body, ["reasoning", "effort"], value),
  response_format: (body, value) => {
    const schema = isObject(value) ? value["json_schema"] : undefined;
    const format = isObject(schema) ? { type: "json_schema", ...schema } : value;
    return putInside(body, ["text", "format"], format);
  },
  parallel_tool_calls: asItStands("parallel_tool_calls"),
  safety_identifier: asItStands("safety_identifier"),
  tool_choice: (body, value) => {
    const tool = isObject(value) ? value["function"] : undefined;
    const choice = isObject(tool) ? { type: "function", ...tool } : value;
    return putMember(body, "tool_choice", choice);
  },
};

/** No less than the service takes. */
function writeLimit(body: JsonObject, value: JsonValue, { traits }: Target): boolean {
  const number = asNumber(value);
  const limit = number === undefined ? value : Math.max(number, traits.minOutput);
  return putMember(body, "max_output_tokens", limit);
}
