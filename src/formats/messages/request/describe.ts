/** What the gateway reads off a Messages request without translating it. */
import type { RequestDescription } from "../../../core/format.ts";
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
import {
  type AskedUses,
  askedUses,
  describeFees,
  onePart,
} from "../../../translation/describe-fees.ts";
import { describeSafeguards } from "./safeguards.ts";

/** Searches that are expected where the client sets no bound. */
const usualSearches = 3;

/** Of output tokens. */
const limitNames = ["max_tokens"];

export function describe(body: JsonObject): RequestDescription {
  const conversation = conversationOf(body);
  return {
    ...describeCommon(body, limitNames),
    wantsUsage: true,
    stored: false,
    ...(body["speed"] === "fast" && { serviceTier: "fast" }),
    ...describeFees(body, toolsOf(body)),
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

/** Tools that the client runs, that have no fee anywhere, or that are charged as calls of their model. */
const unchargedTool =
  /^(?:custom$|function$|bash_|text_editor_|computer_|memory_|mcp_toolset|tool_search_tool_|advisor_)/;
/** Search and fetch tools of this day and later run code themselves. */
const firstCoding = 20260209;

function toolsOf(body: JsonObject): AskedUses {
  const uses = askedUses();
  let searches = 0;
  let coding: string | undefined;
  let isIncluded = false;
  for (const tool of asArray(body["tools"])) {
    if (!isObject(tool)) continue;
    const type = asString(tool["type"]);
    if (type === undefined || unchargedTool.test(type)) continue;
    const [name = type] = /^[a-z_]+(?=_\d{8}$)/.exec(type) ?? [];
    if (name === "web_search") searches += asCount(tool["max_uses"]) ?? usualSearches;
    else if (name === "code_execution") coding = type;
    else uses.add(onePart(name), asCount(tool["max_uses"]) ?? usualSearches, type);
    isIncluded ||= /^web_(?:search|fetch)_/.test(type) && Number(type.slice(-8)) >= firstCoding;
  }
  if (searches > 0) uses.add("webSearch", searches, "web_search");
  const code = isIncluded ? "code_execution:included" : "code_execution";
  if (isIncluded || coding !== undefined) uses.add(code, 1, coding ?? "code_execution");
  return uses;
}
