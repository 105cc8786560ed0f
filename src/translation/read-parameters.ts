/** Reads the parameters of the table off a client's body. */
import type { ClientFormatName } from "../core/format-name.ts";
import {
  parameterRows,
  type ParameterRow,
  type ParameterValue,
  type RequestSettings,
  type Sampling,
} from "../core/parameters.ts";
import type { RequestPaths } from "../core/request.ts";
import type { JsonObject, JsonValue } from "../lib/json.ts";
import { readPath, stepsOf } from "./members.ts";
import { asParameter, wireParameter } from "./parameters.ts";
import { isSet } from "./unsupported.ts";

export interface ReadParameters {
  readonly sampling: Sampling;
  readonly settings: RequestSettings;
  /** Where the client wrote them; idle values have no path, since leaving them out loses nothing. */
  readonly paths: RequestPaths;
  /** Members of the body that were understood. */
  readonly used: ReadonlySet<string>;
  /** Second names of a parameter that was read under its first. */
  readonly ignored: readonly string[];
}

/** Gives a value of the row's type, `undefined` for any other, or throws M300 that names `path`. */
export type ParameterReader = (
  value: JsonValue | undefined,
  row: ParameterRow,
  path: string,
) => ParameterValue | undefined;

/** Reads every row that the format has. A value of the wrong type counts as absent unless `read` refuses it. */
export function readParameters(
  body: JsonObject,
  format: ClientFormatName,
  read: ParameterReader = (value, { type }) => asParameter(value, type),
): ReadParameters {
  const sampling: Record<string, ParameterValue> = {};
  const settings: Record<string, ParameterValue> = {};
  const paths: Record<string, string> = {};
  const used = new Set<string>();
  const ignored: string[] = [];
  for (const row of parameterRows) {
    const wire = wireParameter(row, format);
    const names = wire?.readAs ?? (wire ? [wire.name] : []);
    for (const name of names) {
      const value = read(readPath(body, name), row, name);
      if (value === undefined) continue;
      (row.group === "sampling" ? sampling : settings)[row.field] = value;
      if (!isIdle(value, row)) paths[row.field] = name;
      used.add(stepsOf(name)[0]);
      ignored.push(...names.filter((other) => other !== name && isSet(readPath(body, other))));
      break;
    }
  }
  // Each member is one of its group's and was read by its row's own type.
  return { sampling, settings, paths, used, ignored };
}

function isIdle(value: ParameterValue, { idle }: ParameterRow): boolean {
  return value === idle || !isSet(value);
}
