/** What the gateway reads off a chat request without translating it. */
import type { RequestDescription } from "../../../core/format.ts";
import { asArray, asObject, asString, type JsonObject } from "../../../lib/json.ts";
import { describeCommon } from "../../../translation/describe.ts";
import {
  type AskedUses,
  askedUses,
  describeFees,
  onePart,
} from "../../../translation/describe-fees.ts";

/** Of output tokens. */
const limitNames = ["max_completion_tokens", "max_tokens"];

export function describe(body: JsonObject): RequestDescription {
  const conversation =
    asString(body["prompt_cache_key"]) ?? asString(asObject(body["metadata"])?.["session_id"]);
  return {
    ...describeCommon(body, limitNames),
    wantsUsage: wantsUsage(body),
    stored: false,
    ...describeFees(body, toolsOf(body)),
    ...(conversation !== undefined && { conversation }),
  };
}

/** Whether the client asked for the chunk with the usage. */
export function wantsUsage(body: JsonObject): boolean {
  return asObject(body["stream_options"])?.["include_usage"] === true;
}

/** Uses of a tool that are expected; no request bounds them. */
const usualToolUses = 3;
/** Types of tools that the client runs itself, or that have no fee anywhere. */
const clientTools: ReadonlySet<string> = new Set(["function", "custom", "mcp"]);

function toolsOf(body: JsonObject): AskedUses {
  const uses = askedUses();
  for (const tool of asArray(body["tools"])) {
    const type = typeOf(asObject(tool) ?? {});
    if (type === undefined || clientTools.has(type)) continue;
    uses.add(onePart(type), usualToolUses, type);
  }
  return uses;
}

/** Without a type, a tool is what its first member says (`{ "google_search": {} }`). */
function typeOf(tool: JsonObject): string | undefined {
  const type = asString(tool["type"]);
  if (type !== undefined || asObject(tool["function"]) !== undefined) return type;
  return Object.keys(tool).find((name) => name !== "type") ?? "type";
}
