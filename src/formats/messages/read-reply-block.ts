/** One block of an answer: what its start, its deltas and its end say in neutral events. */
import { asArray, asString, parseJson, type JsonObject } from "../../lib/json.ts";
import { freeformReader, unwrapFreeform } from "../../translation/freeform.ts";
import type { ReadContext } from "../../core/format.ts";
import type { ReplyEvent } from "../../core/reply.ts";
import { readCitation } from "./citations.ts";
import { unsigned } from "./reply/thinking-signature.ts";

export interface BlockReader {
  delta(delta: JsonObject, out: ReplyEvent[]): void;
  close(out: ReplyEvent[]): void;
}

interface Opening {
  key: number;
  context: ReadContext;
  events: ReplyEvent[];
}

export function openBlock(block: JsonObject, opening: Opening): BlockReader {
  switch (block["type"]) {
    case "text":
      return textReader(block, opening);
    case "thinking":
      return thinkingReader(block, opening);
    case "redacted_thinking":
      return redactedReader(block, opening);
    case "tool_use":
      return isCall(block) ? callReader(block, opening) : opaqueReader(block, opening);
    default:
      return opaqueReader(block, opening);
  }
}

/** Whether a block is a call that a client can answer: one without a name is not. */
export function isCall(block: JsonObject): boolean {
  return block["type"] === "tool_use" && typeof block["name"] === "string" && block["name"] !== "";
}

/** Opened by its first character or citation: empty text is no block. */
function textReader(block: JsonObject, { key, events }: Opening): BlockReader {
  let opened = false;
  const say = (event: ReplyEvent, out: ReplyEvent[]): void => {
    if (!opened) out.push({ kind: "open", key, block: { kind: "text" } });
    opened = true;
    out.push(event);
  };
  const text = (value: string | undefined, out: ReplyEvent[]): void => {
    if (value !== undefined && value !== "") say({ kind: "delta", key, text: value }, out);
  };
  const cite = (value: JsonObject[string], out: ReplyEvent[]): void => {
    const citation = readCitation(value);
    if (citation) say({ kind: "cite", key, citation }, out);
  };
  text(asString(block["text"]), events);
  for (const value of asArray(block["citations"])) cite(value, events);
  return {
    delta(delta, out) {
      if (delta["type"] === "text_delta") text(asString(delta["text"]), out);
      else if (delta["type"] === "citations_delta") cite(delta["citation"], out);
    },
    close(out) {
      if (opened) out.push({ kind: "close", key });
    },
  };
}

function thinkingReader(block: JsonObject, { key, context, events }: Opening): BlockReader {
  let opened = false;
  const say = (event: ReplyEvent, out: ReplyEvent[]): void => {
    if (!opened) out.push({ kind: "open", key, block: { kind: "thinking" } });
    opened = true;
    out.push(event);
  };
  const text = (value: string | undefined, out: ReplyEvent[]): void => {
    if (value !== undefined && value !== "") say({ kind: "delta", key, text: value }, out);
  };
  const sign = (data: string | undefined, out: ReplyEvent[]): void => {
    if (data === undefined || data === "" || data === unsigned) return;
    const state = { format: "messages", origin: context.origin, type: "signature", data } as const;
    say({ kind: "state", key, state }, out);
  };
  text(asString(block["thinking"]), events);
  sign(asString(block["signature"]), events);
  return {
    delta(delta, out) {
      if (delta["type"] === "thinking_delta") text(asString(delta["thinking"]), out);
      else if (delta["type"] === "signature_delta") sign(asString(delta["signature"]), out);
    },
    close(out) {
      if (opened) out.push({ kind: "close", key });
    },
  };
}

function redactedReader(block: JsonObject, { key, context, events }: Opening): BlockReader {
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
function callReader(block: JsonObject, { key, context, events }: Opening): BlockReader {
  const wire = asString(block["name"]) ?? "";
  const named = context.names.fromWire(wire === "" ? "unknown_tool" : wire);
  const freeform = named.call === "custom" ? freeformReader() : undefined;
  let fragments = false;
  events.push({
    kind: "open",
    key,
    block: { kind: "call", id: asString(block["id"]) ?? "", ...named },
  });
  const say = (text: string, out: ReplyEvent[]): void => {
    if (text !== "") out.push({ kind: "delta", key, text });
  };
  return {
    delta(delta, out) {
      const fragment = asString(delta["partial_json"]);
      if (delta["type"] !== "input_json_delta" || fragment === undefined || fragment === "") return;
      fragments = true;
      say(freeform ? freeform.feed(fragment) : fragment, out);
    },
    close(out) {
      if (!fragments) {
        const json = JSON.stringify(block["input"] ?? {});
        say(freeform ? (json === "{}" ? "" : unwrapFreeform(json)) : json, out);
      } else if (freeform) say(freeform.end(), out);
      out.push({ kind: "close", key });
    },
  };
}

/**
 * Anything else is told whole, once it has ended: tools that the provider ran, their results, its own marks. An
 * unknown kind of tool use is something that a client would have to act on.
 */
function opaqueReader(block: JsonObject, { key }: Opening): BlockReader {
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
      out.push(
        { kind: "open", key, block: { kind: "opaque", type, raw, action: isAction(type) } },
        { kind: "close", key },
      );
    },
  };
}

function isAction(type: string): boolean {
  return type.endsWith("tool_use") && type !== "server_tool_use" && type !== "mcp_tool_use";
}
