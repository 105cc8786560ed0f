/** A pasted configuration: read, or refused with the line and the path of what is wrong. */
import { isObject } from "../../../../lib/json.ts";
import { jsonFault, placeOfPath } from "../../../../lib/json-place.ts";
import { Problem } from "../../../../core/problem.ts";
import { configFrom } from "../../../../admin/routes/document/config.ts";
import { type Config, configSchema } from "../../../../store/config.ts";
import { fieldProblem } from "../../../shared/forms.ts";

/** The document of that text. Throws a problem of the field `document`. */
export function documentFrom(text: string): Config {
  if (text === "") throw fieldProblem("document", "paste a configuration or choose a file");
  const fault = jsonFault(text);
  if (fault !== undefined)
    throw fieldProblem(
      "document",
      `not valid JSON in line ${fault.line}, column ${fault.column}: ${fault.message}`,
    );
  const value: unknown = JSON.parse(text);
  if (!isObject(value))
    throw fieldProblem(
      "document",
      `not a configuration: an object with providers and harnesses is needed, this is ${kindOf(value)}`,
    );
  checkNames(value, text);
  return withPlaces(text, () => configFrom(value));
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : `a ${typeof value}`;
}

/** The file of another tool has none of the members that a configuration has. */
function checkNames(value: object, text: string): void {
  const known = Object.keys(configSchema.shape);
  const names = Object.keys(value);
  const [first] = names;
  if (first === undefined || names.some((name) => known.includes(name))) return;
  const { line } = placeOfPath(text, [first]);
  throw fieldProblem(
    "document",
    `not a configuration of this gateway: ${JSON.stringify(first.slice(0, 60))} in line ${line} is not one of its settings, and neither providers nor harnesses are there`,
  );
}

/** Runs a check of the text's document; what it refuses is told with its line. */
export function withPlaces<T>(text: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw error instanceof Problem ? placedProblem(text, error) : error;
  }
}

/** The problem with the line that its path leads to, as one of the field `document`. */
export function placedProblem(text: string, problem: Problem): Problem {
  const [, path, words] =
    /^((?:\["(?:[^"\\]|\\.)*"\]|[^\s:"])*): (.*)$/s.exec(problem.message) ?? [];
  if (problem.status >= 500 || problem.status === 409 || path === undefined || path === "document")
    return problem;
  const { line } = placeOfPath(text, path === "body" ? [] : partsOf(path));
  return fieldProblem("document", `line ${line}, ${path}: ${words ?? ""}`);
}

/** `providers[0].headers["x team"]` as its parts. */
function partsOf(path: string): (string | number)[] {
  const parts = path.matchAll(/\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]|([^.[\]]+)/g);
  return Array.from(parts, ([, index, quoted, plain]) => {
    if (index !== undefined) return Number(index);
    return quoted === undefined ? (plain ?? "") : String(JSON.parse(`"${quoted}"`));
  });
}
