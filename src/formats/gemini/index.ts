/** Google's generateContent, as providers speak it. */
import type { ProviderDialect } from "../../core/format.ts";
import { readFailure } from "./errors.ts";
import { eventReader, readReply } from "./read-events.ts";
import { scrub } from "./scrub.ts";
import { writeTurn } from "./write-turn.ts";

export const gemini: ProviderDialect = {
  name: "gemini",
  writeTurn,
  eventReader,
  readReply,
  readFailure,
  scrub,
};
