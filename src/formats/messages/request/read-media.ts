/** Images, documents and search results of a Messages request. */
import { asString, isObject, type JsonObject, type JsonValue } from "../../../lib/json.ts";
import { invalid } from "../../../core/problem.ts";
import type { Block, MediaBlock } from "../../../core/request.ts";
import { readCacheMark } from "./read-cache-mark.ts";
import { needString, noteUnknown, type RequestReadContext } from "./read-context.ts";

const imageKeys = new Set(["type", "source", "cache_control"]);
const documentKeys = new Set(["type", "source", "title", "context", "cache_control"]);
const searchKeys = new Set(["type", "source", "title", "content", "cache_control"]);

/** What nested content is read with. */
export interface NestedReader {
  context: RequestReadContext;
  readContent: (
    content: JsonValue | undefined,
    path: string,
    context: RequestReadContext,
  ) => Block[];
}

export function readImage(part: JsonObject, path: string, context: RequestReadContext): MediaBlock {
  noteUnknown(part, { path, known: imageKeys }, context);
  return {
    kind: "media",
    media: "image",
    source: readSource(part, path, context),
    ...readCacheMark(part, path, context),
    path,
  };
}

export function readDocument(part: JsonObject, path: string, nested: NestedReader): MediaBlock {
  noteUnknown(part, { path, known: documentKeys }, nested.context);
  const name = asString(part["title"]);
  const background = asString(part["context"]);
  const source = isObject(part["source"]) ? part["source"] : {};
  if (source["type"] === "content") noteSource(source, `${path}.source`, nested.context);
  return {
    kind: "media",
    media: "document",
    source:
      source["type"] === "content"
        ? blocksSource(source["content"], `${path}.source.content`, nested)
        : readSource(part, path, nested.context),
    ...(name !== undefined && { name }),
    ...(background !== undefined && { context: background }),
    ...readCacheMark(part, path, nested.context),
    path,
  };
}

/** A search result is a document of text blocks; where it came from is its context. */
export function readSearchResult(part: JsonObject, path: string, nested: NestedReader): MediaBlock {
  noteUnknown(part, { path, known: searchKeys }, nested.context);
  return {
    kind: "media",
    media: "document",
    source: blocksSource(part["content"], `${path}.content`, nested),
    name: needString(part, "title", path),
    context: needString(part, "source", path),
    ...readCacheMark(part, path, nested.context),
    path,
  };
}

function blocksSource(
  content: JsonValue | undefined,
  path: string,
  nested: NestedReader,
): MediaBlock["source"] {
  return { type: "blocks", blocks: nested.readContent(content, path, nested.context) };
}

const sourceKeys: Record<string, ReadonlySet<string>> = {
  base64: new Set(["type", "media_type", "data"]),
  url: new Set(["type", "url"]),
  file: new Set(["type", "file_id"]),
  text: new Set(["type", "media_type", "data"]),
  content: new Set(["type", "content"]),
};

function noteSource(source: JsonObject, path: string, context: RequestReadContext): void {
  const type = asString(source["type"]) ?? "";
  const known = Object.hasOwn(sourceKeys, type) ? sourceKeys[type] : undefined;
  if (known) noteUnknown(source, { path, known }, context);
}

function readSource(
  part: JsonObject,
  path: string,
  context: RequestReadContext,
): MediaBlock["source"] {
  const source = part["source"];
  const at = `${path}.source`;
  if (!isObject(source)) throw invalid(at, "must be an object");
  noteSource(source, at, context);
  switch (source["type"]) {
    case "base64":
      return {
        type: "bytes",
        mime: needString(source, "media_type", at),
        data: needString(source, "data", at),
      };
    case "url":
      return { type: "url", url: needString(source, "url", at) };
    case "file":
      return { type: "file", id: needString(source, "file_id", at) };
    case "text":
      return { type: "text", text: needString(source, "data", at) };
    default:
      throw invalid(`${at}.type`, "is not a known kind of source");
  }
}
