/** How hard to think: words on one side, tokens on the other. */
import type { Reasoning } from "../core/request.ts";

/** Weakest first. */
const ladder = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];

const budgets: Record<string, number> = {
  minimal: 1024,
  low: 1024,
  medium: 4096,
  high: 16384,
  xhigh: 32768,
  max: 63999,
};

/** Least number of tokens that a provider takes as a thinking budget. */
const leastBudget = 1024;

/**
 * Tokens to think with, below `maxTokens`; undefined when the word means no thinking or is unknown, or when the
 * limit leaves no room for the least budget.
 */
export function effortToBudget(effort: string, maxTokens?: number): number | undefined {
  const wanted = Object.hasOwn(budgets, effort) ? budgets[effort] : undefined;
  if (wanted === undefined) return undefined;
  const room = maxTokens === undefined ? wanted : Math.min(wanted, maxTokens - 1);
  return room < leastBudget ? undefined : room;
}

/** The word for a budget in tokens; 0 is `none`, a negative one (the provider decides) is `medium`. */
export function budgetToEffort(budget: number): string {
  if (budget === 0) return "none";
  if (budget < 0) return "medium";
  if (budget < 2048) return "low";
  if (budget < 8192) return "medium";
  return budget < 24576 ? "high" : "xhigh";
}

/** The word for what a client asked for; free thinking is `high`. Undefined when it asked for nothing. */
export function effortWord(reasoning: Reasoning): string | undefined {
  if (reasoning.mode === "off") return "none";
  if (reasoning.effort !== undefined) return reasoning.effort;
  if (reasoning.budget !== undefined) return budgetToEffort(reasoning.budget);
  return reasoning.mode === "adaptive" ? "high" : undefined;
}

/** Whether the client said anything of how hard to think. */
export function asksForEffort(reasoning: Reasoning): boolean {
  return (
    reasoning.effort !== undefined || reasoning.budget !== undefined || reasoning.mode !== undefined
  );
}

/**
 * The word of `known` (weakest first) nearest to `effort`; between two equally near ones the stronger. Undefined
 * when nothing is known or the word is none of the ladder's.
 */
export function nearestEffort(effort: string, known: readonly string[]): string | undefined {
  if (known.includes(effort)) return effort;
  const rank = ladder.indexOf(effort);
  if (rank < 0) return undefined;
  let best: string | undefined;
  let bestDistance = Infinity;
  for (const word of known) {
    const distance = Math.abs(ladder.indexOf(word) - rank);
    if (ladder.includes(word) && distance <= bestDistance) [best, bestDistance] = [word, distance];
  }
  return best;
}
