/** How hard to think and what to show of it, as `reasoning` of Responses. */
import type { Target } from "../../../core/model.ts";
import type { ModelRequest } from "../../../core/request.ts";
import type { JsonObject } from "../../../lib/json.ts";
import { asksForEffort, effortWord, nearestEffort } from "../../../translation/effort.ts";
import { noteUnsupported, type WriteContext } from "../../../translation/write-context.ts";

export function writeReasoning(context: WriteContext): JsonObject {
  const { request, target } = context;
  if (target.traits.reasoning === "none") {
    if (request.reasoning) {
      noteUnsupported("reasoning", context);
      noteUnsupported("reasoningSummary", context);
    }
    return {};
  }
  const effort = effortOf(request, target);
  if (effort === undefined && asksForEffort(request.reasoning ?? {}))
    noteUnsupported("reasoning", context);
  const summary = summaryOf(request);
  return {
    ...((effort !== undefined || summary !== undefined) && {
      reasoning: {
        ...(effort !== undefined && { effort }),
        ...(summary !== undefined && { summary }),
      },
    }),
  };
}

function effortOf(request: ModelRequest, target: Target): string | undefined {
  const { reasoning } = request;
  if (!reasoning) return undefined;
  const word = effortWord(reasoning);
  return word === undefined ? undefined : nearestEffort(word, target.traits.efforts);
}

const summaries = new Set(["auto", "concise", "detailed"]);
const hiding = new Set(["omitted", "hidden", "none"]);

/** A client that turned thinking on wants to see it, unless it said otherwise; a Gemini client says so. */
function summaryOf({ reasoning, format }: ModelRequest): string | undefined {
  if (!reasoning || reasoning.mode === "off") return undefined;
  const { summary, mode } = reasoning;
  if (summary === undefined) return mode === undefined || format === "gemini" ? undefined : "auto";
  if (hiding.has(summary)) return undefined;
  return summaries.has(summary) ? summary : "auto";
}
