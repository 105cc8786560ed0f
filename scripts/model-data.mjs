/**
 * Writes the table of models, context windows and prices that the gateway starts with, out of the kept
 * package @pydantic/genai-prices: `node scripts/model-data.mjs`. The package itself is 830 KB of
 * JavaScript that every start would have to run; the table is text that is read for one provider at a time.
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { findProvider } from "@pydantic/genai-prices";

/**
 * The package's provider ids that some catalogue record names as its source of models. In this order the table
 * compresses best.
 */
const sources = [
  "aws",
  "anthropic",
  "google",
  "openai",
  "cohere",
  "minimax",
  "deepseek",
  "fireworks",
  "groq",
  "moonshotai",
  "cerebras",
  "azure",
  "mistral",
  "huggingface_together",
  "github-copilot",
  "openrouter",
  "x-ai",
  "zai",
  "perplexity",
  "together",
];

const priceKeys = [
  "input_mtok",
  "output_mtok",
  "cache_read_mtok",
  "cache_write_mtok",
  "cache_write_1h_mtok",
];

/** Prices of tokens that are no text, and of an hour of audio, by their signs in the table. */
const mediaKeys = {
  input_image_mtok: "i",
  input_audio_mtok: "a",
  cache_image_read_mtok: "c",
  cache_audio_read_mtok: "s",
  output_image_mtok: "I",
  output_audio_mtok: "A",
  input_audio_hours: "h",
};

/** `[input, output, cacheRead, cacheWrite, cacheWrite1h]`, null = unknown, and the steps of long prompts. */
function priceRow(prices) {
  const base = priceKeys.map((key) => {
    const price = prices[key];
    return price === undefined ? null : typeof price === "number" ? price : price.base;
  });
  const steps = new Map();
  for (const [index, key] of priceKeys.entries()) {
    const price = prices[key];
    if (price === undefined || typeof price === "number") continue;
    for (const tier of price.tiers) {
      const row = steps.get(tier.start) ?? [tier.start];
      row[index + 1] = tier.price;
      steps.set(tier.start, row);
    }
  }
  while (base.at(-1) === null) base.pop();
  // An embedding writes nothing.
  if (base.length === 1) base.push(0);
  const row = { p: base };
  const media = Object.entries(mediaKeys).filter(([key]) => typeof prices[key] === "number");
  if (media.length > 0) row.x = Object.fromEntries(media.map(([key, sign]) => [sign, prices[key]]));
  if (steps.size > 0)
    row.t = [...steps.values()].map((step) => Array.from(step, (value) => value ?? null));
  return row;
}

function priceRows(prices) {
  const list = Array.isArray(prices) ? prices : [{ prices }];
  return list.map(({ constraint, prices: row }) => ({
    ...priceRow(row),
    ...(constraint?.type === "start_date" && { from: constraint.start_date }),
    ...(constraint?.type === "time_of_date" && {
      daily: [constraint.start_time, constraint.end_time],
    }),
  }));
}

/** OpenRouter's own list names its models; the others' names stand in the table. */
const namedByList = new Set(["openrouter"]);

function modelRow(source, model) {
  const match = simplest(model);
  return {
    id: model.id,
    ...(model.name !== undefined && !namedByList.has(source) && { n: model.name }),
    ...(model.context_window !== undefined && { w: model.context_window }),
    ...(model.deprecated === true && { old: 1 }),
    ...(match !== undefined && { m: match }),
    c: priceRows(model.prices),
  };
}

/** The match in lower case, without what other parts or the id itself say. */
function simplest({ id, match }) {
  const texts = new Set((match.or ?? [match]).map((part) => JSON.stringify(lowered(part))));
  const parts = [...texts].map((text) => JSON.parse(text));
  const left = parts.filter(
    (part) => part.equals !== id.toLowerCase() && !parts.some((other) => implies(other, part)),
  );
  return left.length > 1 ? { or: left } : left[0];
}

function lowered(part) {
  if (part.and !== undefined) return { and: part.and.map(lowered) };
  const [[kind, text]] = Object.entries(part);
  return kind === "regex" ? part : { [kind]: text.toLowerCase() };
}

/** Whether every name that fits `part` fits `other`, too. */
function implies(other, part) {
  if (other === part) return false;
  const [[kind, text]] = Object.entries(part);
  if (kind === "regex" || kind === "and") return false;
  const exact = kind === "equals";
  if (other.contains !== undefined) return text.includes(other.contains);
  if (other.starts_with !== undefined)
    return (exact || kind === "starts_with") && text.startsWith(other.starts_with);
  return other.ends_with !== undefined && (exact || kind === "ends_with")
    ? text.endsWith(other.ends_with)
    : false;
}

