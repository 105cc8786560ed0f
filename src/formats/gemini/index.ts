/** Google's generateContent, as providers speak it. */
import type { ProviderFormat } from "../../core/format.ts";
import { readFailure } from "./reply/errors.ts";
import { eventReader } from "./reply/read-events.ts";
import { readReply } from "./reply/read-reply.ts";
import { counting, endpoint } from "./request/endpoint.ts";
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
