/**
 * What makers charge beside or on top of the token prices of the table: factors of service tiers, fees of their own
 * tools. Sources: OpenAI's pricing and priority processing pages, Anthropic's pricing and fast mode pages, Google's
 * Gemini API pricing and optimization pages. Not listed, so charged at the usual prices: prepaid capacity (`scale`,
 * Anthropic's `priority`), data residency, containers of code execution, searches of chat models that report none.
 */
import type { ModelRule } from "./record.ts";

const halfPrice = { flex: 0.5, batch: 0.5 };

/** OpenAI's own service. */
export const openAiFees: readonly ModelRule[] = [
  {
    match: ["*"],
    prices: {
      serviceTiers: { ...halfPrice, priority: 2 },
      toolUses: { webSearch: { perThousand: 10 }, fileSearch: { perThousand: 2.5 } },
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
];

/** Anthropic's own service; `fast` is its fast mode. */
export const claudeFees: readonly ModelRule[] = [
  {
    match: ["*"],
    prices: { serviceTiers: { batch: 0.5 }, toolUses: { webSearch: { perThousand: 10 } } },
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
      toolUses: { webSearch: { perThousand: 14 } },
    },
  },
  {
    match: ["*gemini-2*"],
    prices: { toolUses: { webSearch: { perThousand: 35, onceAnAnswer: true } } },
  },
];
