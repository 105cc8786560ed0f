/** What clients tag their requests with, in a header of the gateway's own: it is never passed on. */
import type { HeaderReader } from "../../lib/header-reader.ts";

const tagHeader = "x-gateway-tag";
const mostTags = 8;
/** Characters of the header that are read. */
const longestList = 4096;
const tagPattern = /^([a-z0-9_.-]{1,32})=([a-z0-9_.-]{1,32})$/;

/** The tags of `X-Gateway-Tag: team=red, env=prod`, at most eight. What is no tag is ignored; of one name the last counts. */
export function requestTags(headers: HeaderReader): Record<string, string> | undefined {
  const list = headers.get(tagHeader);
  if (list === null) return undefined;
  const tags = new Map<string, string>();
  for (const text of list.slice(0, longestList).split(",")) {
    const [, name, value] = tagPattern.exec(text.trim()) ?? [];
    // As a member, `__proto__` would not be one.
    if (name === undefined || value === undefined || name === "__proto__") continue;
    if (tags.has(name) || tags.size < mostTags) tags.set(name, value);
  }
  return tags.size === 0 ? undefined : Object.fromEntries(tags);
}
