/**
 * What makers charge beside or on top of the token prices of the table: factors of service tiers and regions, fees of
 * their own tools and of answers, tokens that are no text. Sources: OpenAI's pricing, priority processing, image generation and
 * model pages; Anthropic's pricing, fast mode, data residency and code execution pages; Google's Gemini API pricing and
 * optimization pages; pricing pages of xAI, Perplexity and OpenRouter. Not listed, so charged at the usual prices: prepaid
 * capacity (`scale`, Anthropic's `priority`). Free allowances (searches of a day, hours of containers) are not subtracted.
 */
import type { ToolFee } from "../../core/model.ts";
import type { ModelRule } from "./record.ts";

const halfPrice = { flex: 0.5, batch: 0.5 };
const free: ToolFee = { perThousand: 0 };

/** Output tokens of an image by its quality and size: square, tall, wide. */
const imageTokens = {
  low: [272, 408, 400],
  medium: [1056, 1584, 1568],
  high: [4160, 6240, 6208],
} as const;
const imageSizes = ["1024x1024", "1024x1536", "1536x1024"] as const;

/** USD for an image of those sizes, where the model page has other figures than these tokens would give. */
const smallImages = {
  low: [0.005, 0.006, 0.006],
  medium: [0.011, 0.015, 0.015],
  high: [0.036, 0.052, 0.052],
} as const;

type ImageTable = Readonly<Record<keyof typeof imageTokens, readonly number[]>>;

/** Fees of images that a tool makes; `unit`: USD for one number of the table. */
function imageFees(model: string, table: ImageTable, unit: number): Record<string, ToolFee> {
  const fees: Record<string, ToolFee> = {};
  for (const [quality, row] of Object.entries(table))
    row.forEach((number, at) => {
      const use = `image_generation:${quality}:${imageSizes[at]}:${model}`;
      fees[use] = { perThousand: number * unit * 1000 };
    });
  return fees;
}

/** A session of a container by its memory; one gigabyte where nothing is said. */
const containers = {
  container: { perThousand: 30 },
  "container:1g": { perThousand: 30 },
  "container:4g": { perThousand: 120 },
  "container:16g": { perThousand: 480 },
  "container:64g": { perThousand: 1920 },
};

/** OpenAI's own service. */
export const openAiFees: readonly ModelRule[] = [
  {
    match: ["*"],
    prices: {
      serviceTiers: { ...halfPrice, priority: 2 },
      toolUses: {
        webSearch: { perThousand: 10 },
        "webSearch:preview": { perThousand: 10 },
        fileSearch: { perThousand: 2.5 },
        // It runs in a container, which is what is charged.
        code_interpreter: free,
        ...containers,
        ...imageFees("gpt-image-1", imageTokens, 40e-6),
        ...imageFees("gpt-image-1.5", imageTokens, 32e-6),
        ...imageFees("gpt-image-2", imageTokens, 30e-6),
        ...imageFees("gpt-image-1-mini", smallImages, 1),
      },
    },
  },
  {
    match: ["gpt-4.1*", "o3*"],
    prices: { serviceTiers: { ...halfPrice, priority: 1.75 } },
  },
  { match: ["gpt-4o*"], prices: { serviceTiers: { ...halfPrice, priority: 1.7 } } },
  { match: ["gpt-5-mini*"], prices: { serviceTiers: { ...halfPrice, priority: 1.8 } } },
  { match: ["o4-mini*"], prices: { serviceTiers: { ...halfPrice, priority: 2 / 1.1 } } },
  { match: ["gpt-5.5*"], prices: { serviceTiers: { ...halfPrice, priority: 2.5 } } },
  // Models that don't reason are not charged for the text that this tool finds.
  {
    match: ["gpt-4o*", "gpt-4.1*"],
    prices: { toolUses: { "webSearch:preview": { perThousand: 25 } } },
  },
  // Such models search for every answer.
  {
    match: ["*-search-preview*"],
    prices: { answers: { "": 25 }, toolUses: { webSearch: free } },
  },
  { match: ["*-search-api*"], prices: { answers: { "": 10 }, toolUses: { webSearch: free } } },
  { match: ["gpt-4o*audio*"], prices: { media: { inputAudio: 40, outputAudio: 80 } } },
  { match: ["gpt-4o-mini*audio*"], prices: { media: { inputAudio: 10, outputAudio: 20 } } },
];

