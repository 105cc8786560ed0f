/** The Responses API over a WebSocket. */
import type { SocketFormat } from "../../../core/socket-format.ts";
import { sseParser } from "../../../lib/sse.ts";
import { writeErrorFrame, writeSteerFailed } from "./error-frames.ts";
import { readEvent, writeEvent, writeKeepAlive } from "./events.ts";
import { readMessage } from "./read-message.ts";
import { joinItems, writeMessageRequest } from "./message-request.ts";

export const socket: SocketFormat = {
  continuesField: "previous_response_id",
  readMessage,
  writeRequest: writeMessageRequest,
  joinItems,
  readEvent,
  writeEvent,
  writeError: writeErrorFrame,
  writeSteerFailed,
  writeKeepAlive,
  emptyAnswer,
};

/** A response without output has two events; its writer says besides that it is in progress. */
function emptyAnswer(stream: string): string[] {
  const events: string[] = [];
  const parser = sseParser(({ event, data }) => {
    if (event !== "response.in_progress") events.push(data);
  });
  parser.feed(stream);
  parser.end();
  return events;
}
