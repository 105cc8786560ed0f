/** OpenAI Responses: what its clients send and what its providers answer. */
import type { ClientFormat } from "../../core/format.ts";
import { readFailure, writeError } from "./errors.ts";
import { eventReader, readReply } from "./read-events.ts";
import { readRequest } from "./read-request.ts";
import { scrub } from "./scrub.ts";
import { eventWriter, writeReply } from "./write-events.ts";
import { writeRequest } from "./write-request.ts";

export { checkRequest } from "./check.ts";

export const responses: ClientFormat = {
  name: "responses",
  readRequest,
  writeRequest,
  eventReader,
  readReply,
  readFailure,
  scrub,
  writeReply,
  eventWriter,
  writeError,
};
