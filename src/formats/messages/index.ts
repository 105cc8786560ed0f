/** Anthropic Messages, as clients and as providers speak it. */
import type { ClientFormat } from "../../core/format.ts";
import { readFailure, writeError } from "./errors.ts";
import { eventReader } from "./read-events.ts";
import { readReply } from "./read-reply.ts";
import { readRequest } from "./read-request.ts";
import { scrub } from "./scrub.ts";
import { eventWriter } from "./write-events.ts";
import { writeReply } from "./write-reply.ts";
import { writeRequest } from "./write-request.ts";

export { checkRequest } from "./check.ts";

export const messages: ClientFormat = {
  name: "messages",
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
