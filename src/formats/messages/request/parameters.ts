/** Saved parameters in a Messages body, and what Messages makes of parameters beyond the table. */
import type { Target } from "../../../core/model.ts";
import {
  asNumber,
  asString,
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../../lib/json.ts";
import { effortToBudget, nearestEffort } from "../../../translation/effort.ts";
import { putInside, putMember } from "../../../translation/members.ts";
import { tableWriter, type ParameterWriters } from "../../../translation/saved-parameters.ts";
import type { ParameterRules } from "../../../translation/write-parameters.ts";

/** Least `top_p` that is taken beside thinking. */
const leastThinkingTopP = 0.95;

/** Thinking excludes sampling, but for a `top_p` near 1. */
export function parameterRules(thinks: boolean): ParameterRules {
  return {
    temperature: (value) => (thinks ? "unsupported" : { send: value }),
    topP: (value, { request }) => {
      const isRefused = thinks
        ? value < leastThinkingTopP
        : // Gemini's clients always send both, which newer models refuse: the temperature counts.
          request.format === "gemini" && request.sampling.temperature !== undefined;
      return isRefused ? "unsupported" : { send: value };
    },
    topK: (value) => (thinks ? "unsupported" : { send: value }),
    serviceTier: (value) => {
      const tier = serviceTier(value);
      return tier === undefined ? "unsupported" : { send: tier };
    },
  };
}

function serviceTier(tier: string): string | undefined {
  if (tier === "auto") return "auto";
  return tier === "default" || tier === "standard_only" ? "standard_only" : undefined;
}

/** Saved parameters that a relayed body takes in another form than the table says. */
export const savedWriters: ParameterWriters = {
  temperature: (body, value, target) =>
    !isThinking(body) && tableWriter("temperature", "messages")?.(body, value, target) === true,
  max_tokens: writeLimit,
  max_completion_tokens: writeLimit,
  stop: (body, value) => {
    const list = (Array.isArray(value) ? value : [value]).filter(
      (text) => typeof text === "string" && text.trim() !== "",
    );
    return list.length > 0 && putMember(body, "stop_sequences", list);
  },
  reasoning_effort: writeEffort,
  service_tier: (body, value) => {
    const tier = typeof value === "string" ? serviceTier(value) : undefined;
    return tier !== undefined && putMember(body, "service_tier", tier);
  },
  response_format: (body, value) => {
    const schema = isObject(value) ? value["json_schema"] : undefined;
    const inner = isObject(schema) ? schema["schema"] : undefined;
    return (
      isObject(inner) &&
      putInside(body, ["output_config", "format"], { type: "json_schema", schema: inner })
    );
  },
  parallel_tool_calls: writeParallelCalls,
  tool_choice: writeChoice,
};

function writeParallelCalls(body: JsonObject, value: JsonValue): boolean {
  const choice = body["tool_choice"];
  if (!Array.isArray(body["tools"]) || typeof value !== "boolean") return false;
  if (isObject(choice) && choice["type"] === "none") return false;
  return putMember(body, "tool_choice", {
    type: "auto",
    ...(isObject(choice) ? choice : {}),
    disable_parallel_tool_use: !value,
  });
}

function writeChoice(body: JsonObject, value: JsonValue): boolean {
  if (!Array.isArray(body["tools"])) return false;
  const tool = isObject(value) ? value["function"] : undefined;
  const name = isObject(tool) ? asString(tool["name"]) : undefined;
  const type = value === "required" ? "any" : asString(value);
  if (name !== undefined) return putMember(body, "tool_choice", { type: "tool", name });
  return type !== undefined && putMember(body, "tool_choice", { type });
}

/** The client's thinking budget has to stay below the limit that was saved. */
function writeLimit(body: JsonObject, value: JsonValue): boolean {
  const most = asNumber(value);
  const thinking = body["thinking"];
  const budget = isObject(thinking) ? asNumber(thinking["budget_tokens"]) : undefined;
  if (most !== undefined && budget !== undefined && budget >= most) {
    if (most > 1024) putInside(body, ["thinking", "budget_tokens"], most - 1);
    else putMember(body, "thinking", { type: "disabled" });
  }
  return putMember(body, "max_tokens", value);
}

function isThinking(body: JsonObject): boolean {
  const thinking = body["thinking"];
  return isObject(thinking) && thinking["type"] !== "disabled";
}

/** How hard to think, in the form that the model knows. Sampling and forced tools that exclude thinking decide against it. */
function writeEffort(body: JsonObject, value: JsonValue, target: Target): boolean {
  const effort = asString(value);
  const { reasoning, efforts } = target.traits;
  if (effort === undefined || reasoning === "none") return false;
  if (effort === "none") {
    dropEffort(body);
    return putMember(body, "thinking", { type: "disabled" });
  }
  if (reasoning === "budget") return thinkWithin(body, effort);
  const word = nearestEffort(effort, efforts);
  if (word === undefined) return false;
  const thinking = body["thinking"];
  const display = isObject(thinking) ? thinking["display"] : undefined;
  putInside(body, ["output_config", "effort"], word);
  return putMember(body, "thinking", {
    type: "adaptive",
    ...(display !== undefined && { display }),
  });
}

function dropEffort(body: JsonObject): void {
  const config = body["output_config"];
  if (!isObject(config)) return;
  const { effort: _, ...rest } = config;
  if (Object.keys(rest).length > 0) putMember(body, "output_config", rest);
  else delete body["output_config"];
}

function thinkWithin(body: JsonObject, effort: string): boolean {
  const choice = body["tool_choice"];
  const forced = isObject(choice) && (choice["type"] === "any" || choice["type"] === "tool");
  const budget = forced ? undefined : effortToBudget(effort, asNumber(body["max_tokens"]));
  if (budget === undefined) return false;
  delete body["temperature"];
  delete body["top_k"];
  return putMember(body, "thinking", { type: "enabled", budget_tokens: budget });
}
