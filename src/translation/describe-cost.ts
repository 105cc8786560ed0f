/** What a request's body says about its cost, read so that no other reading of it costs more. */
import type { RequestDescription, UncertainField } from "../core/format.ts";
import { asNumber, asObject, asString, type JsonObject, type JsonValue } from "../lib/json.ts";

/** Names under which servers read a limit of output tokens, whatever format they speak. */
const limitNames = [
  "max_tokens",
  "max_completion_tokens",
  "max_output_tokens",
  "max_new_tokens",
  "n_predict",
  "num_predict",
];
/** Names of the number of answers; some servers bill those that they make to choose from. */
const answerNames = ["n", "best_of"];
/** Limits of reasoning: where a server counts them within the limit of the output, and where beside it. */
const budgetsWithin = ["thinking.budget_tokens", "reasoning.max_tokens"];
const budgetBeside = "thinking_budget";
/** The answer comes later, from another address. */
const deferringNames = ["background", "deferred"];
/** Some services let another model answer, at another price. */
const otherModelNames = ["models", "preset"];

type CostDescription = Pick<
  RequestDescription,
  | "maxOutput"
  | "otherMaxOutput"
  | "answers"
  | "deferred"
  | "serviceTier"
  | "uncertain"
  | "otherModels"
>;

/** `own`: the format's own names of the limit of output tokens. */
export function describeCost(body: JsonObject, own: readonly string[]): CostDescription {
  const maxOutput = largest(own.map((name) => countOf(body[name])));
  const others = limitNames.filter((name) => !own.includes(name)).map((name) => body[name]);
  const within = budgetsWithin.map((path) => valueAt(body, path));
  const beside = countOf(body[budgetBeside]);
  const otherMaxOutput = largest([
    ...[...others, ...within].map(countOf),
    beside === undefined ? undefined : beside + (maxOutput ?? 0),
  ]);
  const serviceTier = asString(body["service_tier"]);
  return {
    ...(maxOutput !== undefined && { maxOutput }),
    ...(otherMaxOutput !== undefined && { otherMaxOutput }),
    answers: Math.ceil(largest(answerNames.map((name) => countOf(body[name]))) ?? 1),
    ...(deferringNames.some((name) => body[name] === true) && { deferred: true }),
    ...(serviceTier !== undefined && { serviceTier: serviceTier.toLowerCase() }),
    uncertain: uncertainFields(body),
    otherModels: otherModelPaths(body),
  };
}

/** A number above zero; lenient servers take the text of one as well. */
function countOf(value: JsonValue | undefined): number | undefined {
  const count = typeof value === "string" ? Number.parseFloat(value) : asNumber(value);
  return count !== undefined && count > 0 ? count : undefined;
}

function largest(counts: readonly (number | undefined)[]): number | undefined {
  const known = counts.filter((count) => count !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}

function valueAt(body: JsonObject, path: string): JsonValue | undefined {
  const [name = "", member = ""] = path.split(".");
  return asObject(body[name])?.[member];
}

function uncertainFields(body: JsonObject): UncertainField[] {
  const counts = [...limitNames, ...answerNames].flatMap((path) =>
    isCount(body[path], 1) ? [] : [{ path, must: "must be an integer of at least 1" }],
  );
  // A budget may be 0, or -1 where the model decides.
  const budgets = [...budgetsWithin, budgetBeside].flatMap((path) =>
    isCount(valueAtAny(body, path), -1) ? [] : [{ path, must: "must be an integer" }],
  );
  const deferring = deferringNames.flatMap((path) =>
    isOff(body[path]) ? [] : [{ path, must: "must not be set: the usage could not be counted" }],
  );
  const otherModels = otherModelNames.flatMap((path) =>
    isOff(body[path]) ? [] : [{ path, must: "must not be set: another model might answer" }],
  );
  return [...counts, ...budgets, ...deferring, ...otherModels];
}

/** Beside those that replace the model: lists of fallbacks, and tools that a model of their own runs. */
function otherModelPaths(body: JsonObject): string[] {
  const replacing = [...otherModelNames, "fallbacks"].filter((path) => !isOff(body[path]));
  const tools = Array.isArray(body["tools"]) ? body["tools"] : [];
  const helping = tools.flatMap((tool, index) =>
    isOff(asObject(tool)?.["model"]) ? [] : [`tools[${index}].model`],
  );
  return [...replacing, ...helping];
}

function valueAtAny(body: JsonObject, path: string): JsonValue | undefined {
  return path.includes(".") ? valueAt(body, path) : body[path];
}

function isCount(value: JsonValue | undefined, least: number): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === "number" && Number.isInteger(value) && value >= least;
}

function isOff(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === false;
}
