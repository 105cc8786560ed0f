/** Anthropic Messages, as clients and as providers speak it. */
import type { ClientDialect } from "../../core/format.ts";
import { readFailure, writeError } from "./errors.ts";
import { eventReader } from "./read-events.ts";
import { readReply } from "./read-reply.ts";
import { readTurn } from "./read-turn.ts";
import { scrub } from "./scrub.ts";
import { eventWriter } from "./write-events.ts";
import { writeReply } from "./write-reply.ts";
import { writeTurn } from "./write-turn.ts";

export { checkRequest } from "./check.ts";

export const messages: ClientDialect = {
  name: "messages",
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
