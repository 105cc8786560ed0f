/** A chat request -> the neutral request. Only what translation or routing needs is read; relays don't come here. */
import {
  asArray,
  asNumber,
  asObject,
  asString,
  type JsonObject,
  type JsonValue,
} from "../../../lib/json.ts";
import {
  openAiFields,
  type OpenAiField,
  type Reasoning,
  type Sampling,
  type ModelRequest,
  type RequestField,
} from "../../../core/request.ts";
import { noteUnknownMembers, isSet, type Place } from "../../../translation/unsupported.ts";
import { readMessages } from "./read-messages.ts";
import { readChoice, readOutput, readTools } from "./read-tools.ts";

/** Members that the reader understands or that mean nothing to another dialect. */
const knownFields = new Set([
  ...openAiFields,
  "model",
  "messages",
  "stream",
  "tools",
  "functions",
  "web_search_options",
]);

export function readRequest(body: JsonObject): ModelRequest {
  const unsupported = new Set<string>();
  const fields = fieldsOf(body, unsupported);
  const request: ModelRequest = {
    format: "chat",
    model: asString(body["model"]) ?? "",
    stream: body["stream"] === true,
    wantsUsage: asObject(body["stream_options"])?.["include_usage"] === true,
    messages: readMessages(body["messages"], unsupported),
    tools: readTools(body, unsupported),
    stop: readStop(fields),
    sampling: readSampling(fields),
    unsupported: [],
    paths: fields.paths,
    openaiOnly: readOpenAiOnly(body),
    ...readLimits(fields, body),
    ...readSettings(fields),
  };
  const reasoning = readReasoning(fields);
  if (reasoning) request.reasoning = reasoning;
  // One of the five fields that are left out without a word.
  if (fields.paths.reasoning === "reasoning_effort") delete fields.paths.reasoning;
  for (const key in body) {
    if (isSet(body[key]) && !knownFields.has(key) && !fields.used.has(key)) unsupported.add(key);
  }
  request.unsupported = [...unsupported];
  return request;
}

/** Reads fields and remembers where the client wrote them. A field of the wrong type stays unread, hence unsaid. */
interface Fields {
  paths: Partial<Record<RequestField, string>>;
  used: Set<string>;
  /** The first of `names` that `read` understands. */
  take<T>(
    field: RequestField,
    names: readonly string[],
    read: (value: JsonValue | undefined, place: Place) => T | undefined,
  ): T | undefined;
}

function fieldsOf(body: JsonObject, unsupported: Set<string>): Fields {
  const paths: Fields["paths"] = {};
  const used = new Set<string>();
  return {
    paths,
    used,
    take(field, names, read) {
      for (const name of names) {
        const value = read(body[name], { path: name, unsupported });
        if (value === undefined) continue;
        used.add(name);
        paths[field] ??= name;
        return value;
      }
      return undefined;
    },
  };
}

function asBoolean(value: JsonValue | undefined): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}

/** The entries that say something: `undefined` members are left out. */
function present<T extends object>(members: { [K in keyof T]: T[K] | undefined }): Partial<T> {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  // Only entries of `members` that are not undefined are left, which is what Partial<T> asks.
  return Object.fromEntries(entries) as Partial<T>;
}

function readStop(fields: Fields): string[] {
  const read = (value: JsonValue | undefined): string[] | undefined => {
    if (typeof value === "string") return [value];
    const list = asArray(value).filter((entry) => typeof entry === "string");
    return list.length > 0 ? list : undefined;
  };
  return fields.take("stop", ["stop"], read) ?? [];
}

function readSampling(fields: Fields): Sampling {
  const sampling = present<Sampling>({
    temperature: fields.take("temperature", ["temperature"], asNumber),
    topP: fields.take("topP", ["top_p"], asNumber),
    topK: fields.take("topK", ["top_k"], asNumber),
    frequencyPenalty: fields.take("frequencyPenalty", ["frequency_penalty"], asNumber),
    presencePenalty: fields.take("presencePenalty", ["presence_penalty"], asNumber),
    seed: fields.take("seed", ["seed"], asNumber),
    n: fields.take("n", ["n"], asNumber),
    logprobs: fields.take("logprobs", ["logprobs"], asBoolean),
    topLogprobs: fields.take("topLogprobs", ["top_logprobs"], asNumber),
    logitBias: fields.take("logitBias", ["logit_bias"], asObject),
  });
  // What everyone gets who asks for nothing is no loss where it cannot be said.
  for (const field of idle)
    if (Number(sampling[field] ?? 0) === (field === "n" ? 1 : 0)) delete fields.paths[field];
  return sampling;
}

