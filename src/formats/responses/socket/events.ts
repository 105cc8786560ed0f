/** Events of an answer as frames of a socket, and what they mean to it. */
import type { SocketEvent } from "../../../core/socket-format.ts";
import { jsonMembers } from "../../../lib/json-members.ts";
import { asString, parseJson } from "../../../lib/json.ts";

/** The name of an event's type, where it comes first: so every event is not read. */
const leadingType = /^\s*\{\s*"type"\s*:\s*"([^"\\]*)"/;
const ends: ReadonlySet<string> = new Set(["response.failed", "response.incomplete", "error"]);

/** What the event means to a socket. */
export function readEvent(data: string): SocketEvent {
  const type = leadingType.exec(data)?.[1] ?? stringMember(jsonMembers(data), "type") ?? "";
  if (type === "response.output_item.done") return itemEvent(jsonMembers(data));
  if (type === "response.completed") return completedEvent(jsonMembers(data));
  return ends.has(type) ? { kind: "ended" } : { kind: "other" };
}

type Members = ReadonlyMap<string, string>;

function itemEvent(members: Members | undefined): SocketEvent {
  const item = members?.get("item");
  if (item?.startsWith("{") !== true) return { kind: "other" };
  return { kind: "item", place: Number(members?.get("output_index") ?? 0), item };
}

function completedEvent(members: Members | undefined): SocketEvent {
  const response = jsonMembers(members?.get("response") ?? "");
  const output = response?.get("output") ?? "";
  return {
    kind: "completed",
    id: stringMember(response, "id"),
    items: output.startsWith("[") ? output.slice(1, -1).trim() : "",
  };
}

function stringMember(members: Members | undefined, name: string): string | undefined {
  return asString(parseJson(members?.get(name) ?? ""));
}

/** The event as a frame; empty for what is no JSON object. */
export function writeEvent(data: string, lane: string | undefined): string {
  const text = data.trim();
  if (!text.startsWith("{") || !text.endsWith("}")) return "";
  if (lane === undefined) return text;
  const rest = text.slice(1).trimStart();
  return `{"stream_id":${JSON.stringify(lane)}${rest === "}" ? "" : ","}${rest}`;
}

/** An event that says nothing, in the place of the last one. */
export function writeKeepAlive(last: string | undefined, lane: string | undefined): string {
  const number = Number(jsonMembers(last ?? "")?.get("sequence_number") ?? 0);
  const sequence = Number.isInteger(number) ? number : 0;
  return writeEvent(`{"type":"keepalive","sequence_number":${sequence}}`, lane);
}
