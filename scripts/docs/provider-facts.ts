/** What the catalogue says of a provider, as the Markdown of its guide. */
import type { OperationName } from "../../src/core/operation-name.ts";
import type { ModelInfo, Traits } from "../../src/core/model.ts";
import { recordOf } from "../../src/providers/catalogue/kinds.ts";
import type { Endpoint, KindRecord } from "../../src/providers/catalogue/record.ts";
import { connectionOf, type Connection } from "../../src/providers/connection/connection.ts";
import { targetIn } from "../../src/providers/connection/target.ts";
import { guessedModel, modelsOf } from "../../src/providers/models/models.ts";

/** Prices are those of this moment, so that a page does not change between loads. */
export const pricedAt = Date.UTC(2026, 10, 1, 12);

const formatNames: Readonly<Record<string, string>> = {
  chat: "chat completions",
  responses: "Responses",
  messages: "Anthropic Messages",
  gemini: "Gemini",
};

const operationWords: Readonly<Record<OperationName, string>> = {
  embeddings: "embeddings",
  images: "images",
  image_edits: "image edits",
  speech: "speech",
  transcriptions: "transcriptions",
  translations: "audio translations",
  completions: "text completions",
  moderations: "moderations",
  rerank: "rerank",
};

/** A table of facts, and the models whose prices are known. Throws for a kind that the catalogue does not have. */
export function providerFacts(kind: string): string {
  const record = recordOf(kind);
  if (record === undefined) throw new Error(`there is no kind ${kind}`);
  const rows = [
    ["Kind", code(kind)],
    ["Base URL", addressOf(record)],
    ["Formats", formatsIn(record)],
    ...(record.regions === undefined ? [] : [["Regions", regionsOf(record)]]),
    ["API key", keyOf(record)],
    ["Model list", listOf(record)],
    ...abilities(kind, record),
    ["Other endpoints", operationsOf(record)],
    ...(record.inProcess === true || record.endpoints.length === 0
      ? []
      : [["Its documentation", `<${record.docs}>`]]),
  ];
  const table = ["| | |", "| --- | --- |", ...rows.map(([name, text]) => `| ${name} | ${text} |`)];
  return [...table, "", modelsTable(kind, record) + feesLine(record)].join("\n");
}

function code(text: string): string {
  return `\`${text}\``;
}

function addressOf({ baseUrl, baseUrlExample, inProcess }: KindRecord): string {
  if (inProcess === true) return "none: it is part of the gateway";
  if (baseUrl === undefined) return `yours, such as ${code(baseUrlExample ?? "")}`;
  return baseUrlExample === undefined
    ? code(baseUrl)
    : `${code(baseUrl)}, or ${code(baseUrlExample)}`;
}

function formatsIn({ endpoints }: KindRecord): string {
  if (endpoints.length === 0)
    return "the one that its entry names: chat, responses, messages or gemini";
  return endpoints.map(formatIn).join("; ");
}

function formatIn({ format, base, partial }: Endpoint): string {
  const where = base === undefined ? "" : ` (${code(base)})`;
  const when = partial === true ? ", for models that only support this format" : "";
  return `${formatNames[format] ?? format}${where}${when}`;
}

function regionsOf({ regions }: KindRecord): string {
  const all = Object.entries(regions ?? {});
  return all
    .map(([name, address]) => `${code(`"region": "${name}"`)}: ${code(address)}`)
    .join("; ");
}

function keyOf({ env, keyless, inProcess }: KindRecord): string {
  if (inProcess === true) return "none";
  const variables = (env ?? []).map(code).join(" or ");
  const imported = variables === "" ? "" : `; ${code("--import-env")} takes it from ${variables}`;
  return (keyless === true ? "optional" : "needed") + imported;
}

function listOf({ list, models, endpoints, offered }: KindRecord): string {
  if (models !== undefined) return "fixed";
  if (list === false)
    return offered === false
      ? "none: list your deployments under `models` of the entry"
      : "none: the gateway offers the models that it knows, and those under `models` of the entry";
  const own = "read from the provider";
  return endpoints.length === 0 ? `${own}, unless the entry has ${code("models")}` : own;
}

/** What its usual format can say; rules of model families say more. */
function abilities(kind: string, record: KindRecord): string[][] {
  if (record.inProcess === true || record.endpoints.length === 0) return [];
  const connection = connectionOf({ id: kind, kind, ...addressFor(record) });
  const model = guessedModel(connection, "some-model", pricedAt);
  const all = record.endpoints
    .filter(({ partial }) => partial !== true)
    .map(({ format }) => targetIn(model, format, true).traits);
  const able = (can: (traits: Traits) => boolean): string => (all.some(can) ? "yes" : "no");
  return [
    ["Images by URL", able(({ imageUrls }) => imageUrls)],
    ["Audio input", able(({ audio }) => audio)],
    ["Structured output", able(({ schemaOutput }) => schemaOutput)],
    ["Own web search", able(({ webSearch }) => webSearch)],
    ["Prompt caching", cachingOf(all)],
    ["Token counts", countsOf(record)],
  ];
}

