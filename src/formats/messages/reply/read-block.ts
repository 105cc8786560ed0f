/** Reads one block of an answer: what its start, its deltas and its end give as neutral events. */
import type { OpenBlock, ReplyEvent } from "../../../core/events.ts";
import type { ReadContext } from "../../../core/format.ts";
import type { WebSearchRun } from "../../../core/web-search.ts";
import {
  asArray,
  asObject,
  asString,
  isObject,
  parseJson,
  type JsonObject,
} from "../../../lib/json.ts";
import { freeformReader, unwrapFreeform } from "../../../translation/freeform.ts";
import { readCitation } from "../shared/citations.ts";
import { readSources } from "../shared/search-results.ts";
import { unsigned } from "./thinking-signature.ts";

/** Reads the rest of a block. Events are added to `out`. */
export interface BlockReader {
  delta(delta: JsonObject, out: ReplyEvent[]): void;
  close(out: ReplyEvent[]): void;
}

/** What a block is opened with. */
export interface BlockStart {
  key: number;
  context: ReadContext;
  /** Receives the events of the start. */
  events: ReplyEvent[];
  /** What the answer's searches asked for, by the ids of their uses. */
  queries: Map<string, string>;
}

/** Reads a block's start; gives the reader of the rest. */
export function blockReader(block: JsonObject, start: BlockStart): BlockReader {
  switch (block["type"]) {
    case "text":
      return textReader(block, start);
    case "thinking":
      return thinkingReader(block, start);
    case "redacted_thinking":
      return redactedReader(block, start);
    case "tool_use":
      return isCall(block) ? callReader(block, start) : opaqueReader(block, start);
    default:
      return opaqueReader(block, start);
  }
}

/** Whether a block is a call that a client can answer: one without a name is not. */
export function isCall(block: JsonObject): boolean {
  return block["type"] === "tool_use" && typeof block["name"] === "string" && block["name"] !== "";
}

/** A block that opens with its first event, since empty text is no block. */
interface LazyBlock {
  add(event: ReplyEvent, out: ReplyEvent[]): void;
  /** Nothing for empty text. */
  addText(text: string | undefined, out: ReplyEvent[]): void;
  close(out: ReplyEvent[]): void;
}

function lazyBlock(key: number, block: OpenBlock): LazyBlock {
  let isOpen = false;
  const add = (event: ReplyEvent, out: ReplyEvent[]): void => {
    if (!isOpen) out.push({ kind: "open", key, block });
    isOpen = true;
    out.push(event);
  };
  return {
    add,
    addText(text, out) {
      if (text !== undefined && text !== "") add({ kind: "delta", key, text }, out);
    },
    close(out) {
      if (isOpen) out.push({ kind: "close", key });
    },
  };
}

function textReader(block: JsonObject, { key, events }: BlockStart): BlockReader {
  const { add, addText, close } = lazyBlock(key, { kind: "text" });
  const cite = (value: JsonObject[string], out: ReplyEvent[]): void => {
    const citation = readCitation(value);
    if (citation) add({ kind: "cite", key, citation }, out);
  };
  addText(asString(block["text"]), events);
  for (const value of asArray(block["citations"])) cite(value, events);
  return {
    delta(delta, out) {
      if (delta["type"] === "text_delta") addText(asString(delta["text"]), out);
      else if (delta["type"] === "citations_delta") cite(delta["citation"], out);
    },
    close,
  };
}

function thinkingReader(block: JsonObject, { key, context, events }: BlockStart): BlockReader {
  const { add, addText, close } = lazyBlock(key, { kind: "thinking" });
  const sign = (data: string | undefined, out: ReplyEvent[]): void => {
    if (data === undefined || data === "" || data === unsigned) return;
    const state = { format: "messages", origin: context.origin, type: "signature", data } as const;
    add({ kind: "state", key, state }, out);
  };
  addText(asString(block["thinking"]), events);
  sign(asString(block["signature"]), events);
  return {
    delta(delta, out) {
      if (delta["type"] === "thinking_delta") addText(asString(delta["thinking"]), out);
      else if (delta["type"] === "signature_delta") sign(asString(delta["signature"]), out);
    },
    close,
  };
}

function redactedReader(block: JsonObject, { key, context, events }: BlockStart): BlockReader {
  const data = asString(block["data"]) ?? "";
  const state = { format: "messages", origin: context.origin, type: "redacted", data } as const;
  events.push({ kind: "open", key, block: { kind: "thinking", redacted: true } });
  events.push({ kind: "state", key, state });
  return {
    delta: () => {},
    close: (out) => out.push({ kind: "close", key }),
  };
}

/** Input that came whole with the start counts when no fragment follows; a call without input has `{}`. */
function callReader(block: JsonObject, { key, context, events }: BlockStart): BlockReader {
  const tool = context.names.fromWire(asString(block["name"]) ?? "");
  const freeform = tool.call === "custom" ? freeformReader() : undefined;
  let hasFragments = false;
  events.push({
    kind: "open",
    key,
    block: { kind: "call", id: asString(block["id"]) ?? "", ...tool },
  });
  const addInput = (text: string, out: ReplyEvent[]): void => {
    if (text !== "") out.push({ kind: "delta", key, text });
  };
  return {
    delta(delta, out) {
      const fragment = asString(delta["partial_json"]);
      if (delta["type"] !== "input_json_delta" || fragment === undefined || fragment === "") return;
      hasFragments = true;
      addInput(freeform ? freeform.feed(fragment) : fragment, out);
    },
    close(out) {
      if (!hasFragments) addInput(wholeInput(block["input"], freeform !== undefined), out);
      else if (freeform) addInput(freeform.end(), out);
      out.push({ kind: "close", key });
    },
  };
}

function wholeInput(input: JsonObject[string], isFreeform: boolean): string {
  const json = JSON.stringify(input ?? {});
  if (!isFreeform) return json;
  return json === "{}" ? "" : unwrapFreeform(json);
}

/**
 * Every other block is emitted when it ends: tools that the provider ran, their results, and its own marks. An unknown
 * kind of tool use is something that a client would have to act on.
 */
function opaqueReader(block: JsonObject, { key, queries }: BlockStart): BlockReader {
  const type = asString(block["type"]) ?? "unknown";
  const raw = { ...block };
  let json = "";
  return {
    delta(delta) {
      if (typeof delta["partial_json"] === "string") json += delta["partial_json"];
      if (delta["type"] === "compaction_delta") Object.assign(raw, { ...delta, type });
    },
    close(out) {
      if (json !== "") raw["input"] = parseJson(json) ?? json;
      const search = searchIn(raw, queries);
      const opaque = { kind: "opaque", type, raw, action: isAction(type) } as const;
      out.push(
        { kind: "open", key, block: search === undefined ? opaque : { ...opaque, search } },
        { kind: "close", key },
      );
    },
  };
}

/** A search is told with its result; its use says what was asked. */
function searchIn(raw: JsonObject, queries: Map<string, string>): WebSearchRun | undefined {
  if (raw["type"] === "server_tool_use" && raw["name"] === "web_search")
    queries.set(asString(raw["id"]) ?? "", asString(asObject(raw["input"])?.["query"]) ?? "");
  if (raw["type"] !== "web_search_tool_result") return undefined;
  const query = queries.get(asString(raw["tool_use_id"]) ?? "");
  return {
    ...(query !== undefined && { query }),
    sources: readSources(raw["content"]),
    ...(isObject(raw["content"]) && { fault: "failed" as const }),
  };
}

function isAction(type: string): boolean {
  return type.endsWith("tool_use") && type !== "server_tool_use" && type !== "mcp_tool_use";
}
