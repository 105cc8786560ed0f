/** A provider's model list, in any of the shapes that providers give it. */
import type { ModelInfo, Prices } from "../../core/model.ts";
import {
  asNumber,
  asObject,
  asString,
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../lib/json.ts";
import type { ListSpec } from "../catalogue/record.ts";

/** Whose lists look like this one. */
export type ListShape = "chat" | "messages" | "gemini";

export interface ListPage {
  models: ModelInfo[];
  shape: ListShape;
  /** Query of the next page; absent on the last. */
  next?: Record<string, string>;
}

/** Reads one page: `data[]`, `models[]` or a bare array. Undefined when it is no list at all. */
export function readListPage(body: JsonValue, spec: ListSpec): ListPage | undefined {
  const items = Array.isArray(body)
    ? body
    : isObject(body)
      ? (body["data"] ?? body["models"])
      : undefined;
  if (!Array.isArray(items)) return undefined;
  const models = items.map((item) => readModel(item, spec)).filter((info) => info !== undefined);
  const next = isObject(body) ? nextPage(body) : undefined;
  return { models, shape: shapeOf(body, items), ...(next && { next }) };
}

function shapeOf(body: JsonValue, items: readonly JsonValue[]): ListShape {
  const first = asObject(items[0]);
  if (first === undefined || !isObject(body)) return "chat";
  if (Array.isArray(first["supportedGenerationMethods"])) return "gemini";
  return first["type"] === "model" && body["has_more"] !== undefined ? "messages" : "chat";
}

function nextPage(body: JsonObject): Record<string, string> | undefined {
  const token = asString(body["nextPageToken"]) ?? asString(body["next_page_token"]);
  if (token !== undefined && token !== "")
    return body["nextPageToken"] === undefined ? { page_token: token } : { pageToken: token };
  const last = asString(body["last_id"]);
  return body["has_more"] === true && last !== undefined ? { after_id: last } : undefined;
}

function readModel(item: JsonValue, spec: ListSpec): ModelInfo | undefined {
  if (!isObject(item)) return typeof item === "string" && isId(item) ? { id: item } : undefined;
  const name = asString(item["name"])?.replace(/^models\//, "");
  const id = asString(item["id"])?.replace(/^models\//, "") ?? name;
  if (id === undefined || !isId(id) || !canTalk(item)) return undefined;
  const shown =
    asString(item["display_name"]) ??
    asString(item["displayName"]) ??
    (name === id ? undefined : name);
  return withoutUnknown({
    id,
    displayName: shown?.slice(0, longestName),
    contextWindow: firstCount(item, windowPaths),
    maxOutput: firstCount(item, outputPaths),
    inputModalities: wordList(
      at(item, "architecture.input_modalities") ?? item["supported_input_modalities"],
    ),
    outputModalities: wordList(
      at(item, "architecture.output_modalities") ?? item["supported_output_modalities"],
    ),
    features: readFeatures(item),
    structured: textList(item["supported_parameters"])?.includes("structured_outputs"),
    supportedEndpoints: wordList(item["supported_endpoints"]),
    prices: readPrices(item["pricing"], spec.prices),
    created: readCreated(item["created_at"] ?? item["created"]),
  });
}

/** Before this nobody published a model: the number means something else. 2015-01-01. */
const firstModels = 1_420_070_400_000;

/** Unix seconds or an ISO date, as epoch ms. */
function readCreated(value: JsonValue | undefined): number | undefined {
  const time = typeof value === "string" ? Date.parse(value) : (asNumber(value) ?? 0) * 1000;
  return Number.isFinite(time) && time >= firstModels ? time : undefined;
}

type Loose = { [Member in keyof ModelInfo]: ModelInfo[Member] | undefined } & { id: string };

function withoutUnknown(loose: Loose): ModelInfo {
  const known = Object.entries(loose).filter(([, value]) => value !== undefined);
  // Exactly the members of `loose` that have a value, `id` among them.
  return Object.fromEntries(known) as unknown as ModelInfo;
}

/** Ids go into paths, headers and pages: no control characters, no endless ones. */
function isId(id: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return id !== "" && id.length <= 512 && !/[\u0000-\u001f\u007f]/.test(id);
}

const otherKinds = new Set([
  "embedding",
  "embeddings",
  "image",
  "audio",
  "video",
  "rerank",
  "moderation",
  "transcribe",
  "transcription",
  "speech",
]);

/** Whether the list itself says that no conversation can be held with it. */
function canTalk(item: JsonObject): boolean {
  const kind = asString(item["type"]) ?? asString(at(item, "capabilities.type"));
  if (kind !== undefined && otherKinds.has(kind.toLowerCase())) return false;
  if (item["active"] === false || at(item, "capabilities.completion_chat") === false) return false;
  const methods = item["supportedGenerationMethods"];
  if (Array.isArray(methods) && !methods.includes("generateContent")) return false;
  const output = textList(
    at(item, "architecture.output_modalities") ?? item["supported_output_modalities"],
  );
  return output === undefined || output.includes("text");
}

const windowPaths = [
  "context_length",
  "context_window",
  "max_context_length",
  "inputTokenLimit",
  "max_model_len",
  "max_input_tokens",
  "capabilities.limits.max_context_window_tokens",
  "limits.max_input_tokens",
  "top_provider.context_length",
  "meta.n_ctx_train",
];

const outputPaths = [
  "outputTokenLimit",
  "max_output_tokens",
  "max_completion_tokens",
  "top_provider.max_completion_tokens",
  "capabilities.limits.max_output_tokens",
  "limits.max_output_tokens",
];

function firstCount(item: JsonObject, paths: readonly string[]): number | undefined {
  for (const path of paths) {
    const count = asNumber(at(item, path));
    if (count !== undefined && Number.isInteger(count) && count > 0) return count;
  }
  return undefined;
}

function at(item: JsonObject, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = item;
  for (const name of path.split(".")) value = asObject(value)?.[name];
  return value;
}

function textList(value: JsonValue | undefined): string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const list = value.filter((word) => typeof word === "string");
  return list.length > 0 ? list : undefined;
}

/** What is kept of a model has bounds: characters of its name, words of a list, characters of a word. */
const longestName = 200;
const mostWords = 32;
const longestWord = 64;

function wordList(value: JsonValue | undefined): string[] | undefined {
  const words = textList(value)?.filter((word) => word.length <= longestWord);
  return words === undefined || words.length === 0 ? undefined : words.slice(0, mostWords);
}

/** Only lists that speak of capabilities at all say anything by leaving one out. */
function readFeatures(item: JsonObject): string[] | undefined {
  const parameters = textList(item["supported_parameters"]);
  if (parameters !== undefined) {
    const known = [
      ["tools", "tools"],
      ["reasoning", "reasoning"],
      ["structured_outputs", "structured_output"],
    ] as const;
    return [
      "stream",
      ...known.filter(([name]) => parameters.includes(name)).map(([, feature]) => feature),
    ];
  }
  const calls =
    at(item, "capabilities.function_calling") ?? at(item, "capabilities.supports.tool_calls");
  if (typeof calls !== "boolean") return undefined;
  return calls ? ["stream", "tools"] : ["stream"];
}

function readPrices(value: JsonValue | undefined, unit: ListSpec["prices"]): Prices | undefined {
  const pricing = asObject(value);
  if (pricing === undefined || unit === undefined) return undefined;
  const perToken = unit === "per_token";
  const factor = perToken ? 1_000_000 : 1;
  const read = (name: string): number | undefined => {
    const amount =
      typeof pricing[name] === "string" ? Number(pricing[name]) : asNumber(pricing[name]);
    // A negative price means that it varies.
    if (amount === undefined || !Number.isFinite(amount) || amount < 0) return undefined;
    return Number((amount * factor).toFixed(6));
  };
  const input = read(perToken ? "prompt" : "input");
  const output = read(perToken ? "completion" : "output");
  const cacheRead = read(perToken ? "input_cache_read" : "cached_input");
  const cacheWrite = read("input_cache_write");
  const media = knownNumbers({
    inputImage: read("image_token"),
    inputAudio: read("audio"),
    cachedAudio: read("input_audio_cache"),
    outputImage: read("image_output"),
    outputAudio: read("audio_output"),
  });
  const fees = perToken ? listedFees(read) : {};
  if (input === undefined && output === undefined) return undefined;
  return {
    ...(input !== undefined && { input }),
    ...(output !== undefined && { output }),
    ...(cacheRead !== undefined && { cacheRead }),
    ...(cacheWrite !== undefined && { cacheWrite }),
    ...(media && { media }),
    ...fees,
  };
}

/** Of one answer and one search: `read` gives them for a million. */
function listedFees(read: (name: string) => number | undefined): Prices {
  const [answer, search] = [read("request"), read("web_search")];
  return {
    ...(answer !== undefined && answer > 0 && { answers: { "": answer / 1000 } }),
    ...(search !== undefined &&
      search > 0 && { toolUses: { webSearch: { perThousand: search / 1000 } } }),
  };
}

/** A price of 0 beside a paid one means that nothing is said of that kind. */
function knownNumbers(
  read: Readonly<Record<string, number | undefined>>,
): Prices["media"] | undefined {
  const known = Object.entries(read).filter(([, price]) => price !== undefined && price > 0);
  return known.length === 0 ? undefined : Object.fromEntries(known);
}
