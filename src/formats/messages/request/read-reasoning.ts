/** How hard a Messages client wants the model to think. */
import { invalid } from "../../../core/problem.ts";
import type { Reasoning } from "../../../core/request.ts";
import { asNumber, asString, isObject, type JsonObject } from "../../../lib/json.ts";
import { noteUnknown, type RequestReadContext } from "./read-context.ts";

const thinkingKeys = new Set(["type", "budget_tokens", "display"]);

/** `thinking` says whether and how long, `output_config.effort` how hard; a message may change the latter. */
export function readReasoning(
  body: JsonObject,
  latest: string | undefined,
  context: RequestReadContext,
): { reasoning?: Reasoning } {
  const config = body["output_config"];
  const effort = latest ?? (isObject(config) ? asString(config["effort"]) : undefined);
  const { thinking } = body;
  if (thinking !== undefined && thinking !== null && !isObject(thinking))
    throw invalid("thinking", "must be an object");
  const reasoning: Reasoning = {
    ...(isObject(thinking) && readForm(thinking, context)),
    ...(effort !== undefined && { effort }),
  };
  return Object.keys(reasoning).length > 0 ? { reasoning } : {};
}

function readForm(thinking: JsonObject, context: RequestReadContext): Reasoning {
  noteUnknown(thinking, { path: "thinking", known: thinkingKeys }, context);
  // Left to itself a model that thinks shows a summary of it; only `omitted` hides it.
  const seen: Reasoning = thinking["display"] === "omitted" ? {} : { summary: "auto" };
  switch (thinking["type"]) {
    case "disabled":
      return { mode: "off" };
    case "enabled": {
      const budget = asNumber(thinking["budget_tokens"]);
      return { mode: "budget", ...(budget !== undefined && { budget }), ...seen };
    }
    case "adaptive":
    case "between_tools":
      return { mode: "adaptive", ...seen };
    default:
      throw invalid("thinking.type", "must be one of enabled, adaptive, between_tools, disabled");
  }
}