/** Fields that some clients always send, with the value that changes nothing. */
const idle = ["n", "frequencyPenalty", "presencePenalty", "logprobs"] as const;

type Limits = Pick<ModelRequest, "maxOutput" | "parallelTools" | "choice" | "output">;

function readLimits(fields: Fields, body: JsonObject): Partial<Limits> {
  const limits = present<Limits>({
    maxOutput: fields.take("maxOutput", ["max_completion_tokens", "max_tokens"], asNumber),
    parallelTools: fields.take("parallelTools", ["parallel_tool_calls"], asBoolean),
    choice: fields.take("choice", ["tool_choice", "function_call"], readChoice),
    output: fields.take("output", ["response_format"], readOutput),
  });
  // The limit's other name repeats it.
  for (const name of ["max_tokens", "max_completion_tokens"]) fields.used.add(name);
  // Plain text is what everyone gets who asks for nothing.
  const format = asObject(body["response_format"]);
  if (format?.["type"] === "text") fields.used.add("response_format");
  if (limits.output?.type === "schema" && limits.output.strict !== undefined) {
    fields.paths.outputStrict = "response_format.json_schema.strict";
  }
  return limits;
}

type Settings = Pick<
  ModelRequest,
  "verbosity" | "cacheKey" | "cacheRetention" | "user" | "metadata" | "serviceTier" | "store"
>;

function readSettings(fields: Fields): Partial<Settings> {
  return present<Settings>({
    verbosity: fields.take("verbosity", ["verbosity"], asString),
    cacheKey: fields.take("cacheKey", ["prompt_cache_key"], asString),
    cacheRetention: fields.take("cacheRetention", ["prompt_cache_retention"], asString),
    user: fields.take("user", ["safety_identifier", "user"], asString),
    metadata: fields.take("metadata", ["metadata"], asObject),
    serviceTier: fields.take("serviceTier", ["service_tier"], asString),
    store: fields.take("store", ["store"], asBoolean),
  });
}

/**
 * `reasoning_effort`, or one of the forms that other chat providers have: `reasoning {effort, max_tokens, enabled}`
 * and `thinking {type, budget_tokens}`.
 */
function readReasoning(fields: Fields): Reasoning | undefined {
  return (
    fields.take("reasoning", ["reasoning_effort"], (value) => {
      const effort = asString(value);
      return effort === undefined
        ? undefined
        : { effort, ...(effort === "none" && { mode: "off" as const }) };
    }) ??
    fields.take("reasoning", ["reasoning"], readReasoningObject) ??
    fields.take("reasoning", ["thinking"], readThinkingObject)
  );
}

const reasoningMembers = new Set(["effort", "max_tokens", "enabled"]);
const thinkingMembers = new Set(["type", "budget_tokens"]);

function readReasoningObject(value: JsonValue | undefined, place: Place): Reasoning | undefined {
  const asked = asObject(value);
  if (!asked) return undefined;
  noteUnknownMembers(asked, reasoningMembers, place);
  if (asked["enabled"] === false) return { mode: "off" };
  const [effort, budget] = [asString(asked["effort"]), asNumber(asked["max_tokens"])];
  if (effort !== undefined) return { effort, ...(effort === "none" && { mode: "off" }) };
  if (budget !== undefined) return { mode: "budget", budget };
  return asked["enabled"] === true ? { effort: "medium" } : undefined;
}

function readThinkingObject(value: JsonValue | undefined, place: Place): Reasoning | undefined {
  const asked = asObject(value);
  noteUnknownMembers(asked, thinkingMembers, place);
  const budget = asNumber(asked?.["budget_tokens"]);
  switch (asked?.["type"]) {
    case "disabled":
      return { mode: "off" };
    case "enabled":
      return budget === undefined ? { effort: "medium" } : { mode: "budget", budget };
    case "adaptive":
    case "auto":
      return { mode: "adaptive" };
    default:
      return undefined;
  }
}

function readOpenAiOnly(body: JsonObject): Partial<Record<OpenAiField, JsonValue>> {
  const only: Partial<Record<OpenAiField, JsonValue>> = {};
  for (const field of openAiFields) {
    const value = body[field];
    if (value !== undefined && value !== null) only[field] = value;
  }
  return only;
}
