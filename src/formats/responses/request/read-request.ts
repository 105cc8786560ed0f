/** A Responses request -> `Turn`. */
import { invalid } from "../../../core/problem.ts";
import type {
  OutputShape,
  Reasoning,
  Sampling,
  ModelRequest,
  RequestField,
} from "../../../core/request.ts";
import {
  asArray,
  asNumber,
  asObject,
  asString,
  type JsonObject,
  type JsonValue,
} from "../../../lib/json.ts";
import { checkRequest } from "./check.ts";
import { readInput, type InputDraft } from "./read-messages.ts";
import { readParts } from "./read-content.ts";
import { mergeTools, readChoice, readTools } from "./read-tools.ts";
import { offeredSpecials } from "../client-tools.ts";
import { noteUnknownMembers, isSet } from "../../../translation/unsupported.ts";
import type { Position } from "./read-position.ts";

/** Throws `Problem` M300 for what cannot be understood; what has no neutral form is listed in `unsaid`. */
export function readRequest(body: JsonObject): ModelRequest {
  checkRequest(body);
  const unsupported = new Set<string>();
  const draft: InputDraft = {
    messages: [],
    tools: [],
    callIds: new Map(),
    searches: [],
    specials: offeredSpecials(body),
  };
  readInstructions(body["instructions"], placeOf("instructions", unsupported), draft);
  readInput(body["input"], placeOf("input", unsupported), draft);
  const declared = readTools(body["tools"], placeOf("tools", unsupported), draft);
  const paths: ModelRequest["paths"] = {};
  const choice = readChoice(body["tool_choice"], placeOf("tool_choice", unsupported), draft);
  if (choice) paths.choice = "tool_choice";
  const sampling = readSampling(body, paths, unsupported);
  const request: ModelRequest = {
    format: "responses",
    model: asString(body["model"]) ?? "",
    stream: body["stream"] === true,
    wantsUsage: true,
    messages: draft.messages,
    tools: mergeTools(declared, draft.tools),
    ...(choice && { choice }),
    stop: [],
    sampling,
    ...readText(body, paths, unsupported),
    ...readReasoning(body, paths, unsupported),
    ...readPlain(body, paths, unsupported),
    ...readContinuation(body, paths),
    unsupported: [],
    paths,
    openaiOnly: isSet(body["stream_options"])
      ? { stream_options: body["stream_options"] ?? null }
      : {},
  };
  noteUnknown(body, unsupported);
  request.unsupported = [...unsupported];
  return request;
}

function placeOf(name: string, unsupported: Set<string>): Position {
  return { path: name, where: name, unsupported };
}

function readInstructions(value: JsonValue | undefined, position: Position, draft: InputDraft): void {
  if (typeof value === "string") {
    if (value !== "")
      draft.messages.push({ role: "instruction", top: true, blocks: readParts(value, position) });
    return;
  }
  // An array is what a stored response echoes: items, read where they stand.
  if (isSet(value)) {
    if (!Array.isArray(value)) throw invalid(position.indexedPath, "must be a string");
    readInput(value, position, draft);
  }
}

function numberOf(body: JsonObject, name: string): number | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  const number = asNumber(value);
  if (number === undefined) throw invalid(name, "must be a number");
  return number;
}

function readSampling(
  body: JsonObject,
  paths: ModelRequest["paths"],
  unsupported: Set<string>,
): Sampling {
  const sampling: Sampling = {};
  const temperature = numberOf(body, "temperature");
  const topP = numberOf(body, "top_p");
  const topLogprobs = numberOf(body, "top_logprobs");
  if (temperature !== undefined) {
    sampling.temperature = temperature;
    paths.temperature = "temperature";
  }
  if (topP !== undefined) {
    sampling.topP = topP;
    paths.topP = "top_p";
  }
  if (topLogprobs !== undefined) {
    sampling.topLogprobs = topLogprobs;
    paths.topLogprobs = "top_logprobs";
  }
  const include = asArray(body["include"]);
  if (include.includes(logprobs)) {
    sampling.logprobs = true;
    paths.logprobs = "include";
  }
  if (include.some((entry) => entry !== logprobs)) unsupported.add("include");
  return sampling;
}

const logprobs = "message.output_text.logprobs";
const textMembers = new Set(["format", "verbosity"]);
const formatMembers = new Set(["type", "name", "schema", "strict", "description"]);

function readText(
  body: JsonObject,
  paths: ModelRequest["paths"],
  unsupported: Set<string>,
): Pick<ModelRequest, "output" | "verbosity"> {
  const text = asObject(body["text"]);
  if (!text) return {};
  noteUnknownMembers(text, textMembers, placeOf("text", unsupported));
  const verbosity = asString(text["verbosity"]);
  if (verbosity !== undefined) paths.verbosity = "text.verbosity";
  const format = asObject(text["format"]);
  if (format) noteUnknownMembers(format, formatMembers, placeOf("text.format", unsupported));
  const output = format && readFormat(format);
  if (output) paths.output = "text.format";
  if (output?.type === "schema" && output.strict !== undefined)
    paths.outputStrict = "text.format.strict";
  return { ...(output && { output }), ...(verbosity !== undefined && { verbosity }) };
}

