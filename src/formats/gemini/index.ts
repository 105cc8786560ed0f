/** Google's generateContent, as providers speak it. */
import type { ProviderFormat } from "../../core/format.ts";
import { readFailure } from "./errors.ts";
import { eventReader, readReply } from "./read-events.ts";
import { scrub } from "./scrub.ts";
import { writeRequest } from "./write-request.ts";

export const gemini: ProviderFormat = {
  name: "gemini",
  writeRequest,
  eventReader,
  readReply,
  readFailure,
  scrub,
};
