/** Ids of calls as a Gemini client may have them: at most 64 characters, and none twice in a conversation. */
import type { ReplyEcho } from "../../../core/format.ts";
import { asArray, asObject, asString, isObject, type JsonObject } from "../../../lib/json.ts";

/** Gives a call's own id where it is fresh, else a new one. The request is read when the first call comes. */
export function callIds(echo: ReplyEcho): (id: string) => string {
  let taken: Set<string> | undefined;
  return (id) => {
    taken ??= usedIds(echo.request);
    const fresh = /^[\w.:-]{1,64}$/.test(id) && !taken.has(id) ? id : echo.newId("call_");
    taken.add(fresh);
    return fresh;
  };
}

function usedIds(request: JsonObject): Set<string> {
  const used = new Set<string>();
  for (const content of asArray(request["contents"]))
    for (const part of asArray(asObject(content)?.["parts"])) {
      if (!isObject(part)) continue;
      const call = asObject(part["functionCall"] ?? part["function_call"]);
      const id = asString(call?.["id"]);
      if (id !== undefined) used.add(id);
    }
  return used;
}
