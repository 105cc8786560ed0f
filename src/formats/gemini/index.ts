/** Google's generateContent, as providers speak it. */
import type { ProviderFormat } from "../../core/format.ts";
import { counting, endpoint } from "./request/endpoint.ts";
import { readFailure } from "./errors.ts";
import { eventReader, readReply } from "./read-events.ts";
import { writeExtraParameters } from "./request/parameters.ts";
import { relayRequest } from "./request/relay.ts";
import { scrub } from "./request/scrub.ts";
import { writeRequest } from "./request/write-request.ts";

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
