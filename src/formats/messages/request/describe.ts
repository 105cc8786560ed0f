/** What the gateway reads off a Messages request without translating it. */
import type { RequestDescription } from "../../../core/format.ts";
import type { ToolUses } from "../../../core/usage.ts";
import {
  asArray,
  asCount,
  asFilledString,
  asObject,
  asString,
  isObject,
  type JsonObject,
  parseJson,
} from "../../../lib/json.ts";
import { describeCommon } from "../../../translation/describe.ts";
import { describeSafeguards } from "./safeguards.ts";

/** Searches that are expected where the client sets no bound. */
const usualSearches = 3;

/** Of output tokens. */
const limitNames = ["max_tokens"];

export function describe(body: JsonObject): RequestDescription {
  const conversation = conversationOf(body);
  const toolUses = toolUsesOf(body);
  return {
    ...describeCommon(body, limitNames),
    wantsUsage: true,
    stored: false,
    ...(body["speed"] === "fast" && { serviceTier: "fast" }),
    ...(toolUses && { toolUses }),
    ...(conversation !== undefined && { conversation }),
    ...describeSafeguards(body),
    ...describeThread(body),
  };
}

/** Claude Code writes the session into the user's id: as JSON, in versions before as the text's last part. */
function conversationOf(body: JsonObject): string | undefined {
  const metadata = asObject(body["metadata"]);
  const stated = asString(metadata?.["session_id"]);
  const user = asString(metadata?.["user_id"]);
  if (stated !== undefined || user === undefined || user.length > longestUserId) return stated;
  return asFilledString(asObject(parseJson(user))?.["session_id"]) ?? userSession.exec(user)?.[1];
}

const longestUserId = 2048;
const userSession = /_session_([\w-]{1,64})$/;

/** Whether the provider keeps the conversation; `null` is no thread. */
function describeThread({ thread }: JsonObject): Pick<RequestDescription, "thread"> {
  if (thread === undefined || thread === null) return {};
  return { thread: asObject(thread)?.["type"] === "continue" ? "continue" : "create" };
}

function toolUsesOf(body: JsonObject): ToolUses | undefined {
  const searches = asArray(body["tools"])
    .filter(isObject)
    .filter((tool) => asString(tool["type"])?.startsWith("web_search_") === true)
    .map((tool) => asCount(tool["max_uses"]) ?? usualSearches);
  if (searches.length === 0) return undefined;
  return { webSearch: searches.reduce((total, uses) => total + uses, 0) };
}
