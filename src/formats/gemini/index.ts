/** Google's generateContent, as providers speak it. */
import type { ProviderFormat } from "../../core/format.ts";
import { counting, endpoint } from "./endpoint.ts";
import { readFailure } from "./reply/errors.ts";
import { eventReader } from "./reply/read-events.ts";
import { readReply } from "./reply/read-reply.ts";
import { relayRequest, writeExtraParameters } from "./relay.ts";
import { scrub } from "./scrub.ts";
import { writeRequest } from "./write-request.ts";

const provider: ProviderFormat = {
  name: "gemini",
  endpoint,
  writeRequest,
  eventReader,
  readReply,
  readFailure,
  relayRequest,
  writeExtraParameters,
  scrub,
  counting,
};

export const gemini = { name: "gemini", provider } as const;
