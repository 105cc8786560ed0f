/** Images, documents and search results of a Messages request. */
import { asString, isObject, type JsonObject, type JsonValue } from "../../../lib/json.ts";
import { invalid } from "../../../core/problem.ts";
import type { Block, MediaBlock } from "../../../core/request.ts";
import { needString, readCache } from "./members.ts";
import { noteUnknownMembers, type Notes } from "./read-context.ts";

const imageKeys = new Set(["type", "source", "cache_control"]);
const documentKeys = new Set(["type", "source", "title", "context", "cache_control"]);
const searchKeys = new Set(["type", "source", "title", "content", "cache_control"]);

/** What nested content is read with. */
interface Nested {
  notes: Notes;
  readContent: (content: JsonValue | undefined, path: string, notes: Notes) => Block[];
}

export function readImage(part: JsonObject, path: string, notes: Notes): MediaBlock {
  noteUnknownMembers(notes, part, { path, known: imageKeys });
  return {
    kind: "media",
    media: "image",
    source: readSource(part, path, notes),
    ...readCache(part, path, notes),
    path,
  };
}

export function readDocument(part: JsonObject, path: string, nested: Nested): MediaBlock {
  noteUnknownMembers(nested.notes, part, { path, known: documentKeys });
  const name = asString(part["title"]);
  const context = asString(part["context"]);
  const source = isObject(part["source"]) ? part["source"] : {};
  if (source["type"] === "content") noteSource(source, `${path}.source`, nested.notes);
  return {
    kind: "media",
    media: "document",
    source:
      source["type"] === "content"
        ? blocksSource(source["content"], `${path}.source.content`, nested)
        : readSource(part, path, nested.notes),
    ...(name !== undefined && { name }),
    ...(context !== undefined && { context }),
    ...readCache(part, path, nested.notes),
    path,
  };
}

/** A search result is a document of text blocks; where it came from is its context. */
export function readSearchResult(part: JsonObject, path: string, nested: Nested): MediaBlock {
  noteUnknownMembers(nested.notes, part, { path, known: searchKeys });
  return {
    kind: "media",
    media: "document",
    source: blocksSource(part["content"], `${path}.content`, nested),
    name: needString(part, "title", path),
    context: needString(part, "source", path),
    ...readCache(part, path, nested.notes),
    path,
  };
}

function blocksSource(
  content: JsonValue | undefined,
  path: string,
  nested: Nested,
): MediaBlock["source"] {
  return { type: "blocks", blocks: nested.readContent(content, path, nested.notes) };
}

const sourceKeys: Record<string, ReadonlySet<string>> = {
  base64: new Set(["type", "media_type", "data"]),
  url: new Set(["type", "url"]),
  file: new Set(["type", "file_id"]),
  text: new Set(["type", "media_type", "data"]),
  content: new Set(["type", "content"]),
};

function noteSource(source: JsonObject, path: string, notes: Notes): void {
  const type = asString(source["type"]) ?? "";
  const known = Object.hasOwn(sourceKeys, type) ? sourceKeys[type] : undefined;
  if (known) noteUnknownMembers(notes, source, { path, known });
}

function readSource(part: JsonObject, path: string, notes: Notes): MediaBlock["source"] {
  const source = part["source"];
  const at = `${path}.source`;
  if (!isObject(source)) throw invalid(at, "must be an object");
  noteSource(source, at, notes);
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
