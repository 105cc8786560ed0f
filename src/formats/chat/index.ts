/** OpenAI chat completions, as clients and as providers speak it. */
import type { ClientDialect } from "../../core/format.ts";
import { readFailure, writeError } from "./errors.ts";
import { eventReader, readReply } from "./read-events.ts";
import { readTurn } from "./read-turn.ts";
import { scrub } from "./scrub.ts";
import { eventWriter } from "./write-events.ts";
import { writeReply } from "./write-reply.ts";
import { writeTurn } from "./write-turn.ts";

export { checkRequest } from "./check.ts";
export { hideUsage } from "./hide-usage.ts";

export const chat: ClientDialect = {
  name: "chat",
  readTurn,
  writeTurn,
  eventReader,
  readReply,
  readFailure,
  scrub,
  writeReply,
  eventWriter,
  writeError,
};
