/** The choice among the tools of a Gemini request. */
import { invalid } from "../../../core/problem.ts";
import type { ToolChoice } from "../../../core/request.ts";
import { asString } from "../../../lib/json.ts";
import { asList, type Members } from "./read-members.ts";

const configMembers = new Set(["functionCallingConfig"]);
const callingMembers = new Set(["mode", "allowedFunctionNames"]);

/** `request`: the body. Empty when the client made no choice. */
export function readToolChoice(request: Members): { choice?: ToolChoice; path?: string } {
  const config = request.inside("toolConfig");
  config?.noteOthers(configMembers);
  const calling = config?.inside("functionCallingConfig");
  if (!calling) return {};
  calling.noteOthers(callingMembers);
  const mode = asString(calling.get("mode"))?.toUpperCase() ?? "MODE_UNSPECIFIED";
  const names = asList(calling.get("allowedFunctionNames")).filter(
    (name) => typeof name === "string",
  );
  const choice = choiceOf(mode, names);
  if (choice === null)
    throw invalid(calling.pathOf("mode"), "must be AUTO, ANY, NONE or VALIDATED");
  return choice ? { choice, path: calling.path } : {};
}

/** Undefined where the client leaves it open, null for a word that is none of the format's. */
function choiceOf(mode: string, names: string[]): ToolChoice | undefined | null {
  const [only] = names;
  switch (mode) {
    case "MODE_UNSPECIFIED":
      return names.length > 0 ? { type: "allowed", mode: "auto", names } : undefined;
    case "AUTO":
    case "VALIDATED":
      return names.length > 0 ? { type: "allowed", mode: "auto", names } : { type: "auto" };
    case "ANY":
      if (only === undefined) return { type: "required" };
      return names.length === 1
        ? { type: "tool", name: only }
        : { type: "allowed", mode: "required", names };
    case "NONE":
      return { type: "none" };
    default:
      return null;
  }
}
