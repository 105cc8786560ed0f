/** Reads what a client of the Responses API sends over a socket. */
import { invalid, Problem, problemCodes } from "../../../core/problem.ts";
import type { CreateMessage, SocketMessage } from "../../../core/socket-format.ts";
import { jsonMembers } from "../../../lib/json-members.ts";
import { asString, isObject, parseJson, type JsonValue } from "../../../lib/json.ts";

/** Characters of a member that is parsed. */
const longestSmall = 64 * 1024;
const longestLane = 256;

/** Throws M300 that names the field. */
export function readMessage(text: string): SocketMessage {
  const members = jsonMembers(text);
  if (members === undefined) throw new Problem(problemCodes.invalidRequest, notAnObject);
  const type = small(members, "type");
  switch (type) {
    case "response.create":
      return createMessage(members, text.length);
    case "response.steer":
      return { kind: "steer", members };
    case "response.processed":
      return { kind: "ignored" };
    default:
      throw invalid("type", "must be response.create");
  }
}

const notAnObject = "message: must be a JSON object in a text frame";

type Members = ReadonlyMap<string, string>;

function createMessage(members: Members, size: number): CreateMessage {
  const continues = small(members, "previous_response_id") ?? undefined;
  return {
    kind: "create",
    lane: laneOf(members),
    // What is no text is no response's id.
    ...(continues !== undefined && { continues: asString(continues) ?? "" }),
    warmUp: small(members, "generate") === false,
    headers: headersOf(members),
    members,
    size,
  };
}

/** The lane that a message names. Throws where it is none. */
function laneOf(members: Members): string | undefined {
  const lane = small(members, "stream_id") ?? undefined;
  if (lane === undefined) return undefined;
  if (typeof lane === "string" && lane !== "" && lane.length <= longestLane) return lane;
  const message = `stream_id: must be a string of 1 to ${longestLane} characters`;
  throw new Problem(problemCodes.invalidRequest, message, { code: "invalid_stream_id" });
}

/**
 * Codex puts into each message what it says in headers over HTTP: what the headers of the socket say is about the
 * moment at which it was opened.
 */
function headersOf(members: Members): Record<string, string> {
  const metadata = small(members, "client_metadata");
  const headers: Record<string, string> = {};
  if (!isObject(metadata)) return headers;
  for (const [name, value] of Object.entries(metadata))
    if (codexHeader.test(name) && typeof value === "string" && headerValue.test(value))
      headers[name.toLowerCase()] = value;
  return headers;
}

const codexHeader = /^x-codex-[a-z0-9-]{1,64}$/i;
const headerValue = /^[\x20-\x7e]{1,8192}$/;

/** The value of a member. One that is longer than such members ever are is read as an empty text. */
export function small(members: Members, name: string): JsonValue | undefined {
  const text = members.get(name);
  if (text === undefined) return undefined;
  const value = text.length > longestSmall ? "" : parseJson(text);
  if (value === undefined) throw new Problem(problemCodes.invalidRequest, notAnObject);
  return value;
}
