/** How hard a chat client wants the model to think. */
import type { Reasoning } from "../../../core/request.ts";
import { asNumber, asObject, asString, type JsonValue } from "../../../lib/json.ts";
import { noteUnknownMembers, type Position } from "../../../translation/unsupported.ts";
import type { FieldReader } from "./read-fields.ts";

/**
 * `reasoning_effort`, or one of the forms that other chat providers have: `reasoning {effort, max_tokens, enabled}`
 * and `thinking {type, budget_tokens}`.
 */
export function readReasoning(fields: FieldReader): Reasoning | undefined {
  return (
    fields.take("reasoning", ["reasoning_effort"], (value) => {
      const effort = asString(value);
      return effort === undefined
        ? undefined
        : { effort, ...(effort === "none" && { mode: "off" as const }) };
    }) ??
    fields.take("reasoning", ["reasoning"], readReasoningObject) ??
    fields.take("reasoning", ["thinking"], readThinkingObject)
  );
}

const reasoningMembers = new Set(["effort", "max_tokens", "enabled"]);
const thinkingMembers = new Set(["type", "budget_tokens"]);

function readReasoningObject(
  value: JsonValue | undefined,
  position: Position,
): Reasoning | undefined {
  const asked = asObject(value);
  if (!asked) return undefined;
  noteUnknownMembers(asked, reasoningMembers, position);
  if (asked["enabled"] === false) return { mode: "off" };
  const [effort, budget] = [asString(asked["effort"]), asNumber(asked["max_tokens"])];
  if (effort !== undefined) return { effort, ...(effort === "none" && { mode: "off" }) };
  if (budget !== undefined) return { mode: "budget", budget };
  return asked["enabled"] === true ? { effort: "medium" } : undefined;
}

function readThinkingObject(
  value: JsonValue | undefined,
  position: Position,
): Reasoning | undefined {
  const asked = asObject(value);
  noteUnknownMembers(asked, thinkingMembers, position);
  const budget = asNumber(asked?.["budget_tokens"]);
  switch (asked?.["type"]) {
    case "disabled":
      return { mode: "off" };
    case "enabled":
      return budget === undefined ? { effort: "medium" } : { mode: "budget", budget };
    case "adaptive":
    case "auto":
      return { mode: "adaptive" };
    default:
      return undefined;
  }
}
