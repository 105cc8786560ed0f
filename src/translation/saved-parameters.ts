/** Saved parameters, by their OpenAI chat names, written into a body under the names of its own format. */
import type { SavedParameters } from "../core/format.ts";
import type { FormatName } from "../core/format-name.ts";
import type { Target } from "../core/model.ts";
import { compoundParameters, parameterRows } from "../core/parameters.ts";
import { asString, type JsonObject, type JsonValue } from "../lib/json.ts";
import { putMember, putPath } from "./members.ts";
import { wireParameter } from "./parameters.ts";
import { capped, takesSampling } from "./write-parameters.ts";

/** What a request is about can't be a saved parameter. */
export const reservedParameters: ReadonlySet<string> = new Set([
  "model",
  "messages",
  "input",
  "stream",
  "tools",
]);

const chatParameters: ReadonlySet<string> = new Set([
  ...parameterRows.flatMap(({ saved }) => saved ?? []),
  ...compoundParameters,
]);

/** Whether OpenAI chat gives the name a meaning; any other is written as it stands. */
export function isChatParameter(name: string): boolean {
  return chatParameters.has(name);
}

/** One parameter into one body. False: this format or model does not take it. */
export type ParameterWriter = (body: JsonObject, value: JsonValue, target: Target) => boolean;

/** A format's writers of the parameters that are not written as the table says. */
export type ParameterWriters = Readonly<Record<string, ParameterWriter>>;

/** Writes all of them, saved over the client's, and gives back the names of those that were not taken. */
export function writeSavedParameters(
  body: JsonObject,
  parameters: SavedParameters,
  { target, writers }: { readonly target: Target; readonly writers: ParameterWriters },
): string[] {
  const unwritten: string[] = [];
  for (const name of limitsFirst(Object.keys(parameters))) {
    const value = parameters[name];
    if (value === undefined) continue;
    if (isChatParameter(name)) {
      const own = Object.hasOwn(writers, name) ? writers[name] : undefined;
      const write = own ?? tableWriter(name, target.format);
      if (write?.(body, value, target) !== true) unwritten.push(name);
    } else if (!reservedParameters.has(name)) putMember(body, name, value);
  }
  return unwritten;
}

/** How much thinking fits depends on the limits. */
function limitsFirst(names: readonly string[]): string[] {
  return names.toSorted(
    (a, b) => Number(a === "reasoning_effort") - Number(b === "reasoning_effort"),
  );
}

/** The writer that the table gives a saved parameter; undefined where the format has no such parameter. */
export function tableWriter(name: string, format: FormatName): ParameterWriter | undefined {
  const row = parameterRows.find(({ saved }) => saved === name);
  const wire = row && wireParameter(row, format);
  if (!wire) return undefined;
  return (body, value, target) =>
    takesSampling(row, target.traits) && putPath(body, wire.name, capped(value, row, target));
}

/** Writes, at the top level and as they stand, the saved parameters that OpenAI chat does not know. */
export function writeTopLevelParameters(body: JsonObject, parameters: SavedParameters): void {
  for (const [name, value] of extraParameters(parameters)) putMember(body, name, value);
}

/** The saved parameters that OpenAI chat does not know. */
export function extraParameters(parameters: SavedParameters): [string, JsonValue][] {
  return Object.entries(parameters).filter(
    ([name]) => !isChatParameter(name) && !reservedParameters.has(name),
  );
}

/** Writes the value as it stands, under this path. */
export const asItStands =
  (path: string): ParameterWriter =>
  (body, value) =>
    putPath(body, path, value);

/** The reasoning effort that is saved, if any. */
export function savedEffort(parameters: SavedParameters): string | undefined {
  return asString(parameters["reasoning_effort"]);
}
