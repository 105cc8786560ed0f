/** How hard a Gemini client wants the model to think, and whether it wants to see it. */
import type { Reasoning, RequestPaths } from "../../../core/request.ts";
import { asNumber, asString } from "../../../lib/json.ts";
import type { Members } from "./read-members.ts";

const thinkingMembers = new Set(["thinkingLevel", "thinkingBudget", "includeThoughts"]);
const levels: ReadonlySet<string> = new Set(["minimal", "low", "medium", "high"]);

export interface ReadReasoning {
  readonly reasoning?: Reasoning;
  readonly paths: Pick<RequestPaths, "reasoning" | "reasoningSummary">;
}

/** `config`: the `generationConfig`. */
export function readReasoning(config: Members | undefined): ReadReasoning {
  const thinking = config?.inside("thinkingConfig");
  if (!thinking) return { paths: {} };
  const level = asString(thinking.get("thinkingLevel"))?.toLowerCase();
  const knowsLevel = level !== undefined && (levels.has(level) || level.endsWith("unspecified"));
  const budget = asNumber(thinking.get("thinkingBudget"));
  thinking.noteOthers(
    level === undefined || knowsLevel
      ? thinkingMembers
      : new Set(["thinkingBudget", "includeThoughts"]),
  );
  const shown = thinking.get("includeThoughts") === true;
  const reasoning: Reasoning = {
    ...(level !== undefined && levels.has(level) ? { effort: level } : ofBudget(budget)),
    ...(shown && { summary: "auto" }),
  };
  if (Object.keys(reasoning).length === 0) return { paths: {} };
  const member = reasoning.effort === undefined ? "thinkingBudget" : "thinkingLevel";
  return {
    reasoning,
    paths: {
      reasoning: thinking.pathOf(member),
      ...(shown && { reasoningSummary: thinking.pathOf("includeThoughts") }),
    },
  };
}

/** Zero turns thinking off; a negative budget leaves it to the model. */
function ofBudget(budget: number | undefined): Reasoning {
  if (budget === undefined) return {};
  if (budget === 0) return { mode: "off" };
  return budget < 0 ? { mode: "adaptive" } : { budget };
}
