/** Saved parameters, by their OpenAI chat names, written into a body of another dialect under its own names. */
import { effortToBudget, nearestEffort } from "../translation/effort.ts";
import type { FormatName } from "../core/format-name.ts";
import type { Target } from "../core/model.ts";
import { asNumber, asString, isObject, type JsonObject, type JsonValue } from "../lib/json.ts";

/** What a request is about can't be a saved parameter. */
export const reservedParams: ReadonlySet<string> = new Set([
  "model",
  "messages",
  "input",
  "stream",
  "tools",
]);

/** Names that OpenAI chat gives a meaning to; any other is written as it stands. */
const chatParams: ReadonlySet<string> = new Set([
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

export function isChatParam(name: string): boolean {
  return chatParams.has(name);
}

/** One parameter into one body. False: this dialect or model has no room for it. */
type Write = (body: JsonObject, value: JsonValue, target: Target) => boolean;

/** Writes all of them, saved over the client's, and gives back the names for which there was no room. */
export function wireParams(
  body: JsonObject,
  params: Readonly<Record<string, JsonValue>>,
  target: Target,
): string[] {
  const unwritten: string[] = [];
  const names = Object.keys(params);
  // Limits first: how much thinking fits depends on them.
  for (const name of names.toSorted(
    (a, b) => Number(a === "reasoning_effort") - Number(b === "reasoning_effort"),
  )) {
    const value = params[name];
    if (value === undefined) continue;
    const write = isChatParam(name) ? writers[target.format](name) : undefined;
    if (write !== undefined) {
      if (!write(body, value, target)) unwritten.push(name);
    } else if (isChatParam(name)) {
      unwritten.push(name);
    } else {
      writeExtra(body, { name, value, format: target.format });
    }
  }
  return unwritten;
}

/** A parameter as it stands; `__proto__` and the like become plain members. */
export function writeExtra(
  body: JsonObject,
  extra: { name: string; value: JsonValue; format: FormatName },
): void {
  if (reservedParams.has(extra.name)) return;
  if (extra.format !== "gemini") {
    put(body, extra.name, extra.value);
    return;
  }
  inside(body, ["generationConfig", extra.name], extra.value);
  // Gemini takes either spelling of a name, but not both at once.
  const twin = extra.name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const config = body["generationConfig"];
  if (twin !== extra.name && isObject(config)) delete config[twin];
}

function put(body: JsonObject, name: string, value: JsonValue): true {
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
function inside(body: JsonObject, [member, name]: Path, value: JsonValue): true {
  const before = body[member];
  const copy: JsonObject = isObject(before) ? { ...before } : {};
  put(copy, name, value);
  return put(body, member, copy);
}

const named =
  (name: string): Write =>
  (body, value) =>
    put(body, name, value);
const within =
  (member: string, name: string): Write =>
  (body, value) =>
    inside(body, [member, name], value);

/** Sampling fields: not for models that refuse them. */
const sampled =
  (write: Write): Write =>
  (body, value, target) =>
    target.traits.sampling === "all" && write(body, value, target);

const temperature: Write = (body, value, target) => {
  const number = asNumber(value);
  return put(
    body,
    "temperature",
    number === undefined ? value : Math.min(number, target.traits.maxTemperature),
  );
};

const chatWriters: Readonly<Record<string, Write>> = {
  temperature: sampled(temperature),
  top_p: sampled(named("top_p")),
  max_tokens: chatLimit,
  max_completion_tokens: chatLimit,
  stop: (body, value, target) => !target.traits.noStop && put(body, "stop", value),
};

function chatLimit(body: JsonObject, value: JsonValue, target: Target): boolean {
  delete body["max_tokens"];
  delete body["max_completion_tokens"];
  return put(body, target.traits.maxTokensField, value);
}

const atLeast =
  (name: string): Write =>
  (body, value, target) => {
    const number = asNumber(value);
    return put(
      body,
      name,
      number === undefined ? value : Math.max(number, target.traits.minOutput),
    );
  };

const responsesWriters: Readonly<Record<string, Write>> = {
  temperature: sampled(temperature),
  top_p: sampled(named("top_p")),
  max_tokens: atLeast("max_output_tokens"),
  max_completion_tokens: atLeast("max_output_tokens"),
  top_logprobs: named("top_logprobs"),
  reasoning_effort: (body, value, target) =>
    target.traits.reasoning !== "none" && inside(body, ["reasoning", "effort"], value),
  verbosity: within("text", "verbosity"),
  response_format: (body, value) => {
    const schema = isObject(value) ? value["json_schema"] : undefined;
    return inside(
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
    return put(body, "tool_choice", isObject(choice) ? { type: "function", ...choice } : value);
  },
};

const messagesWriters: Readonly<Record<string, Write>> = {
  temperature: sampled(
    (body, value, target) => !isThinking(body) && temperature(body, value, target),
  ),
  top_p: sampled(named("top_p")),
  max_tokens: messagesLimit,
  max_completion_tokens: messagesLimit,
  stop: (body, value) => {
    const list = (Array.isArray(value) ? value : [value]).filter(
      (text) => typeof text === "string" && text.trim() !== "",
    );
    return list.length > 0 && put(body, "stop_sequences", list);
  },
  reasoning_effort: messagesEffort,
  user: within("metadata", "user_id"),
  response_format: (body, value) => {
    const schema = isObject(value) ? value["json_schema"] : undefined;
    const inner = isObject(schema) ? schema["schema"] : undefined;
    return (
      isObject(inner) &&
      inside(body, ["output_config", "format"], { type: "json_schema", schema: inner })
    );
  },
  parallel_tool_calls: (body, value) => {
    const choice = body["tool_choice"];
    if (!Array.isArray(body["tools"]) || typeof value !== "boolean") return false;
    if (isObject(choice) && choice["type"] === "none") return false;
    return put(body, "tool_choice", {
      type: "auto",
      ...(isObject(choice) ? choice : {}),
      disable_parallel_tool_use: !value,
    });
  },
  tool_choice: (body, value) => {
    if (!Array.isArray(body["tools"])) return false;
    const tool = isObject(value) ? value["function"] : undefined;
    const name = isObject(tool) ? asString(tool["name"]) : undefined;
    const type = value === "required" ? "any" : asString(value);
    if (name !== undefined) return put(body, "tool_choice", { type: "tool", name });
    return type !== undefined && put(body, "tool_choice", { type });
  },
};

/** The client's thinking budget has to stay below the limit that was saved. */
function messagesLimit(body: JsonObject, value: JsonValue): boolean {
  const most = asNumber(value);
  const thinking = body["thinking"];
  const budget = isObject(thinking) ? asNumber(thinking["budget_tokens"]) : undefined;
  if (most !== undefined && budget !== undefined && budget >= most) {
    if (most > 1024) inside(body, ["thinking", "budget_tokens"], most - 1);
    else put(body, "thinking", { type: "disabled" });
  }
  return put(body, "max_tokens", value);
}

function isThinking(body: JsonObject): boolean {
  const thinking = body["thinking"];
  return isObject(thinking) && thinking["type"] !== "disabled";
}

/** How hard to think, in the form that the model knows. Sampling and forced tools that exclude thinking decide against it. */
function messagesEffort(body: JsonObject, value: JsonValue, target: Target): boolean {
  const effort = asString(value);
  const { reasoning, efforts } = target.traits;
  if (effort === undefined || reasoning === "none") return false;
  if (effort === "none") {
    dropEffort(body);
    return put(body, "thinking", { type: "disabled" });
  }
  if (reasoning === "budget") return thinkWithin(body, effort);
  const word = nearestEffort(effort, efforts);
  if (word === undefined) return false;
  const thinking = body["thinking"];
  const display = isObject(thinking) ? thinking["display"] : undefined;
  inside(body, ["output_config", "effort"], word);
  return put(body, "thinking", { type: "adaptive", ...(display !== undefined && { display }) });
}

function dropEffort(body: JsonObject): void {
  const config = body["output_config"];
  if (!isObject(config)) return;
  const { effort: _, ...rest } = config;
  if (Object.keys(rest).length > 0) put(body, "output_config", rest);
  else delete body["output_config"];
}

function thinkWithin(body: JsonObject, effort: string): boolean {
  const choice = body["tool_choice"];
  const forced = isObject(choice) && (choice["type"] === "any" || choice["type"] === "tool");
  const budget = forced ? undefined : effortToBudget(effort, asNumber(body["max_tokens"]));
  if (budget === undefined) return false;
  delete body["temperature"];
  delete body["top_k"];
  return put(body, "thinking", { type: "enabled", budget_tokens: budget });
}

/** Gemini is nobody's client dialect, so no body of it is relayed. */
const geminiWriters: Readonly<Record<string, Write>> = {};

const own = (table: Readonly<Record<string, Write>>, name: string): Write | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

const writers = {
  // In its own dialect every name stands for itself.
  chat: (name: string) => own(chatWriters, name) ?? named(name),
  responses: (name: string) => own(responsesWriters, name),
  messages: (name: string) => own(messagesWriters, name),
  gemini: (name: string) => own(geminiWriters, name),
} as const satisfies Record<FormatName, (name: string) => Write | undefined>;
