/** OpenAI chat completions, as clients and as providers speak it. */
import type { ClientFormat } from "../../core/format.ts";
import { readFailure, writeError } from "./errors.ts";
import { eventReader, readReply } from "./read-events.ts";
import { readRequest } from "./read-request.ts";
import { scrub } from "./scrub.ts";
import { eventWriter } from "./write-events.ts";
import { writeReply } from "./write-reply.ts";
import { writeRequest } from "./write-request.ts";

export { checkRequest } from "./check.ts";
export { hideUsage } from "./hide-usage.ts";

export const chat: ClientFormat = {
  name: "chat",
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