function readFormat(format: JsonObject): OutputShape | undefined {
  switch (format["type"]) {
    case "json_object":
      return { type: "json" };
    case "json_schema":
      return readSchema(format);
    case "text":
    case undefined:
      return undefined;
    default:
      throw invalid("text.format.type", "must be text, json_object or json_schema");
  }
}

function readSchema(format: JsonObject): OutputShape {
  const schema = asObject(format["schema"]);
  if (!schema) throw invalid("text.format.schema", "must be an object");
  const [name, description] = [asString(format["name"]), asString(format["description"])];
  const strict = format["strict"];
  return {
    type: "schema",
    schema,
    ...(name !== undefined && { name }),
    ...(typeof strict === "boolean" && { strict }),
    ...(description !== undefined && { description }),
  };
}

const reasoningMembers = new Set(["effort", "summary", "generate_summary"]);

function readReasoning(
  body: JsonObject,
  paths: ModelRequest["paths"],
  unsupported: Set<string>,
): Pick<ModelRequest, "reasoning"> {
  const value = asObject(body["reasoning"]);
  if (!value) return {};
  noteUnknownMembers(value, reasoningMembers, placeOf("reasoning", unsupported));
  const reasoning: Reasoning = {};
  const effort = asString(value["effort"]);
  if (effort !== undefined) {
    reasoning.effort = effort;
    paths.reasoning = "reasoning.effort";
  }
  const field = asString(value["summary"]) === undefined ? "generate_summary" : "summary";
  const summary = asString(value[field]);
  if (summary !== undefined) {
    reasoning.summary = summary;
    paths.reasoningSummary = `reasoning.${field}`;
  }
  return effort === undefined && summary === undefined ? {} : { reasoning };
}

type Plain = Pick<
  ModelRequest,
  | "parallelTools"
  | "maxOutput"
  | "cacheKey"
  | "cacheRetention"
  | "user"
  | "metadata"
  | "serviceTier"
  | "store"
>;

function readPlain(
  body: JsonObject,
  paths: ModelRequest["paths"],
  unsupported: Set<string>,
): Plain {
  const plain: Plain = {};
  const note = (field: keyof Plain & RequestField, name: string): void => {
    paths[field] = name;
  };
  const flag = (name: string): boolean | undefined => {
    const value = body[name];
    return typeof value === "boolean" ? value : undefined;
  };
  const maxOutput = numberOf(body, "max_output_tokens");
  if (maxOutput !== undefined) {
    plain.maxOutput = maxOutput;
    note("maxOutput", "max_output_tokens");
  }
  const [parallel, store] = [flag("parallel_tool_calls"), flag("store")];
  if (parallel !== undefined) {
    plain.parallelTools = parallel;
    note("parallelTools", "parallel_tool_calls");
  }
  if (store !== undefined) {
    plain.store = store;
    note("store", "store");
  }
  readWords(body, plain, note);
  const metadata = asObject(body["metadata"]);
  if (metadata && isSet(metadata)) {
    plain.metadata = metadata;
    note("metadata", "metadata");
  }
  readUser(body, { plain, note, unsupported });
  return plain;
}

const words = {
  cacheKey: "prompt_cache_key",
  cacheRetention: "prompt_cache_retention",
  serviceTier: "service_tier",
} as const;

function readWords(
  body: JsonObject,
  plain: Plain,
  note: (field: keyof typeof words, name: string) => void,
): void {
  for (const field of ["cacheKey", "cacheRetention", "serviceTier"] as const) {
    const value = asString(body[words[field]]);
    if (value === undefined) continue;
    plain[field] = value;
    note(field, words[field]);
  }
}

function readUser(
  body: JsonObject,
  at: { plain: Plain; note: (field: "user", name: string) => void; unsupported: Set<string> },
): void {
  const name = typeof body["user"] === "string" ? "user" : "safety_identifier";
  const user = asString(body[name]);
  if (user === undefined) return;
  at.plain.user = user;
  at.note("user", name);
  if (name === "user" && isSet(body["safety_identifier"])) at.unsupported.add("safety_identifier");
}

function readContinuation(
  body: JsonObject,
  paths: ModelRequest["paths"],
): Pick<ModelRequest, "previousResponseId" | "responsesOnly"> {
  const previous = asString(body["previous_response_id"]);
  if (previous !== undefined) paths.previousResponseId = "previous_response_id";
  const only = ["conversation", "prompt"].filter((name) => isSet(body[name]));
  if (body["background"] === true) only.push("background");
  return {
    ...(previous !== undefined && { previousResponseId: previous }),
    ...(only.length > 0 && { responsesOnly: only }),
  };
}

/** Members that are read above, whatever came of them. */
const known = new Set([
  "model",
  "input",
  "instructions",
  "stream",
  "stream_options",
  "tools",
  "tool_choice",
  "parallel_tool_calls",
  "max_output_tokens",
  "temperature",
  "top_p",
  "top_logprobs",
  "include",
  "text",
  "reasoning",
  "store",
  "metadata",
  "prompt_cache_key",
  "prompt_cache_retention",
  "service_tier",
  "user",
  "safety_identifier",
  "previous_response_id",
  "conversation",
  "prompt",
  "background",
]);

function noteUnknown(body: JsonObject, unsupported: Set<string>): void {
  for (const name in body) if (!known.has(name) && isSet(body[name])) unsupported.add(name);
}
