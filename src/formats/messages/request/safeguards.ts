/**
 * Verdicts on tool uses: a client in auto mode asks for them (`safeguards`, with facts of the user's machine), and only
 * the maker's own service may read that. Recorded with Claude Code 2.1.330.
 */
import type { RequestDescription } from "../../../core/format.ts";
import { asArray, asString, isObject, type JsonObject } from "../../../lib/json.ts";

/** The member that asks. */
export const safeguardsMember = "safeguards";
/** Values of `anthropic-beta` that travel with it: one without the other is refused. */
export const safeguardsBeta = /^dangerous-tool-use-/;

/** Kinds that are answered; there is one today. */
const mostKinds = 8;
const longestKind = 100;

/** The kinds of verdicts that the client asks for, each once. */
export function describeSafeguards(body: JsonObject): Pick<RequestDescription, "safeguards"> {
  const kinds = asArray(body[safeguardsMember])
    .filter(isObject)
    .map((asked) => asString(asked["type"]) ?? "")
    .filter((kind) => kind !== "" && kind.length <= longestKind);
  return kinds.length === 0 ? {} : { safeguards: [...new Set(kinds)].slice(0, mostKinds) };
}

/** Takes the question out of a request for anybody but the maker, in place; the gateway answers it. */
export function takeSafeguards(body: JsonObject): void {
  delete body[safeguardsMember];
}
