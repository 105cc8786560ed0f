/** Saved parameters in a Responses body. */
import { asNumber, isObject } from "../../../lib/json.ts";
import {
  named,
  putMember,
  putInside,
  sampled,
  temperature,
  inMember,
  type ParameterWriter,
} from "../../../translation/saved-parameters.ts";

const atLeast =
  (name: string): ParameterWriter =>
  (body, value, target) => {
    const number = asNumber(value);
    return putMember(
      body,
      name,
      number === undefined ? value : Math.max(number, target.traits.minOutput),
    );
  };

const responsesWriters: Readonly<Record<string, ParameterWriter>> = {
  temperature: sampled(temperature),
  top_p: sampled(named("top_p")),
  max_tokens: atLeast("max_output_tokens"),
  max_completion_tokens: atLeast("max_output_tokens"),
  top_logprobs: named("top_logprobs"),
  reasoning_effort: (body, value, target) =>
    target.traits.reasoning !== "none" && putInside(body, ["reasoning", "effort"], value),
  verbosity: inMember("text", "verbosity"),
  response_format: (body, value) => {
    const schema = isObject(value) ? value["json_schema"] : undefined;
    return putInside(
      body,
      ["text", "format"],
      isObject(schema) ? { type: "json_schema", ...schema } : value,
    );
  },
  ...Object.fromEntries(
    [
      "parallel_tool_calls",
      "user",
      "metadata",
      "service_tier",
      "store",
      "prompt_cache_key",
      "prompt_cache_retention",
      "safety_identifier",
    ].map((name) => [name, named(name)]),
  ),
  tool_choice: (body, value) => {
    const choice = isObject(value) ? value["function"] : undefined;
    return putMember(
      body,
      "tool_choice",
      isObject(choice) ? { type: "function", ...choice } : value,
    );
  },
};

/** The writer of a saved parameter; undefined where the format has no such parameter. */
export function parameterWriter(name: string): ParameterWriter | undefined {
  return Object.hasOwn(responsesWriters, name) ? responsesWriters[name] : undefined;
}
