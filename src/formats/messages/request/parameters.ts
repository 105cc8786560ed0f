/** Saved parameters in a Messages body. */
import type { Target } from "../../../core/model.ts";
import { asNumber, asString, isObject, type JsonObject, type JsonValue } from "../../../lib/json.ts";
import { effortToBudget, nearestEffort } from "../../../translation/effort.ts";
import {
  named,
  putMember,
  putInside,
  sampled,
  temperature,
  inMember,
  type ParameterWriter,
} from "../../../translation/saved-parameters.ts";

const messagesWriters: Readonly<Record<string, ParameterWriter>> = {
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
    return list.length > 0 && putMember(body, "stop_sequences", list);
  },
  reasoning_effort: messagesEffort,
  user: inMember("metadata", "user_id"),
  response_format: (body, value) => {
    const schema = isObject(value) ? value["json_schema"] : undefined;
    const inner = isObject(schema) ? schema["schema"] : undefined;
    return (
      isObject(inner) &&
      putInside(body, ["output_config", "format"], { type: "json_schema", schema: inner })
    );
  },
  parallel_tool_calls: (body, value) => {
    const choice = body["tool_choice"];
    if (!Array.isArray(body["tools"]) || typeof value !== "boolean") return false;
    if (isObject(choice) && choice["type"] === "none") return false;
    return putMember(body, "tool_choice", {
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
    if (name !== undefined) return putMember(body, "tool_choice", { type: "tool", name });
    return type !== undefined && putMember(body, "tool_choice", { type });
  },
};

/** The client's thinking budget has to stay below the limit that was saved. */
function messagesLimit(body: JsonObject, value: JsonValue): boolean {
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
function messagesEffort(body: JsonObject, value: JsonValue, target: Target): boolean {
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

/** The writer of a saved parameter; undefined where the format has no such parameter. */
export function parameterWriter(name: string): ParameterWriter | undefined {
  return Object.hasOwn(messagesWriters, name) ? messagesWriters[name] : undefined;
}
