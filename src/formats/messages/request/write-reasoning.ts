/** How hard to think, in the form that the model takes. */
import type { JsonObject } from "../../../lib/json.ts";
import {
  asksForEffort,
  budgetToEffort,
  effortToBudget,
  nearestEffort,
} from "../../../translation/effort.ts";
import type { Reasoning } from "../../../core/request.ts";
import type { WireMessage } from "./write-messages.ts";
import { noteUnsupported, type WriteContext } from "../../../translation/write-context.ts";

const effortWords: readonly string[] = ["low", "medium", "high", "xhigh", "max"];
const leastBudget = 1024;
/** Share of the output that a budget made from a word may take: the answer needs the rest. */
const thinkingShare = 0.8;

interface Surroundings {
  /** `max_tokens`. */
  limit: number;
  messages: readonly WireMessage[];
  /** A tool is forced: the provider refuses that beside thinking, and the tool is what the client needs. */
  forced: boolean;
}

export interface WrittenReasoning {
  thinking?: JsonObject;
  effort?: string;
}

export function writeReasoning(around: Surroundings, context: WriteContext): WrittenReasoning {
  const { reasoning } = context.request;
  if (!reasoning) return {};
  const written = writeForm(reasoning, around, context);
  const silent = written.thinking === undefined && written.effort === undefined;
  if (silent && asksForEffort(reasoning)) noteUnsupported("reasoning", context);
  if (reasoning.summary !== undefined && written.thinking?.["display"] === undefined)
    noteUnsupported("reasoningSummary", context);
  return written;
}

function writeForm(
  reasoning: Reasoning,
  around: Surroundings,
  context: WriteContext,
): WrittenReasoning {
  const { traits } = context.target;
  if (traits.reasoning === "none") return {};
  if (isOff(reasoning))
    return traits.reasoning === "effort" ? {} : { thinking: { type: "disabled" } };
  if (!asksForEffort(reasoning)) return {};
  if (traits.reasoning === "budget") {
    const budget =
      around.forced || !opensSigned(around.messages)
        ? undefined
        : budgetOf(reasoning, around.limit);
    return budget === undefined ? {} : { thinking: { type: "enabled", budget_tokens: budget } };
  }
  const known = effortWords.filter((word) => traits.efforts.includes(word));
  const effort = nearestEffort(effortOf(reasoning), known);
  const thinks = traits.reasoning === "adaptive" && !around.forced;
  return {
    ...(thinks && {
      thinking: {
        type: "adaptive",
        ...(reasoning.summary !== undefined && { display: "summarized" }),
      },
    }),
    ...(effort !== undefined && { effort }),
  };
}

function isOff(reasoning: Reasoning): boolean {
  return reasoning.mode === "off" || reasoning.effort === "none" || reasoning.budget === 0;
}

/** Without a word or a number the model is free, which is what `high` means. */
function effortOf(reasoning: Reasoning): string {
  if (reasoning.effort !== undefined) return reasoning.effort;
  return reasoning.budget === undefined ? "high" : budgetToEffort(reasoning.budget);
}

/** Tokens for thinking within the limit; undefined when there is no room for the least that is allowed. */
function budgetOf(reasoning: Reasoning, limit: number): number | undefined {
  const { budget, effort } = reasoning;
  if (budget !== undefined && budget > 0 && effort === undefined) {
    const fits = Math.min(Math.max(budget, leastBudget), limit - 1);
    return fits < leastBudget ? undefined : fits;
  }
  return effortToBudget(effortOf(reasoning), Math.floor(limit * thinkingShare) + 1);
}

/**
 * A turn that goes on after tool results, or that the model is to continue, must open with thinking that the
 * provider itself signed. Without it the request is sent without thinking.
 */
function opensSigned(messages: readonly WireMessage[]): boolean {
  const at = messages.findLastIndex((message) => message.role === "assistant");
  const request = messages[at];
  if (!request) return true;
  const goesOn =
    at === messages.length - 1 || request.content.some((block) => block["type"] === "tool_use");
  const first = request.content[0]?.["type"];
  return !goesOn || first === "thinking" || first === "redacted_thinking";
}