/** The least that an answer which runs code is charged: five minutes of a container at $0.05 an hour. */
const fiveMinutes = { perThousand: (1000 * 0.05 * 5) / 60, onceAnAnswer: true } as const;

/** Anthropic's own service; `fast` is its fast mode. */
export const claudeFees: readonly ModelRule[] = [
  {
    match: ["*"],
    prices: {
      serviceTiers: { batch: 0.5 },
      regions: { us: 1.1 },
      toolUses: {
        webSearch: { perThousand: 10 },
        web_fetch: free,
        code_execution: fiveMinutes,
        // Beside newer search and fetch tools, which run code themselves.
        "code_execution:included": free,
      },
    },
  },
  { match: ["claude-opus*"], prices: { serviceTiers: { batch: 0.5, fast: 2 } } },
  {
    match: ["claude-opus-4-6*", "claude-opus-4-7*"],
    prices: { serviceTiers: { batch: 0.5, fast: 6 } },
  },
];

/** The Gemini API. Priority costs 75 to 100 % more. */
export const geminiFees: readonly ModelRule[] = [
  {
    match: ["*"],
    prices: {
      serviceTiers: { ...halfPrice, priority: 2 },
      toolUses: {
        webSearch: { perThousand: 14 },
        "webSearch:enterprise": { perThousand: 45 },
        map_search: { perThousand: 14 },
        // What these read and write is charged as tokens.
        fileSearch: free,
        url_context: free,
        code_execution: free,
      },
    },
  },
  {
    match: ["*gemini-2*"],
    prices: {
      toolUses: {
        webSearch: { perThousand: 35, onceAnAnswer: true },
        map_search: { perThousand: 25, onceAnAnswer: true },
      },
    },
  },
];

/** xAI; its answers state their cost themselves. */
export const grokFees: readonly ModelRule[] = [
  {
    match: ["*"],
    prices: {
      toolUses: {
        webSearch: { perThousand: 5 },
        x_search: { perThousand: 5 },
        code_interpreter: { perThousand: 5 },
        code_execution: { perThousand: 5 },
        fileSearch: { perThousand: 2.5 },
        container: free,
        search_source: { perThousand: 25 },
      },
    },
  },
];

/** Perplexity: a fee for each answer, by how much its search puts before the model; searches alone for deep research. */
export const sonarFees: readonly ModelRule[] = [
  {
    match: ["sonar", "sonar-reasoning"],
    prices: { answers: { low: 5, medium: 8, high: 12 }, toolUses: { webSearch: free } },
  },
  {
    match: ["sonar-pro", "sonar-reasoning-pro"],
    prices: { answers: { low: 6, medium: 10, high: 14 }, toolUses: { webSearch: free } },
  },
  { match: ["sonar-deep-research"], prices: { toolUses: { webSearch: { perThousand: 5 } } } },
];

/** Results that a search of OpenRouter's plugin gives where the request does not say, at $4 for a thousand of them. */
const usualResults = 5;
const resultFee: ToolFee = { perThousand: 4 };

/** OpenRouter; its answers state their cost themselves. */
export const openRouterFees: readonly ModelRule[] = [
  {
    match: ["*"],
    prices: {
      toolUses: {
        "plugin.web": resultFee,
        "plugin.file-parser": { perThousand: 2 },
        "plugin.file-parser:pdf-text": free,
        "plugin.file-parser:cloudflare-ai": free,
        "plugin.file-parser:native": free,
        "plugin.response-healing": free,
      },
    },
  },
  { match: ["*:online"], prices: { answers: { "": usualResults * resultFee.perThousand } } },
];
