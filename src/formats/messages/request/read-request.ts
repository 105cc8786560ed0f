/** A Messages request as a neutral turn. */
import {
  asArray,
  asNumber,
  asString,
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../../lib/json.ts";
import { invalid } from "../../../core/problem.ts";
import type { OutputShape, Reasoning, Sampling, ModelRequest } from "../../../core/request.ts";
import { checkCountRequest } from "./check.ts";
import { newNotes, noteUnknownMembers, type Notes } from "./read-context.ts";
import { readMessages } from "./read-messages.ts";
import { readChoice, readTools } from "./read-tools.ts";

const bodyKeys = new Set([
  "model",
  "stream",
  "messages",
  "system",
  "max_tokens",
  "tools",
  "tool_choice",
  "temperature",
  "top_p",
  "top_k",
  "stop_sequences",
  "metadata",
  "service_tier",
  "thinking",
  "output_config",
  "output_format",
]);
const metadataKeys = new Set(["user_id"]);
const configKeys = new Set(["effort", "format"]);
const formatKeys = new Set(["type", "schema"]);
const thinkingKeys = new Set(["type", "budget_tokens", "display"]);

/**
 * Throws M300 for what is not a Messages request. A missing `max_tokens` is no reason: requests that only want
 * their tokens counted have none, and `checkRequest` has refused all others.
 */
export function readRequest(body: JsonObject): ModelRequest {
  checkCountRequest(body);
  const notes = newNotes();
  noteUnknownMembers(notes, body, { path: "", known: bodyKeys });
  const { messages, effort } = readMessages(body, notes);
  const tools = readTools(body["tools"], notes);
  const request: ModelRequest = {
    format: "messages",
    model: asString(body["model"]) ?? "",
    stream: body["stream"] === true,
    wantsUsage: true,
    messages,
    tools,
    ...readChoice(body["tool_choice"], tools, notes),
    stop: asArray(body["stop_sequences"]).filter((word) => typeof word === "string"),
    sampling: readSampling(body),
    unsupported: [],
    paths: readPaths(body),
    openaiOnly: {},
    ...readReasoning(body, effort, notes),
    ...readOutput(body, notes),
    ...readSender(body, notes),
  };
  const limit = asNumber(body["max_tokens"]);
  if (limit !== undefined) request.maxOutput = limit;
  request.unsupported = [...notes.unsupported];
  return request;
}

function readSampling(body: JsonObject): Sampling {
  const temperature = asNumber(body["temperature"]);
  const topP = asNumber(body["top_p"]);
  const topK = asNumber(body["top_k"]);
  return {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(topK !== undefined && { topK }),
  };
}

function readPaths(body: JsonObject): ModelRequest["paths"] {
  const config = isObject(body["output_config"]) ? body["output_config"] : {};
  const thinking = isObject(body["thinking"]) ? body["thinking"] : {};
  return {
    choice: "tool_choice",
    parallelTools: "tool_choice.disable_parallel_tool_use",
    maxOutput: "max_tokens",
    stop: "stop_sequences",
    output: isObject(config["format"]) ? "output_config.format" : "output_format",
    user: "metadata.user_id",
    serviceTier: "service_tier",
    reasoning: config["effort"] === undefined ? "thinking" : "output_config.effort",
    ...(typeof thinking["display"] === "string" && { reasoningSummary: "thinking.display" }),
    temperature: "temperature",
    topP: "top_p",
    topK: "top_k",
  };
}

/** `thinking` says whether and how long, `output_config.effort` how hard; a message may change the latter. */
function readReasoning(
  body: JsonObject,
  latest: string | undefined,
  notes: Notes,
): { reasoning?: Reasoning } {
  const config = body["output_config"];
  const effort = latest ?? (isObject(config) ? asString(config["effort"]) : undefined);
  const { thinking } = body;
  if (thinking !== undefined && thinking !== null && !isObject(thinking))
    throw invalid("thinking", "must be an object");
  const reasoning: Reasoning = {
    ...(isObject(thinking) && readThinking(thinking, notes)),
    ...(effort !== undefined && { effort }),
  };
  return Object.keys(reasoning).length > 0 ? { reasoning } : {};
}

function readThinking(thinking: JsonObject, notes: Notes): Reasoning {
  noteUnknownMembers(notes, thinking, { path: "thinking", known: thinkingKeys });
  // Left to itself a model that thinks shows a summary of it; only `omitted` hides it.
  const seen: Reasoning = thinking["display"] === "omitted" ? {} : { summary: "auto" };
  switch (thinking["type"]) {
    case "disabled":
      return { mode: "off" };
    case "enabled": {
      const budget = asNumber(thinking["budget_tokens"]);
      return { mode: "budget", ...(budget !== undefined && { budget }), ...seen };
    }
    case "adaptive":
    case "between_tools":
      return { mode: "adaptive", ...seen };
    default:
      throw invalid("thinking.type", "must be one of enabled, adaptive, between_tools, disabled");
  }
}

function readOutput(body: JsonObject, notes: Notes): { output?: OutputShape } {
  const config = body["output_config"];
  const current = isObject(config) ? config["format"] : undefined;
  const format: JsonValue | undefined = current ?? body["output_format"];
  if (!isObject(format)) return {};
  const path = isObject(current) ? "output_config.format" : "output_format";
  if (!isObject(format["schema"])) {
    notes.unsupported.add(path);
    return {};
  }
  noteUnknownMembers(notes, format, { path, known: formatKeys });
  return { output: { type: "schema", schema: format["schema"], strict: true } };
}

function readSender(body: JsonObject, notes: Notes): Pick<ModelRequest, "user" | "serviceTier"> {
  const { metadata, output_config: config } = body;
  if (isObject(metadata))
    noteUnknownMembers(notes, metadata, { path: "metadata", known: metadataKeys });
  if (isObject(config))
    noteUnknownMembers(notes, config, { path: "output_config", known: configKeys });
  const user = isObject(metadata) ? asString(metadata["user_id"]) : undefined;
  const tier = asString(body["service_tier"]);
  return {
    ...(user !== undefined && { user }),
    // Elsewhere the tier without priority is called `default`.
    ...(tier !== undefined && { serviceTier: tier === "standard_only" ? "default" : tier }),
  };
}
