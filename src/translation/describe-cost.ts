/** What a request's body says about its cost, read so that no other reading of it costs more. */
import type { RequestDescription, UncertainField } from "../core/format.ts";
import {
  asArray,
  asNumber,
  asObject,
  asString,
  type JsonObject,
  type JsonValue,
} from "../lib/json.ts";

/** A member of the body, or one of an object that it holds. */
interface Place {
  readonly name: string;
  readonly member?: string;
}

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
const budgetsWithin: readonly Place[] = [
  { name: "thinking", member: "budget_tokens" },
  { name: "reasoning", member: "max_tokens" },
];
const budgetBeside = "thinking_budget";
/** The answer comes later, from another address. */
const deferringNames = ["background", "deferred"];
/** Some services let another model answer, at another price. */
const otherModelNames = ["models", "preset"];
const replacingNames = [...otherModelNames, "fallbacks"];

/** What a description says of the cost. */
export type CostDescription = Pick<
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
  const maxOutput = largestCount(body, own);
  const otherMaxOutput = largestOther(body, own, maxOutput);
  const serviceTier = asString(body["service_tier"]);
  return {
    ...(maxOutput !== undefined && { maxOutput }),
    ...(otherMaxOutput !== undefined && { otherMaxOutput }),
    answers: Math.ceil(largestCount(body, answerNames) ?? 1),
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

function larger(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return Math.max(one, other);
}

function largestCount(body: JsonObject, names: readonly string[]): number | undefined {
  let largest: number | undefined;
  for (const name of names) largest = larger(largest, countOf(body[name]));
  return largest;
}

/** Of the limits under names that are not the format's own. */
function largestOther(body: JsonObject, own: readonly string[], maxOutput = 0): number | undefined {
  let largest: number | undefined;
  for (const name of limitNames)
    if (!own.includes(name)) largest = larger(largest, countOf(body[name]));
  for (const place of budgetsWithin) largest = larger(largest, countOf(valueAt(body, place)));
  const beside = countOf(body[budgetBeside]);
  return larger(largest, beside === undefined ? undefined : beside + maxOutput);
}

function valueAt(body: JsonObject, { name, member }: Place): JsonValue | undefined {
  const value = body[name];
  return member === undefined ? value : asObject(value)?.[member];
}

/** What a field must be for a request's cost to be foreseen. */
interface Demand extends UncertainField, Place {
  isMet(value: JsonValue | undefined): boolean;
}

function demand(place: Place, isMet: Demand["isMet"], must: string): Demand {
  const { name, member } = place;
  return { ...place, path: member === undefined ? name : `${name}.${member}`, isMet, must };
}

const isOneOrMore: Demand["isMet"] = (value) => isCount(value, 1);
/** A budget may be 0, or -1 where the model decides. */
const isBudget: Demand["isMet"] = (value) => isCount(value, -1);

const demands: readonly Demand[] = [
  ...[...limitNames, ...answerNames].map((name) =>
    demand({ name }, isOneOrMore, "must be an integer of at least 1"),
  ),
  ...[...budgetsWithin, { name: budgetBeside }].map((place) =>
    demand(place, isBudget, "must be an integer"),
  ),
  ...deferringNames.map((name) =>
    demand({ name }, isOff, "must not be set: the usage could not be counted"),
  ),
  ...otherModelNames.map((name) =>
    demand({ name }, isOff, "must not be set: another model might answer"),
  ),
];

/** Most requests have none of them: nothing is made for those. */
const none: readonly never[] = [];

function uncertainFields(body: JsonObject): readonly UncertainField[] {
  let fields: UncertainField[] | undefined;
  for (const demanded of demands) {
    const { path, isMet, must } = demanded;
    if (!isMet(valueAt(body, demanded))) (fields ??= []).push({ path, must });
  }
  return fields ?? none;
}

/** Beside those that replace the model: lists of fallbacks, and tools that a model of their own runs. */
function otherModelPaths(body: JsonObject): readonly string[] {
  let paths: string[] | undefined;
  for (const name of replacingNames) if (!isOff(body[name])) (paths ??= []).push(name);
  asArray(body["tools"]).forEach((tool, index) => {
    if (!isOff(asObject(tool)?.["model"])) (paths ??= []).push(`tools[${index}].model`);
  });
  return paths ?? none;
}

function isCount(value: JsonValue | undefined, least: number): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === "number" && Number.isInteger(value) && value >= least;
}

/** Whether the client leaves it out, or says that it does not want it. */
export function isOff(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === false;
}
