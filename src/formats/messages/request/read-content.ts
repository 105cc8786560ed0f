/** Content of a Messages request as neutral blocks: text, thinking, calls and results. */
import { asArray, asString, isObject, type JsonObject, type JsonValue } from "../../../lib/json.ts";
import { invalid } from "../../../core/problem.ts";
import type { Block, CallBlock, ResultBlock, ThinkingBlock } from "../../../core/request.ts";
import { readCitation } from "../citations.ts";
import { needString, readCache } from "./members.ts";
import { noteUnknownMembers, type Notes } from "./read-context.ts";
import { readDocument, readImage, readSearchResult } from "./read-media.ts";
import { readServerBlock } from "./read-provider-blocks.ts";
import { isTagged, readSignature, type Owner } from "../thinking-signature.ts";

const textKeys = new Set(["type", "text", "cache_control", "citations"]);
const thinkingKeys = new Set(["type", "thinking", "signature", "data"]);
const useKeys = new Set(["type", "id", "name", "input", "cache_control"]);
/** Called by the model itself is what every call is elsewhere. */
const directUseKeys = new Set([...useKeys, "caller"]);
const callerKeys = new Set(["type"]);
const resultKeys = new Set(["type", "tool_use_id", "content", "is_error", "cache_control"]);
const referenceKeys = new Set(["type", "tool_name", "cache_control"]);
const changeKeys = new Set(["type", "tool"]);
const changedKeys = new Set(["type", "name", "definition"]);

/** `path` is that of the `content` member. */
export function readContent(content: JsonValue | undefined, path: string, notes: Notes): Block[] {
  if (typeof content === "string") return content === "" ? [] : [{ kind: "text", text: content }];
  const parts = asArray(content);
  const at = `${path}[]`;
  const blocks: Block[] = [];
  /** State that waits for the call after it. */
  let waiting: ThinkingBlock | undefined;
  for (const part of parts) {
    if (!isObject(part)) throw invalid(at, "must be an object");
    const owned = ownedState(part);
    if (owned) noteUnknownMembers(notes, part, { path: at, known: thinkingKeys });
    if (owned?.owner === "next") {
      waiting = { kind: "thinking", text: "", state: owned.state, path: at };
      continue;
    }
    if (owned?.owner === "previous" && giveState(blocks.at(-1), { ...owned, path: at })) continue;
    const read = readBlock(part, at, notes);
    if (waiting && !giveState(read[0], waiting)) blocks.push(waiting);
    waiting = undefined;
    blocks.push(...read);
  }
  if (waiting) blocks.push(waiting);
  return blocks;
}

function ownedState(
  part: JsonObject,
): { state: NonNullable<ThinkingBlock["state"]>; owner: Owner } | undefined {
  const signature = asString(part["signature"]);
  if (part["type"] !== "thinking" || signature === undefined || !isTagged(signature))
    return undefined;
  const read = readSignature(signature);
  return read?.owner === "self" ? undefined : read;
}

function giveState(
  block: Block | undefined,
  { state, path }: Pick<ThinkingBlock, "state" | "path">,
): boolean {
  if (block?.kind !== "call" || !state) return false;
  block.state = state;
  block.statePath = `${path}.signature`;
  return true;
}

function readBlock(part: JsonObject, path: string, notes: Notes): Block[] {
  switch (part["type"]) {
    case "text":
      return readText(part, path, notes);
    case "image":
      return [readImage(part, path, notes)];
    case "document":
      return [readDocument(part, path, { notes, readContent })];
    case "search_result":
      return [readSearchResult(part, path, { notes, readContent })];
    case "thinking":
    case "redacted_thinking":
      return [readThinking(part, path, notes)];
    case "tool_use":
      return [readUse(part, path, notes)];
    case "tool_result":
      return [readResult(part, path, notes)];
    case "tool_reference":
      return readReference(part, path, notes);
    case "tool_addition":
    case "tool_removal":
      return readChange(part, path, notes);
    default:
      return readServerBlock(part, path, notes);
  }
}

function readText(part: JsonObject, path: string, notes: Notes): Block[] {
  noteUnknownMembers(notes, part, { path, known: textKeys });
  const text = needString(part, "text", path);
  const citationsPath = `${path}.citations`;
  const citations = asArray(part["citations"]).flatMap((value) => {
    const citation = readCitation(value);
    if (!citation) notes.unsupported.add(citationsPath);
    return citation ?? [];
  });
  return [
    {
      kind: "text",
      text,
      ...readCache(part, path, notes),
      ...(citations.length > 0 && { citations, citationsPath }),
    },
  ];
}

function readThinking(part: JsonObject, path: string, notes: Notes): ThinkingBlock {
  noteUnknownMembers(notes, part, { path, known: thinkingKeys });
  const redacted = part["type"] === "redacted_thinking";
  const text = asString(part["thinking"]) ?? "";
  const data = asString(part[redacted ? "data" : "signature"]) ?? "";
  const block: ThinkingBlock = { kind: "thinking", text, path, ...(redacted && { redacted }) };
  const tagged = readSignature(data);
  if (tagged) return { ...block, state: tagged.state };
  if (data === "" || isTagged(data)) return block;
  const type = redacted ? "redacted" : "signature";
  return { ...block, state: { format: "messages", type, data } };
}

function readUse(part: JsonObject, path: string, notes: Notes): CallBlock {
  const { caller } = part;
  const direct = isObject(caller) && caller["type"] === "direct";
  if (direct) noteUnknownMembers(notes, caller, { path: `${path}.caller`, known: callerKeys });
  noteUnknownMembers(notes, part, { path, known: direct ? directUseKeys : useKeys });
  return {
    kind: "call",
    id: needString(part, "id", path),
    name: needString(part, "name", path),
    call: "function",
    input: JSON.stringify(part["input"] ?? {}),
    ...readCache(part, path, notes),
  };
}

function readResult(part: JsonObject, path: string, notes: Notes): ResultBlock {
  noteUnknownMembers(notes, part, { path, known: resultKeys });
  return {
    kind: "result",
    id: needString(part, "tool_use_id", path),
    call: "function",
    blocks: readContent(part["content"], `${path}.content`, notes),
    ...(part["is_error"] === true && { isError: true }),
    ...readCache(part, path, notes),
    path,
  };
}

function readReference(part: JsonObject, path: string, notes: Notes): Block[] {
  noteUnknownMembers(notes, part, { path, known: referenceKeys });
  const tool = needString(part, "tool_name", path);
  notes.loaded.add(tool);
  return [{ kind: "reference", tool }];
}

/** A tool that the conversation adds (by name or with its definition) or takes away. */
function readChange(part: JsonObject, path: string, notes: Notes): Block[] {
  noteUnknownMembers(notes, part, { path, known: changeKeys });
  const tool = isObject(part["tool"]) ? part["tool"] : {};
  const definition = isObject(tool["definition"]) ? tool["definition"] : undefined;
  const name = asString(definition?.["name"]) ?? asString(tool["name"]);
  if (name === undefined || String(tool["type"]).startsWith("mcp_")) {
    notes.unsupported.add(path);
    return [];
  }
  noteUnknownMembers(notes, tool, { path: `${path}.tool`, known: changedKeys });
  if (part["type"] === "tool_removal") {
    notes.changes.push({ remove: name });
    return [];
  }
  if (definition) notes.changes.push({ add: definition, path: `${path}.tool.definition` });
  // Offered again after all: as if it had never been withdrawn.
  else
    notes.changes = notes.changes.filter(
      (change) => !("remove" in change && change.remove === name),
    );
  notes.loaded.add(name);
  return [{ kind: "reference", tool: name }];
}