/** What is charged by tokens, by input tokens alone for embeddings, or by the hour of audio. */
function isBillable(model) {
  const rows = Array.isArray(model.prices) ? model.prices.map((row) => row.prices) : [model.prices];
  return rows.some(
    (row) =>
      row.output_mtok !== undefined ||
      Object.keys(row).every((key) => key.endsWith("audio_hours")) ||
      (row.input_mtok !== undefined && model.id.includes("embed")),
  );
}

/** The rows of every source, as `tableOf` gives them. */
export function modelRows() {
  return Object.fromEntries(
    sources.map((source) => {
      const provider = findProvider({ providerId: source });
      if (provider === undefined) throw new Error(`the package knows no provider ${source}`);
      return [source, provider.models.filter(isBillable).map((row) => modelRow(source, row))];
    }),
  );
}

const signs = { equals: "=", starts_with: "^", ends_with: "$", contains: "*", regex: "/" };

function matchText(match, id) {
  const parts = match === undefined ? [] : (match.or ?? [match]);
  return parts
    .map((part) => (part.and ?? [part]).map((each) => partText(each, id)).join("+"))
    .join(" ");
}

function partText(part, id) {
  const [[kind, text]] = Object.entries(part);
  const [whole, stem] = [id.toLowerCase(), stemOf(id.toLowerCase())];
  if (kind === "regex") return `/${text.replace(whole.replaceAll(".", "\\."), "&")}`;
  return signs[kind] + (text.includes(whole) ? text.replace(whole, "&") : text.replace(stem, "%"));
}

/** An id of Bedrock without region and version. */
function stemOf(id) {
  return id.replace(/^regional\./, "").replace(/-v\d(:\d)?$/, "");
}

function nameText(name, id) {
  if (name === undefined) return "";
  const last = id.slice(id.lastIndexOf("/") + 1);
  if (name === last) return "&";
  return name === inWords(last) ? "%" : name;
}

/** An id as its maker would write it. */
function inWords(id) {
  const words = id.replace(/[-_]/g, " ").replace(/(?<=^| )./g, (letter) => letter.toUpperCase());
  return words.replace(/^Gpt /, "GPT-").replace(/(?<= \d) (?=\d\b)/, ".");
}

function pricesText({ p, t = [], x = {}, from, daily }) {
  const lists = [numbersText(p), ...t.map(([start, ...step]) => `${start},${numbersText(step)}`)];
  const media = Object.entries(x).map(([sign, price]) => `~${sign}${short(price)}`);
  const when = from ?? daily?.join("-");
  return lists.join(">") + media.join("") + (when === undefined ? "" : `@${when}`);
}

/** Shares of the input price that most providers ask for a cache read, a cache write, and one for an hour. */
const usualShares = [undefined, undefined, 0.1, 1.25, 2];

function numbersText(prices) {
  return prices.map((price, column) => {
    if (price === null) return "?";
    const usual = Number((prices[0] * usualShares[column]).toPrecision(12));
    return price === usual ? "" : short(price);
  });
}

function short(price) {
  return String(price).replace(/^0\./, ".");
}

/** One line of the table; `vendor` is what stands before the slash in the line before. */
function rowText({ id, n, w, old, m, c }, vendor) {
  const name = vendor !== "" && id.startsWith(`${vendor}/`) ? id.slice(vendor.length) : id;
  const prices = c.map(pricesText).join(" ");
  const columns = [name, prices, w ?? "", nameText(n, id), matchText(m, id), old ?? ""];
  return columns.join(";").replace(/;+$/, "");
}

function sourceText(rows) {
  const vendors = rows.map(({ id }) => id.slice(0, Math.max(0, id.indexOf("/"))));
  return rows.map((row, at) => rowText(row, vendors[at - 1] ?? "")).join("\n");
}

/** The module that holds the table. */
export function modelData() {
  const lines = Object.entries(modelRows()).map(([source, rows]) => {
    const text = sourceText(rows).replaceAll("\\", "\\\\");
    return `  ${JSON.stringify(source)}: \`${text}\`,`;
  });
  return `${[
    "// Written by scripts/model-data.mjs out of @pydantic/genai-prices (MIT). Do not edit.",
    "",
    "/** Text by source: a model a line, as `readRows` reads it. */",
    "export const modelData: Readonly<Record<string, string>> = {",
    ...lines,
    "};",
  ].join("\n")}\n`;
}

const target = new URL("../src/providers/catalogue/model-data.ts", import.meta.url);
if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(target, modelData());
