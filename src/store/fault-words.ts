/** What a schema found wrong with a value, as people say it: `must be one of "hour", "day"`. */
import type { $ZodIssue } from "zod/v4/core";

/** The schema's own words where it has some, else ours for the library's. */
export function faultWords(issue: $ZodIssue): string {
  if (!/^(?:Invalid|Too (?:small|big))\b/.test(issue.message)) return issue.message;
  switch (issue.code) {
    case "invalid_type":
      return issue.message.endsWith(" received undefined")
        ? "is missing"
        : `must be ${typeWords[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return issue.values.length === 1
        ? `must be ${listed(issue.values)}`
        : `must be one of ${listed(issue.values)}`;
    case "too_small":
      return boundWords(issue.origin, {
        word: "least",
        bound: Number(issue.minimum),
        inclusive: issue.inclusive,
      });
    case "too_big":
      return boundWords(issue.origin, {
        word: "most",
        bound: Number(issue.maximum),
        inclusive: issue.inclusive,
      });
    default:
      return "is not valid";
  }
}

const typeWords: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

function listed(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(", ");
}

interface Bound {
  readonly word: "least" | "most";
  readonly bound: number;
  readonly inclusive: boolean | undefined;
}

function boundWords(origin: string, { word, bound, inclusive }: Bound): string {
  const number = bound.toLocaleString("en-US");
  if (origin === "string" && word === "least" && bound === 1) return "must not be empty";
  if (origin === "string") return `must have at ${word} ${number} characters`;
  if (origin === "array" || origin === "set")
    return `must have at ${word} ${number} ${bound === 1 ? "entry" : "entries"}`;
  if (inclusive === false) return `must be ${word === "least" ? "more" : "less"} than ${number}`;
  return `must be at ${word} ${number}`;
}
