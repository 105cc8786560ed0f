/** What all operations demand of a request's fields, and how those of a form are read. */
import type { RequestDescription } from "../core/format.ts";
import { invalid } from "../core/problem.ts";
import type { FormPart } from "../lib/multipart.ts";
import { asFilledString, type JsonObject, type JsonValue } from "../lib/json.ts";
import { describeCost } from "../translation/describe-cost.ts";
import type { Operation } from "./operation.ts";

const longestModel = 512;
/** Bytes of one field of a form that is no file. */
const longestField = 1024 * 1024;

/** Throws M300 where `model` is no name, or `stream` no boolean, or the operation wants something else. */
export function checkFields(operation: Operation, fields: JsonObject): void {
  checkModelName(fields["model"]);
  const { stream } = fields;
  if (stream !== undefined && stream !== null && typeof stream !== "boolean")
    throw invalid("stream", "must be a boolean");
  operation.check(fields);
}

/** Throws M300. */
export function checkModelName(model: JsonValue | undefined): void {
  if (typeof model !== "string" || model === "")
    throw invalid("model", "must be a non-empty string");
  if (model.length > longestModel)
    throw invalid("model", `must have at most ${longestModel} characters`);
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  if (/[\u0000-\u001f\u007f-\u009f]/.test(model))
    throw invalid("model", "must not hold control characters");
}

/** What is read of a request without checking it. `model`: as its address names it. */
export function describeFields(
  operation: Operation,
  fields: JsonObject,
  model: string | undefined,
): RequestDescription {
  const { maxOutput, answers, serviceTier, uncertain, otherModels } = describeCost(fields, [
    "max_tokens",
  ]);
  const most = operation.mostOutput?.(fields) ?? maxOutput;
  return {
    model: model ?? asFilledString(fields["model"]) ?? "",
    stream: fields["stream"] === true || operation.streams?.(fields) === true,
    wantsUsage: false,
    stored: false,
    answers,
    ...(most !== undefined && { maxOutput: most }),
    ...(serviceTier !== undefined && { serviceTier }),
    uncertain,
    otherModels,
  };
}

/** The text fields of a form as the members of a JSON body: numbers and booleans by their value. Throws M300. */
export function fieldsOf(parts: readonly FormPart[]): JsonObject {
  const decoder = new TextDecoder();
  const fields = new Map<string, JsonValue>();
  for (const { name, filename, value } of parts) {
    if (name === "model" && (fields.has(name) || filename !== undefined))
      throw invalid("model", "must be one field of text");
    if (filename !== undefined || fields.has(name)) continue;
    if (value.length > longestField) throw invalid(name.slice(0, 100), "is longer than 1 MB");
    const text = decoder.decode(value);
    fields.set(name, name === "model" ? text : valueOf(text));
  }
  return Object.fromEntries(fields);
}

function valueOf(text: string): JsonValue {
  if (text === "true") return true;
  if (text === "false") return false;
  return /^\d{1,15}$/.test(text) ? Number(text) : text;
}
