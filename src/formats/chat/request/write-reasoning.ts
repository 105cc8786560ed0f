/** How hard to think, as chat's `reasoning_effort`. */
import type { Reasoning } from "../../../core/request.ts";
import type { JsonObject } from "../../../lib/json.ts";
import { budgetToEffort, nearestEffort } from "../../../translation/effort.ts";
import { noteUnsupported, type WriteContext } from "../../../translation/write-context.ts";

export function writeReasoning(context: WriteContext): JsonObject {
  const { reasoning } = context.request;
  const { traits } = context.target;
  if (!reasoning) return {};
  if (reasoning.summary !== undefined) noteUnsupported("reasoningSummary", context);
  const word = reasoning.effort ?? impliedEffort(reasoning);
  if (word === undefined) return {};
  const effort =
    traits.reasoning === "effort" && traits.openAiFields
      ? nearestEffort(word, traits.efforts)
      : undefined;
  if (effort !== undefined) return { reasoning_effort: effort };
  noteUnsupported("reasoning", context);
  return {};
}

function impliedEffort(reasoning: Reasoning): string | undefined {
  if (reasoning.mode === "off") return "none";
  if (reasoning.budget !== undefined) return budgetToEffort(reasoning.budget);
  return reasoning.mode === "adaptive" ? "high" : undefined;
}
