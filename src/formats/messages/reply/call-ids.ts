/** Ids of calls as Messages clients may have them. */
import { asArray, isObject, type JsonObject } from "../../../lib/json.ts";
import type { ReplyEcho } from "../../../core/format.ts";

/**
 * Makes the ids of one answer's calls. A provider's id is kept when it is legal and new, since the client sends it back
 * later. Some providers number their calls from 0 in every answer: an id that the conversation already holds is replaced.
 */
export function callIds(echo: ReplyEcho): (id: string) => string {
  let taken: Set<string> | undefined;
  return (id) => {
    taken ??= usedIds(echo.request);
    const fresh = /^[A-Za-z0-9_-]{1,64}$/.test(id) && !taken.has(id) ? id : echo.newId("toolu_");
    taken.add(fresh);
    return fresh;
  };
}

function usedIds(request: JsonObject): Set<string> {
  const used = new Set<string>();
  for (const message of asArray(request["messages"])) {
    if (!isObject(message) || message["role"] !== "assistant") continue;
    for (const part of asArray(message["content"]))
      if (isObject(part) && part["type"] === "tool_use" && typeof part["id"] === "string")
        used.add(part["id"]);
  }
  return used;
}
