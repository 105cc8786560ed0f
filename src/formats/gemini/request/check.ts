/** What the gateway itself demands of a generateContent request, relays included. */
import type { RequestAddress } from "../../../core/format.ts";
import { invalid } from "../../../core/problem.ts";
import { isObject, type JsonObject, type JsonValue } from "../../../lib/json.ts";

const longestModel = 512;

/** Throws M300 that names the field when the body is no generateContent request. */
export function checkRequest(body: JsonObject, address?: RequestAddress): void {
  checkModel(modelOf(body, address));
  checkContents(body["contents"]);
}

/** The address names the model; callers without one write it into the body. */
export function modelOf(body: JsonObject, address?: RequestAddress): JsonValue | undefined {
  return address?.model ?? body["model"];
}

function checkModel(model: JsonValue | undefined): void {
  if (typeof model !== "string" || model === "")
    throw invalid("model", "must be a non-empty string");
  if (model.length > longestModel)
    throw invalid("model", `must have at most ${longestModel} characters`);
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u001f\u007f-\u009f]/.test(model))
    throw invalid("model", "must not hold control characters");
}

/** Throws M300 for what is no conversation. */
export function checkContents(contents: JsonValue | undefined): void {
  if (!Array.isArray(contents) || contents.length === 0)
    throw invalid("contents", "must be a non-empty array");
  contents.forEach((content, index) => {
    const path = `contents[${index}]`;
    if (!isObject(content)) throw invalid(path, "must be an object");
    const { parts } = content;
    if (!Array.isArray(parts)) throw invalid(`${path}.parts`, "must be an array");
    parts.forEach((part, at) => {
      if (!isObject(part)) throw invalid(`${path}.parts[${at}]`, "must be an object");
    });
  });
}
