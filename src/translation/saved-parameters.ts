/** Saved parameters, by their OpenAI chat names, written into a body under the names of its own format. */
import type { SavedParameters } from "../core/format.ts";
import type { Target } from "../core/model.ts";
import { asNumber, isObject, type JsonObject, type JsonValue } from "../lib/json.ts";

/** What a request is about can't be a saved parameter. */
export const reservedParameters: ReadonlySet<string> = new Set([
  "model",
  "messages",
  "input",
  "stream",
  "tools",
]);

/** Names that OpenAI chat gives a meaning to; any other is written as it stands. */
const chatParameters: ReadonlySet<string> = new Set([
  "temperature",
  "top_p",
  "max_tokens",
  "max_completion_tokens",
  "stop",
  "reasoning_effort",
  "seed",
  "n",
  "logprobs",
  "top_logprobs",
  "logit_bias",
  "frequency_penalty",
  "presence_penalty",
  "verbosity",
  "response_format",
  "parallel_tool_calls",
  "tool_choice",
  "user",
  "metadata",
  "service_tier",
  "store",
  "prompt_cache_key",
  "prompt_cache_retention",
  "safety_identifier",
  "modalities",
  "audio",
  "prediction",
  "stream_options",
  "web_search_options",
]);

export function isChatParameter(name: string): boolean {
  return chatParameters.has(name);
}

/** One parameter into one body. False: this format or model has no room for it. */
export type ParameterWriter = (body: JsonObject, value: JsonValue, target: Target) => boolean;

export interface ParameterWriting {
  target: Target;
  /** The format's writer for a name that OpenAI chat gives a meaning to. */
  writerOf(name: string): ParameterWriter | undefined;
}

/** Writes all of them, saved over the client's, and gives back the names for which there was no room. */
export function writeSavedParameters(
  body: JsonObject,
  parameters: SavedParameters,
  { target, writerOf }: ParameterWriting,
): string[] {
  const unwritten: string[] = [];
  const names = Object.keys(parameters);
  // Limits first: how much thinking fits depends on them.
  for (const name of names.toSorted(
    (a, b) => Number(a === "reasoning_effort") - Number(b === "reasoning_effort"),
  )) {
    const value = parameters[name];
    if (value === undefined) continue;
    if (!isChatParameter(name)) {
      if (!reservedParameters.has(name)) putMember(body, name, value);
      continue;
    }
    const write = writerOf(name);
    if (write === undefined || !write(body, value, target)) unwritten.push(name);
  }
  return unwritten;
}

/** Writes, at the top level and as they stand, the saved parameters that OpenAI chat does not know. */
export function writeExtraParameters(body: JsonObject, parameters: SavedParameters): void {
  for (const [name, value] of extraParameters(parameters)) putMember(body, name, value);
}

/** The saved parameters that OpenAI chat does not know. */
export function extraParameters(parameters: SavedParameters): [string, JsonValue][] {
  return Object.entries(parameters).filter(
    ([name]) => !isChatParameter(name) && !reservedParameters.has(name),
  );
}

/** Sets a member; `__proto__` and the like become plain members. */
export function putMember(body: JsonObject, name: string, value: JsonValue): true {
  Object.defineProperty(body, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
  return true;
}

/** A member of a member. */
type Path = readonly [member: string, name: string];

/** Into a member that may be there already; the client's own object is not changed. */
export function putInside(body: JsonObject, [member, name]: Path, value: JsonValue): true {
  const before = body[member];
  const copy: JsonObject = isObject(before) ? { ...before } : {};
  putMember(copy, name, value);
  return putMember(body, member, copy);
}

/** Under this name at the top level. */
export const named =
  (name: string): ParameterWriter =>
  (body, value) =>
    putMember(body, name, value);
/** Under this name in a member. */
export const inMember =
  (member: string, name: string): ParameterWriter =>
  (body, value) =>
    putInside(body, [member, name], value);

/** Sampling fields: not for models that refuse them. */
export const sampled =
  (write: ParameterWriter): ParameterWriter =>
  (body, value, target) =>
    target.traits.sampling === "all" && write(body, value, target);

/** No more than the model takes. */
export const temperature: ParameterWriter = (body, value, target) => {
  const number = asNumber(value);
  return putMember(
    body,
    "temperature",
    number === undefined ? value : Math.min(number, target.traits.maxTemperature),
  );
};
