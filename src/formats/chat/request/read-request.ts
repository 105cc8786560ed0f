/** A chat request -> the neutral request. Only what translation or routing needs is read; relays don't come here. */
import { openAiFields } from "../../../core/parameters.ts";
import { type ModelRequest, type OutputShape, type RequestPaths } from "../../../core/request.ts";
import {
  asArray,
  asNumber,
  asObject,
  asString,
  type JsonObject,
  type JsonValue,
} from "../../../lib/json.ts";
import { droppedPaths } from "../../../translation/dropped-paths.ts";
import { readParameters } from "../../../translation/read-parameters.ts";
import { isSet } from "../../../translation/unsupported.ts";
import { wantsUsage } from "./describe.ts";
import { fieldReader, type FieldReader } from "./read-fields.ts";
import { readMessages } from "./read-messages.ts";
import { readOutputShape } from "./read-output-shape.ts";
import { readReasoning } from "./read-reasoning.ts";
import { readToolChoice } from "./read-tool-choice.ts";
import { readTools } from "./read-tools.ts";

/** Members that are read here whatever their value, or that mean nothing in another format. */
const knownMembers: ReadonlySet<string> = new Set([
  ...openAiFields,
  "model",
  "messages",
  "stream",
  "tools",
  "functions",
  "web_search_options",
  "max_tokens",
  "max_completion_tokens",
]);

export function readRequest(body: JsonObject): ModelRequest {
  const unsupported = droppedPaths();
  const fields = fieldReader(body, unsupported);
  const parameters = readParameters(body, "chat");
  const messages = readMessages(body["messages"], unsupported);
  const tools = readTools(body, unsupported);
  const reasoning = readReasoning(fields);
  const limits = readLimits(fields);
  const used = new Set([...knownMembers, ...fields.used, ...parameters.used]);
  // Plain text is what everyone gets who asks for nothing.
  if (asObject(body["response_format"])?.["type"] === "text") used.add("response_format");
  for (const name in body) if (isSet(body[name]) && !used.has(name)) unsupported.add(name);
  return {
    format: "chat",
    model: asString(body["model"]) ?? "",
    stream: body["stream"] === true,
    wantsUsage: wantsUsage(body),
    messages,
    tools,
    sampling: parameters.sampling,
    ...parameters.settings,
    ...limits,
    ...(reasoning && { reasoning }),
    unsupported: [...unsupported],
    paths: { ...parameters.paths, ...reported(fields.paths, limits.output) },
    openaiOnly: readOpenAiOnly(body),
  };
}

type Limits = Pick<ModelRequest, "stop" | "maxOutput" | "parallelTools" | "choice" | "output">;

function readLimits(fields: FieldReader): Limits {
  const maxOutput = fields.take("maxOutput", ["max_completion_tokens", "max_tokens"], asNumber);
  const parallelTools = fields.take("parallelTools", ["parallel_tool_calls"], (value) =>
    typeof value === "boolean" ? value : undefined,
  );
  const choice = fields.take("choice", ["tool_choice", "function_call"], readToolChoice);
  const output = fields.take("output", ["response_format"], readOutputShape);
  return {
    stop: fields.take("stop", ["stop"], readStop) ?? [],
    ...(maxOutput !== undefined && { maxOutput }),
    ...(parallelTools !== undefined && { parallelTools }),
    ...(choice !== undefined && { choice }),
    ...(output !== undefined && { output }),
  };
}

function readStop(value: JsonValue | undefined): string[] | undefined {
  if (typeof value === "string") return [value];
  const list = asArray(value).filter((entry) => typeof entry === "string");
  return list.length > 0 ? list : undefined;
}

/** The paths that reports may name. The effort's field is one of those that are left out without a header. */
function reported(paths: RequestPaths, output: OutputShape | undefined): RequestPaths {
  const { reasoning, ...rest } = paths;
  const strict = output?.type === "schema" && output.strict !== undefined;
  return {
    ...rest,
    ...(reasoning !== undefined && reasoning !== "reasoning_effort" && { reasoning }),
    ...(strict && { outputStrict: "response_format.json_schema.strict" }),
  };
}

function readOpenAiOnly(body: JsonObject): ModelRequest["openaiOnly"] {
  const set = openAiFields.filter((field) => body[field] !== undefined && body[field] !== null);
  return Object.fromEntries(set.map((field) => [field, body[field]]));
}
