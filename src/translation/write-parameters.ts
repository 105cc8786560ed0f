/** Writes the parameters of the table into a provider's body. */
import {
  parameterRows,
  type ParameterField,
  type ParameterRow,
  type ParameterValue,
  type WireParameter,
} from "../core/parameters.ts";
import type { Target } from "../core/model.ts";
import { invalid } from "../core/problem.ts";
import type { JsonObject, JsonValue } from "../lib/json.ts";
import { putPath } from "./members.ts";
import { parameterOf, wireParameter } from "./parameters.ts";
import { noteUnsupported, type WriteContext } from "./write-context.ts";

/** What a format makes of a value: it sends one, leaves it out because it says nothing, or does not support it. */
export type FittedParameter = { readonly send: JsonValue } | "omit" | "unsupported";

/** What a format does beyond the table, by row. */
export type ParameterRules = {
  readonly [Field in ParameterField]?: (
    value: ParameterValue<Field>,
    context: WriteContext,
  ) => FittedParameter;
};

/**
 * The members of all rows that the request sets; nested ones inside their objects. What the format or the model
 * does not take is reported, or refused with M300 where the table says that it must not be lost.
 */
export function writeParameters(context: WriteContext, rules: ParameterRules): JsonObject {
  const body: JsonObject = {};
  for (const row of parameterRows) {
    const value = parameterOf(context.request, row);
    if (value === undefined) continue;
    const wire = wireParameter(row, context.target.format);
    if (wire === undefined) refuseRequired(row, value, context);
    const fitted = fit(row.field, value, { rules, context });
    if (fitted === "omit") continue;
    if (fitted === "unsupported" || wire === undefined || !isTaken(row, wire, context.target))
      noteUnsupported(row.field, context);
    else putPath(body, wire.name, capped(fitted.send, row, context.target));
  }
  return body;
}

function fit(
  field: ParameterField,
  value: ParameterValue,
  { rules, context }: { readonly rules: ParameterRules; readonly context: WriteContext },
): FittedParameter {
  // A rule takes its own row's value, which is what the request holds for that row.
  const rule = rules[field] as
    | ((value: ParameterValue, context: WriteContext) => FittedParameter)
    | undefined;
  return rule?.(value, context) ?? { send: value };
}

/** Whether the model takes a parameter that its format has. */
function isTaken(row: ParameterRow, { needs }: WireParameter, { traits }: Target): boolean {
  if (!takesSampling(row, traits)) return false;
  switch (needs) {
    case undefined:
      return true;
    case "openAiFields":
    case "cacheKey":
      return traits[needs];
    default:
      return traits.extraSampling.includes(needs);
  }
}

/** Whether the model lets requests steer the draw, or the row does not. */
export function takesSampling(row: ParameterRow, traits: Target["traits"]): boolean {
  return row.steersSampling !== true || traits.sampling === "all";
}

/** The value, no larger than the model takes. */
export function capped(value: JsonValue, { cap }: ParameterRow, { traits }: Target): JsonValue {
  return typeof value === "number" && cap !== undefined ? Math.min(value, traits[cap]) : value;
}

/** M300 for a value that must not be lost. */
function refuseRequired(
  { required, idle, field }: (typeof parameterRows)[number],
  value: ParameterValue,
  { request }: WriteContext,
): void {
  if (required !== undefined && Number(value) > Number(idle))
    throw invalid(request.paths[field] ?? field, required);
}