function addressFor({ baseUrl }: KindRecord): { base_url?: string } {
  return baseUrl === undefined ? { base_url: "https://llm.example.com/v1" } : {};
}

function cachingOf(all: readonly Traits[]): string {
  if (all.some(({ promptCache }) => promptCache !== "none"))
    return "the gateway adds `cache_control` if the client sends none";
  return all.some(({ cacheKey }) => cacheKey)
    ? "by the provider itself; the gateway names sessions with `prompt_cache_key`"
    : "by the provider itself, if it has any";
}

function countsOf({ endpoints }: KindRecord): string {
  return endpoints.some(({ counts }) => counts === true)
    ? "the provider's own"
    : "estimated by the gateway";
}

function operationsOf({ operations }: KindRecord): string {
  const names = Object.keys(operations ?? {}) as OperationName[];
  return names.length === 0 ? "none" : names.map((name) => operationWords[name]).join(", ");
}

const shown = 12;
/** A host of more models than these is no list to read. */
const readable = 200;

/** Those of all its models. Uses without a fee are left out, and of each image model all but the square ones of the best quality. */
function feesLine(record: KindRecord): string {
  const fees = new Map<string, number>();
  for (const { match, prices } of record.rules ?? []) {
    if (!match.includes("*")) continue;
    for (const [use, { perThousand }] of Object.entries(prices?.toolUses ?? {}))
      if (perThousand > 0 && (use.split(":").length < 4 || use.includes(":high:1024x1024:")))
        fees.set(feeName(use), perThousand);
  }
  if (fees.size === 0) return "";
  const parts = [...fees].map(([name, usd]) => `${name} ${Number(usd.toPrecision(4))}`);
  return `\n\nFees for 1,000 uses of its tools (of some models they differ), in USD: ${parts.join(", ")}.`;
}

/** `webSearch` is `web search`; the parts behind colons stand in brackets. */
function feeName(use: string): string {
  const [name = "", ...parts] = use.split(":");
  const words = name
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/[_.]/g, " ");
  return parts.length === 0 ? words : `${words} (${parts.join(", ")})`;
}

function modelsTable(kind: string, record: KindRecord): string {
  if (record.inProcess === true) return "It costs $0.";
  if (record.port !== undefined)
    return "Local models cost $0, unless you set prices under `models` of the entry.";
  const models =
    record.endpoints.length === 0
      ? []
      : priced(connectionOf({ id: kind, kind, ...addressFor(record) }), record);
  if (models.length === 0) return pricesElsewhere(record);
  if (models.length > readable)
    return `The gateway knows the prices of ${models.length} of its models: the dashboard shows them, and \`GET /v1/models?cost=true\`.`;
  const rows = models.slice(0, shown).map(modelRow);
  const more = models.length > shown ? ` The newest ${shown} of ${models.length}, by version:` : "";
  return [
    `Prices in the gateway's catalogue, in USD per million tokens (1 November 2026; the provider's own price list is authoritative).${more}`,
    "",
    "| model | context | input | cached | output |",
    "| --- | --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}

function pricesElsewhere({ list }: KindRecord): string {
  if (list !== false && list.prices !== undefined)
    return "Prices come from the provider's own model list.";
  return "The gateway knows no prices for it: set them under `models` of the entry. Otherwise requests are marked `unpriced` and cost $0.";
}

/** Models of the table, as the gateway offers them, the highest version numbers first. */
function priced(connection: Connection, record: KindRecord): ModelInfo[] {
  if (record.source === undefined || record.offered === false) return [];
  const models = modelsOf(connection, undefined, pricedAt);
  return models
    .filter(({ prices }) => prices?.output !== undefined && prices.output > 0)
    .toSorted((a, b) => versionOf(b.id) - versionOf(a.id));
}

/** 5.5 of `claude-opus-5-5`; dates and sizes (`-20250514`, `-70b`) are no versions. */
function versionOf(id: string): number {
  const found = /(?<!\d)(\d{1,2})(?:[.-](\d{1,2}))?(?![\db])/.exec(id.slice(id.indexOf("/") + 1));
  return found === null ? 0 : Number(found[1]) + Number(found[2] ?? 0) / 100;
}

function modelRow({ id, contextWindow, prices }: ModelInfo): string {
  const window = contextWindow === undefined ? "" : contextWindow.toLocaleString("en");
  const cells = [
    code(id),
    window,
    price(prices?.input),
    price(prices?.cacheRead),
    price(prices?.output),
  ];
  return `| ${cells.join(" | ")} |`;
}

function price(usd: number | undefined): string {
  return usd === undefined ? "" : String(usd);
}
