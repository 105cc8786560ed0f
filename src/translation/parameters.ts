/** The rows of the parameter table as one format has them, and the values that a request holds for them. */
import type { FormatName } from "../core/format-name.ts";
import {
  parameterRows,
  type ParameterRow,
  type ParameterValue,
  type RequestSettings,
  type Sampling,
  type WireParameter,
} from "../core/parameters.ts";
import type { ModelRequest } from "../core/request.ts";
import { asNumber, asString, isObject, type JsonValue } from "../lib/json.ts";
import { stepsOf } from "./members.ts";

/** Where a format keeps a parameter; undefined where it has none. */
export function wireParameter(row: ParameterRow, format: FormatName): WireParameter | undefined {
  const wire = row.wire[format];
  return typeof wire === "string" ? { name: wire } : wire;
}

/** The members of a body (or of its object `parent`) in which the format keeps parameters. */
export function parameterMembers(format: FormatName, parent?: string): string[] {
  return parameterRows.flatMap((row) => {
    const wire = wireParameter(row, format);
    return (wire ? (wire.readAs ?? [wire.name]) : []).flatMap((path) => {
      const [first, second] = stepsOf(path);
      if (parent === undefined) return [first];
      return first === parent && second !== undefined ? [second] : [];
    });
  });
}

/** The value if it is of the row's type. */
export function asParameter(
  value: JsonValue | undefined,
  type: ParameterRow["type"],
): ParameterValue | undefined {
  switch (type) {
    case "number":
      return asNumber(value);
    case "boolean":
      return typeof value === "boolean" ? value : undefined;
    case "text":
      return asString(value);
    case "object":
      return isObject(value) ? value : undefined;
    default:
      return type satisfies never;
  }
}

/** What the request holds for a row. */
export function parameterOf(
  request: ModelRequest,
  { group, field }: (typeof parameterRows)[number],
): ParameterValue | undefined {
  const holder: Sampling & RequestSettings = group === "sampling" ? request.sampling : request;
  return holder[field];
}

/** The request with another value for a row. */
export function withParameter(
  request: ModelRequest,
  { group, field }: (typeof parameterRows)[number],
  value: ParameterValue,
): ModelRequest {
  return group === "sampling"
    ? { ...request, sampling: { ...request.sampling, [field]: value } }
    : { ...request, [field]: value };
}
