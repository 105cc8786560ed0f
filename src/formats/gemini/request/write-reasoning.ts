/** How hard to think, as Gemini's `thinkingConfig`. */
import {
  asksForEffort,
  effortToBudget,
  effortWord,
  nearestEffort,
} from "../../../translation/effort.ts";
import type { Target } from "../../../core/model.ts";
import type { Reasoning } from "../../../core/request.ts";
import type { JsonObject } from "../../../lib/json.ts";
import { noteUnsupported, type WriteContext } from "../../../translation/write-context.ts";

/** Largest thinking budget that all models with budgets take. */
const largestBudget = 24_576;
/** Least budget of models that cannot stop thinking. */
const leastBudget = 128;

/** A word from models that know levels, tokens for those that know budgets. */
export function writeReasoning(context: WriteContext): JsonObject {
  const { reasoning } = context.request;
  if (!reasoning) return {};
  const kind = context.target.traits.reasoning;
  const asked =
    kind === "none"
      ? {}
      : kind === "budget"
        ? budgetOf(reasoning, context.request.maxOutput, context.target)
        : levelOf(reasoning, context.target);
  if (Object.keys(asked).length === 0 && asksForEffort(reasoning)) {
    // OpenAI's field for effort is one of those that are reported in the log alone.
    if (context.request.openaiOnly.reasoning_effort !== undefined)
      context.quiet.add("reasoning_effort");
    else noteUnsupported("reasoning", context);
  }
  if (kind === "none") {
    if (reasoning.summary !== undefined) noteUnsupported("reasoningSummary", context);
    return {};
  }
  const off =
    asked["thinkingBudget"] === 0 || reasoning.mode === "off" || reasoning.effort === "none";
  const shown = !off && !isHidden(context);
  if (Object.keys(asked).length === 0 && !shown) return {};
  return { thinkingConfig: { ...asked, ...(shown && { includeThoughts: true }) } };
}

/** These clients say how they want to see thoughts; saying nothing of it is how they leave them out. */
function isHidden({ request }: WriteContext): boolean {
  const says = request.format === "messages" || request.format === "gemini";
  return says && request.reasoning?.summary === undefined;
}

/** What a saved word of effort becomes for a model; undefined where it says nothing there. */
export function effortConfig(
  effort: string,
  maxOutput: number | undefined,
  target: Target,
): JsonObject | undefined {
  const kind = target.traits.reasoning;
  if (kind === "none") return undefined;
  const config =
    kind === "budget" ? budgetOf({ effort }, maxOutput, target) : levelOf({ effort }, target);
  return Object.keys(config).length === 0 ? undefined : config;
}

function budgetOf(reasoning: Reasoning, maxOutput: number | undefined, target: Target): JsonObject {
  if (reasoning.mode === "off" || reasoning.effort === "none" || reasoning.budget === 0) {
    const { efforts } = target.traits;
    return { thinkingBudget: efforts.includes("none") ? 0 : leastBudget };
  }
  if (reasoning.effort !== undefined) {
    const tokens = effortToBudget(reasoning.effort, maxOutput);
    if (tokens !== undefined) return { thinkingBudget: Math.min(tokens, largestBudget) };
    return maxOutput === undefined
      ? {}
      : { thinkingBudget: Math.min(leastBudget, Math.max(0, maxOutput - 1)) };
  }
  if (reasoning.budget !== undefined)
    return { thinkingBudget: Math.min(reasoning.budget, largestBudget) };
  return reasoning.mode === "adaptive" ? { thinkingBudget: -1 } : {};
}

function levelOf(reasoning: Reasoning, target: Target): JsonObject {
  const effort = effortWord(reasoning);
  if (effort === undefined) return {};
  const known = target.traits.efforts.filter((word) => Object.hasOwn(levels, word));
  const word = nearestEffort(effort, known);
  const level = word === undefined ? undefined : levels[word];
  return level === undefined ? {} : { thinkingLevel: level };
}

const levels: Record<string, string> = {
  none: "MINIMAL",
  minimal: "MINIMAL",
  low: "LOW",
  medium: "MEDIUM",
  high: "HIGH",
  xhigh: "HIGH",
  max: "HIGH",
};
