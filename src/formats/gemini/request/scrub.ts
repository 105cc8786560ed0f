/** Takes tagged state of other makers out of a body of this format. */
import { asObject, isObject, type JsonObject, type JsonValue } from "../../../lib/json.ts";
import { isCarried } from "../shared/carried-states.ts";
import { skipValidation } from "../shared/thought-signature.ts";
import { asList } from "./read-members.ts";

const spellings = ["thoughtSignature", "thought_signature"];
const emptyMembers: ReadonlySet<string> = new Set(["text", "thought"]);

/**
 * Removes every thought signature that is this gateway's wrapping of somebody's state: what Gemini itself made
 * never carries the tag. Returns the paths.
 */
export function scrub(body: JsonObject): string[] {
  const taken = new Set<string>();
  for (const content of asList(body["contents"])) {
    const parts = asObject(content)?.["parts"];
    const scrubbed = asList(parts).filter((part) => isObject(part) && scrubPart(part, taken));
    if (Array.isArray(parts) && isObject(content) && scrubbed.some(isHollow))
      content["parts"] = parts.filter((part) => !scrubbed.includes(part) || !isHollow(part));
  }
  if (taken.size > 0 && Array.isArray(body["contents"]))
    body["contents"] = body["contents"].filter((content) => !isEmptied(content));
  return [...taken];
}

/** Whether anything was taken out. A call keeps the mark of one that another model made: the service asks for some. */
function scrubPart(part: JsonObject, taken: Set<string>): boolean {
  const found = spellings.filter((name) => isCarried(part[name]));
  for (const name of found) {
    delete part[name];
    taken.add(`contents[].parts[].${name}`);
  }
  const isCall = isObject(part["functionCall"]) || isObject(part["function_call"]);
  if (found.length > 0 && isCall) part["thoughtSignature"] = skipValidation;
  return found.length > 0;
}

/** A part that held nothing but state. */
function isHollow(part: JsonValue): boolean {
  return (
    isObject(part) &&
    (part["text"] ?? "") === "" &&
    Object.keys(part).every((name) => emptyMembers.has(name))
  );
}

function isEmptied(content: JsonValue): boolean {
  const parts = asObject(content)?.["parts"];
  return Array.isArray(parts) && parts.length === 0;
}
