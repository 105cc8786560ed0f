/** A request made fit for one provider: its model id, its names, the harness's saved parameters. */
import type { FormatName } from "../core/format-name.ts";
import type { Target } from "../core/model.ts";
import { openAiFields } from "../core/request.ts";
import { isObject, type JsonObject, type JsonValue } from "../lib/json.ts";
import type { HarnessEntry } from "../store/config.ts";
import { isChatParam, reservedParams, wireParams, writeExtra } from "./params.ts";

export { applyParams } from "./turn-params.ts";

/** Saved parameters by their names in OpenAI chat. */
export type Params = Readonly<Record<string, JsonValue>>;

export interface RelayInput {
  /** The client's body. It is not changed. */
  body: JsonObject;
  target: Target;
  params: Params;
  /** Forward it as it is, but for `model`. */
  plain?: boolean;
}

export interface Adapted {
  body: JsonObject;
  /** Paths left out without a header: the log lists them. */
  quiet: string[];
  /** The gateway asked for the usage chunk and the client did not: it is taken out of the answer again. */
  hidesUsage: boolean;
}

/** What a harness saved for one model: per-model values over general ones. */
export function paramsFor(
  harness: Pick<HarnessEntry, "params" | "model_params">,
  modelId: string,
): Params {
  const own =
    harness.model_params !== undefined && Object.hasOwn(harness.model_params, modelId)
      ? harness.model_params[modelId]
      : undefined;
  const merged = Object.create(null) as Record<string, JsonValue>; // Without a prototype no name can mean one.
  for (const source of [harness.params, own]) {
    for (const [name, value] of Object.entries(source ?? {})) {
      if (!reservedParams.has(name) && value !== undefined) merged[name] = value;
    }
  }
  return merged;
}

/** The client's body for a provider of the same dialect: a copy of its top level with what has to change. */
export function adaptRelay({ body, target, params, plain = false }: RelayInput): Adapted {
  const copy: JsonObject = { ...body, model: target.model };
  if (target.format === "gemini") delete copy["model"];
  if (plain) return { body: copy, quiet: [], hidesUsage: false };
  const quiet: string[] = [];
  const asked = wantsUsage(body);
  if (target.format === "chat" && target.traits.renamesMaxTokens) renameLimit(copy, target);
  quiet.push(...wireParams(copy, params, target));
  if (!target.traits.openAiFields) dropOpenAiFields(copy, quiet);
  return {
    body: copy,
    quiet: [...new Set(quiet)],
    hidesUsage: askForUsage(copy, target) && !asked,
  };
}

/**
 * Writes into a translated body, in place, the saved parameters that OpenAI chat has no word for: at the top
 * level, for Gemini in `generationConfig`. The others came through `applyParams`.
 */
export function writeExtraParams(body: JsonObject, params: Params, format: FormatName): void {
  for (const [name, value] of Object.entries(params)) {
    if (!isChatParam(name)) writeExtra(body, { name, value, format });
  }
}

function renameLimit(body: JsonObject, target: Target): void {
  const field = target.traits.maxTokensField;
  const other = field === "max_tokens" ? "max_completion_tokens" : "max_tokens";
  if (body[other] === undefined) return;
  body[field] ??= body[other];
  delete body[other];
}

function dropOpenAiFields(body: JsonObject, quiet: string[]): void {
  for (const field of openAiFields) {
    if (!Object.hasOwn(body, field)) continue;
    delete body[field];
    quiet.push(field);
  }
}

/** Streams of chat providers say what they used only when they are asked to. Whether they will. */
function askForUsage(body: JsonObject, target: Target): boolean {
  if (target.format !== "chat" || !target.stream || !target.traits.streamUsage) return false;
  const options = body["stream_options"];
  body["stream_options"] = { ...(isObject(options) ? options : {}), include_usage: true };
  return true;
}

function wantsUsage(body: JsonObject): boolean {
  const options = body["stream_options"];
  return isObject(options) && options["include_usage"] === true;
}
