/** How hard a Responses client wants the model to think, and what it wants to see of that. */
import type { ModelRequest, RequestPaths } from "../../../core/request.ts";
import { asObject, asString, type JsonObject } from "../../../lib/json.ts";
import { noteUnknownMembers } from "../../../translation/unsupported.ts";

const reasoningMembers = new Set(["effort", "summary", "generate_summary"]);

export interface ReadReasoning {
  readonly reasoning?: ModelRequest["reasoning"];
  readonly paths: RequestPaths;
}

export function readReasoning(body: JsonObject, unsupported: Set<string>): ReadReasoning {
  const value = asObject(body["reasoning"]);
  if (!value) return { paths: {} };
  noteUnknownMembers(value, reasoningMembers, { path: "reasoning", unsupported });
  const effort = asString(value["effort"]);
  const field = asString(value["summary"]) === undefined ? "generate_summary" : "summary";
  const summary = asString(value[field]);
  if (effort === undefined && summary === undefined) return { paths: {} };
  return {
    reasoning: {
      ...(effort !== undefined && { effort }),
      ...(summary !== undefined && { summary }),
    },
    paths: {
      ...(effort !== undefined && { reasoning: "reasoning.effort" }),
      ...(summary !== undefined && { reasoningSummary: `reasoning.${field}` }),
    },
  };
}
