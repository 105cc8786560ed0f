/** What the gateway itself demands of a generateContent request, relays included. */
import type { RequestAddress } from "../../../core/format.ts";
import { invalid } from "../../../core/problem.ts";
import { BlockCount, checkCount } from "../../../core/request-bounds.ts";
import { isObject, type JsonObject, type JsonValue } from "../../../lib/json.ts";
import { asList, membersOf, type Members } from "./read-members.ts";
import { checkModelName } from "../../../translation/model-name.ts";

/** The older API called the author of results a role of its own. */
const roles: ReadonlySet<JsonValue> = new Set(["user", "model", "function"]);

/** Throws M300 that names the field when the body is no generateContent request. */
export function checkRequest(body: JsonObject, address?: RequestAddress): void {
  checkModelName(modelOf(body, address));
  const request = membersOf(body, { path: "", unsupported: new Set() });
  const blocks = new BlockCount();
  checkContents(body["contents"], blocks);
  checkInstruction(request, blocks);
  checkList(request, "tools");
  const declared = request
    .each("tools")
    .flatMap((tool) => asList(tool.get("functionDeclarations")));
  checkCount(declared, request.pathOf("tools"), "tools");
  for (const name of ["generationConfig", "toolConfig"]) checkObject(request, name);
}

/** The address names the model; callers without one write it into the body. */
export function modelOf(body: JsonObject, address?: RequestAddress): JsonValue | undefined {
  return address?.model ?? body["model"];
}

/** Throws M300 for what is no conversation. The service takes one content, and one part, in place of a list. */
export function checkContents(contents: JsonValue | undefined, blocks = new BlockCount()): void {
  const isList = Array.isArray(contents) && contents.length > 0;
  if (!isList && !isObject(contents)) throw invalid("contents", "must be a non-empty array");
  checkCount(contents, "contents", "messages");
  if (!isList) return checkContent(contents, "contents", blocks);
  contents.forEach((content, index) => checkContent(content, `contents[${index}]`, blocks));
}

function checkContent(content: JsonValue | undefined, path: string, blocks: BlockCount): void {
  if (!isObject(content)) throw invalid(path, "must be an object");
  const { role, parts } = content;
  if (role !== undefined && role !== null && role !== "" && !roles.has(role))
    throw invalid(`${path}.role`, "must be one of user, model, function");
  // An answer that was cut in its thoughts has none, and clients send it back so.
  if (parts === undefined || parts === null || isObject(parts)) return;
  if (!Array.isArray(parts)) throw invalid(`${path}.parts`, "must be an array");
  blocks.add(parts, `${path}.parts`);
  parts.forEach((part, at) => {
    if (!isObject(part)) throw invalid(`${path}.parts[${at}]`, "must be an object");
    const response = part["functionResponse"] ?? part["function_response"];
    if (isObject(response)) blocks.add(response["parts"], `${path}.parts[${at}]`);
  });
}

function checkInstruction(request: Members, blocks: BlockCount): void {
  const value = request.get("systemInstruction");
  const path = request.pathOf("systemInstruction");
  blocks.add(isObject(value) ? value["parts"] : value, path);
  const isKnown =
    value === undefined || typeof value === "string" || Array.isArray(value) || isObject(value);
  if (!isKnown) throw invalid(path, "must be a Content, a list of parts or a string");
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
