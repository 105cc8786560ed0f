/** A judge's answer, read strictly: whatever is not exactly one decision for each call is no answer. */
import { asArray, asString, isObject, parseJson } from "../../lib/json.ts";

/** Why a call is blocked; undefined: nothing speaks against it. */
export type Decision = { readonly flagged?: string };

const longestReason = 300;
const unsaidReason = "The judge of this harness advises against this call.";

/** One decision for each of so many calls, in their order; undefined where the text is anything else. */
export function readDecisions(text: string, count: number): Decision[] | undefined {
  const value = parseJson(unfenced(text));
  if (!isObject(value)) return undefined;
  const entries = asArray(value["verdicts"]);
  if (entries.length !== count) return undefined;
  const decisions = new Map<number, Decision>();
  for (const entry of entries) {
    if (!isObject(entry)) return undefined;
    const { call, decision, reason } = entry;
    if (typeof call !== "number" || (decision !== "allow" && decision !== "block"))
      return undefined;
    decisions.set(call, decision === "allow" ? {} : { flagged: readable(asString(reason)) });
  }
  const inOrder = Array.from({ length: count }, (_, at) => decisions.get(at + 1));
  return inOrder.every((decision) => decision !== undefined) ? inOrder : undefined;
}

/** Models like to put JSON into a block of code. */
function unfenced(text: string): string {
  const trimmed = text.trim();
  return /^```(?:json)?\s*\n([\s\S]*)\n```$/.exec(trimmed)?.[1] ?? trimmed;
}

function readable(reason = ""): string {
  // The client puts the reason into a sentence of its own.
  const line = reason
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .trim()
    .replace(/\.$/, "");
  return line === "" ? unsaidReason : line.slice(0, longestReason).toWellFormed();
}
