/** What Gemini makes of parameters beyond the table, and saved parameters that no other format knows. */
import type { SavedParameters } from "../../../core/format.ts";
import { isObject, type JsonObject } from "../../../lib/json.ts";
import { putInside } from "../../../translation/members.ts";
import { extraParameters } from "../../../translation/saved-parameters.ts";
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
