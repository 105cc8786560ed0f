/** OpenAI Responses: what its clients send and what its providers answer. */
import type { ClientDialect } from "../../core/format.ts";
import { readFailure, writeError } from "./errors.ts";
import { eventReader, readReply } from "./read-events.ts";
import { readTurn } from "./read-turn.ts";
import { scrub } from "./scrub.ts";
import { eventWriter, writeReply } from "./write-events.ts";
import { writeTurn } from "./write-turn.ts";

export { checkRequest } from "./check.ts";

export const responses: ClientDialect = {
  name: "responses",
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
