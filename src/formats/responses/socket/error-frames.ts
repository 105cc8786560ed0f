/** Refusals as frames of a socket. */
import type { SocketError, SteerMessage } from "../../../core/socket-format.ts";
import { asObject } from "../../../lib/json.ts";
import { writeEvent } from "./events.ts";

/** Codex reads the headers beside the error, the openai SDK has them in it. */
export function writeErrorFrame(
  { status, envelope, headers }: SocketError,
  lane: string | undefined,
): string {
  const error = { ...asObject(envelope["error"]), headers };
  return writeEvent(JSON.stringify({ type: "error", status, error, headers }), lane);
}

/** A running response takes no input: its provider was asked over HTTP. The input comes back, as in OpenAI's answer. */
export function writeSteerFailed({ members }: SteerMessage): string {
  const steer = `{"previous_response_id":${members.get("previous_response_id") ?? "null"},"input":${members.get("input") ?? "null"}}`;
  const message = "Responses cannot be steered here: send the input with the next response.create.";
  const type = "invalid_request_error";
  const error = JSON.stringify({ type, code: "steering_not_supported", message });
  return `{"type":"response.steer.failed","sequence_number":0,"error":${error},"steer":${steer}}`;
}
