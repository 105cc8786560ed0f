/** Saved parameters in the hub's request, for attempts that are translated. */
import type { SavedParameters } from "../core/format.ts";
import {
  openAiFields,
  type OpenAiField,
  type OutputShape,
  type ToolChoice,
  type ModelRequest,
} from "../core/request.ts";
import { asNumber, asString, isObject, type JsonObject, type JsonValue } from "../lib/json.ts";

/** Sets one parameter on a copy of the turn. A value of the wrong type is left out. */
type Apply = (turn: ModelRequest, value: JsonValue) => void;

/** The turn with the harness's saved parameters, saved over the client's. The given one is not changed. */
export function applyParameters(turn: ModelRequest, params: SavedParameters): ModelRequest {
  const names = Object.keys(params);
  if (names.length === 0) return turn;
  const copy: ModelRequest = {
    ...turn,
    sampling: { ...turn.sampling },
    openaiOnly: { ...turn.openaiOnly },
  };
  for (const name of names) {
    const value = params[name];
    if (value === undefined) continue;
    if (Object.hasOwn(applied, name)) applied[name]?.(copy, value);
    else if (isOpenAiField(name)) copy.openaiOnly[name] = value;
  }
  return copy;
}

function isOpenAiField(name: string): name is OpenAiField {
  return openAiFields.some((field) => field === name);
}

/** A saved number over whatever the client wrote there. */
const sampled =
  (
    field:
      | "temperature"
      | "topP"
      | "frequencyPenalty"
      | "presencePenalty"
      | "seed"
      | "n"
      | "topLogprobs",
  ): Apply =>
  (turn, value) => {
    const number = asNumber(value);
    if (number !== undefined) turn.sampling[field] = number;
  };

const limit: Apply = (turn, value) => {
  const number = asNumber(value);
  if (number !== undefined) turn.maxOutput = number;
};

const word =
  (field: "verbosity" | "user" | "serviceTier" | "cacheKey" | "cacheRetention"): Apply =>
  (turn, value) => {
    const text = asString(value);
    if (text !== undefined) turn[field] = text;
  };

const flag =
  (field: "parallelTools" | "store"): Apply =>
  (turn, value) => {
    if (typeof value === "boolean") turn[field] = value;
  };

const applied: Readonly<Record<string, Apply>> = {
  temperature: sampled("temperature"),
  top_p: sampled("topP"),
  frequency_penalty: sampled("frequencyPenalty"),
  presence_penalty: sampled("presencePenalty"),
  seed: sampled("seed"),
  n: sampled("n"),
  top_logprobs: sampled("topLogprobs"),
  logprobs: (turn, value) => {
    if (typeof value === "boolean") turn.sampling.logprobs = value;
  },
  logit_bias: (turn, value) => {
    if (isObject(value)) turn.sampling.logitBias = value;
  },
  max_tokens: limit,
  max_completion_tokens: limit,
  stop: (turn, value) => {
    const list = typeof value === "string" ? [value] : Array.isArray(value) ? value : [];
    turn.stop = list.filter((text) => typeof text === "string");
  },
  reasoning_effort: (turn, value) => {
    const effort = asString(value);
    if (effort === undefined) return;
    const { summary } = turn.reasoning ?? {};
    turn.reasoning = {
      effort,
      ...(effort === "none" && { mode: "off" as const }),
      ...(summary !== undefined && { summary }),
    };
    if (turn.openaiOnly.reasoning_effort !== undefined) turn.openaiOnly.reasoning_effort = effort;
  },
  verbosity: word("verbosity"),
  user: word("user"),
  service_tier: word("serviceTier"),
  prompt_cache_key: word("cacheKey"),
  prompt_cache_retention: word("cacheRetention"),
  parallel_tool_calls: flag("parallelTools"),
  store: flag("store"),
  metadata: (turn, value) => {
    if (isObject(value)) turn.metadata = value;
  },
  response_format: (turn, value) => {
    if (!isObject(value)) return;
    const shape = readShape(value);
    if (shape === undefined) delete turn.output;
    else turn.output = shape;
  },
  tool_choice: (turn, value) => {
    const choice = readChoice(value);
    if (choice !== undefined && turn.tools.length > 0) turn.choice = choice;
  },
};

function readShape(value: JsonObject): OutputShape | undefined {
  if (value["type"] === "json_object") return { type: "json" };
  const spec = value["json_schema"];
  if (value["type"] !== "json_schema" || !isObject(spec) || !isObject(spec["schema"]))
    return undefined;
  const name = asString(spec["name"]);
  const description = asString(spec["description"]);
  return {
    type: "schema",
    schema: spec["schema"],
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(typeof spec["strict"] === "boolean" && { strict: spec["strict"] }),
  };
}

function readChoice(value: JsonValue): ToolChoice | undefined {
  if (value === "auto" || value === "none" || value === "required") return { type: value };
  const tool = isObject(value) ? value["function"] : undefined;
  const name = isObject(tool) ? asString(tool["name"]) : undefined;
  return name === undefined ? undefined : { type: "tool", name };
}
