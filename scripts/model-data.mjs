/**
 * Writes the table of models, context windows and prices that the gateway starts with, out of the kept
 * package @pydantic/genai-prices: `node scripts/model-data.mjs`. The package itself is 830 KB of
 * JavaScript that every start would have to run; the table is text that is parsed for one provider at a time.
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { findProvider } from "@pydantic/genai-prices";

/** The package's provider ids that some catalogue record names as its source of models. */
const sources = [
  "anthropic",
  "aws",
  "azure",
  "cerebras",
  "cohere",
  "deepseek",
  "fireworks",
  "github-copilot",
  "google",
  "groq",
  "huggingface_together",
  "minimax",
  "mistral",
  "moonshotai",
  "openai",
  "openrouter",
  "perplexity",
  "together",
  "x-ai",
  "zai",
];

const priceKeys = [
  "input_mtok",
  "output_mtok",
  "cache_read_mtok",
  "cache_write_mtok",
  "cache_write_1h_mtok",
];

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
  const row = { p: base };
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

function modelRow(model) {
  const plain = "equals" in model.match && model.match.equals === model.id;
  return {
    id: model.id,
    ...(model.name !== undefined && { n: model.name }),
    ...(model.context_window !== undefined && { w: model.context_window }),
    ...(model.deprecated === true && { old: 1 }),
    ...(!plain && { m: model.match }),
    c: priceRows(model.prices),
  };
}

/** Only what is charged by input tokens can answer a request here. */
function billedByToken(model) {
  const rows = Array.isArray(model.prices) ? model.prices.map((row) => row.prices) : [model.prices];
  return rows.some((row) => row.output_mtok !== undefined || Object.keys(row).length === 0);
}

export function modelData() {
  const lines = sources.map((id) => {
    const provider = findProvider({ providerId: id });
    if (provider === undefined) throw new Error(`the package knows no provider ${id}`);
    const rows = provider.models.filter(billedByToken).map(modelRow);
    return `  ${JSON.stringify(id)}:\n    ${JSON.stringify(JSON.stringify(rows))},`;
  });
  return `${[
    "// Written by scripts/model-data.mjs out of @pydantic/genai-prices (MIT). Do not edit.",
    "",
    "/** JSON text by source: rows of models with windows, name patterns and prices. */",
    "export const modelData: Readonly<Record<string, string>> = {",
    ...lines,
    "};",
  ].join("\n")}\n`;
}

const target = new URL("../src/providers/catalogue/model-data.ts", import.meta.url);
if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(target, modelData());
