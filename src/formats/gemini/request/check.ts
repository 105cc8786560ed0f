/** What the gateway itself demands of a generateContent request, relays included. */
import type { RequestAddress } from "../../../core/format.ts";
import { invalid } from "../../../core/problem.ts";
import { isObject, type JsonObject, type JsonValue } from "../../../lib/json.ts";
import { membersOf, type Members } from "./read-members.ts";
import { checkModelName } from "../../../translation/model-name.ts";

/** The older API called the author of results a role of its own. */
const roles: ReadonlySet<JsonValue> = new Set(["user", "model", "function"]);

/** Throws M300 that names the field when the body is no generateContent request. */
export function checkRequest(body: JsonObject, address?: RequestAddress): void {
  checkModelName(modelOf(body, address));
  const request = membersOf(body, { path: "", unsupported: new Set() });
  checkContents(body["contents"]);
  checkInstruction(request);
  checkList(request, "tools");
  for (const name of ["generationConfig", "toolConfig"]) checkObject(request, name);
}

/** The address names the model; callers without one write it into the body. */
export function modelOf(body: JsonObject, address?: RequestAddress): JsonValue | undefined {
  return address?.model ?? body["model"];
}

/** Throws M300 for what is no conversation. The service takes one content, and one part, in place of a list. */
export function checkContents(contents: JsonValue | undefined): void {
  const isList = Array.isArray(contents) && contents.length > 0;
  if (!isList && !isObject(contents)) throw invalid("contents", "must be a non-empty array");
  if (!isList) return checkContent(contents, "contents");
  contents.forEach((content, index) => checkContent(content, `contents[${index}]`));
}

function checkContent(content: JsonValue | undefined, path: string): void {
  if (!isObject(content)) throw invalid(path, "must be an object");
  const { role, parts } = content;
  if (role !== undefined && role !== null && role !== "" && !roles.has(role))
    throw invalid(`${path}.role`, "must be one of user, model, function");
  // An answer that was cut in its thoughts has none, and clients send it back so.
  if (parts === undefined || parts === null || isObject(parts)) return;
  if (!Array.isArray(parts)) throw invalid(`${path}.parts`, "must be an array");
  parts.forEach((part, at) => {
    if (!isObject(part)) throw invalid(`${path}.parts[${at}]`, "must be an object");
  });
}

function checkInstruction(request: Members): void {
  const value = request.get("systemInstruction");
  const isKnown =
    value === undefined || typeof value === "string" || Array.isArray(value) || isObject(value);
  if (!isKnown)
    throw invalid(
      request.pathOf("systemInstruction"),
      "must be a Content, a list of parts or a string",
    );
}

function checkList(request: Members, name: string): void {
  const value = request.get(name);
  if (value === undefined || isObject(value)) return;
  if (!Array.isArray(value)) throw invalid(request.pathOf(name), "must be an array");
  value.forEach((item, at) => {
    if (!isObject(item)) throw invalid(`${request.pathOf(name)}[${at}]`, "must be an object");
  });
}

function checkObject(request: Members, name: string): void {
  const value = request.get(name);
  if (value !== undefined && !isObject(value))
    throw invalid(request.pathOf(name), "must be an object");
}
