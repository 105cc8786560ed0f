/** Google's generateContent, as clients and providers speak it. */
import type { ClientFormat, ProviderFormat } from "../../core/format.ts";
import { readFailure } from "./reply/errors.ts";
import { eventReader } from "./reply/read-events.ts";
import { readReply } from "./reply/read-reply.ts";
import { framing } from "./reply/array-frame.ts";
import { cleanEvents } from "./reply/clean-events.ts";
import { overflowError, writeError } from "./reply/write-errors.ts";
import { eventWriter, geminiKeepAlive } from "./reply/write-events.ts";
import { writeReply } from "./reply/write-reply.ts";
import { checkRequest } from "./request/check.ts";
import { describe } from "./request/describe.ts";
import { clientCounting, counting, endpoint } from "./request/endpoint.ts";
import { writeExtraParameters } from "./request/parameters.ts";
import { readRequest } from "./request/read-request.ts";
import { relayRequest } from "./request/relay.ts";
import { scrub } from "./request/scrub.ts";
import { writeRequest } from "./request/write-request.ts";

const client: ClientFormat = {
  name: "gemini",
  path: "/v1beta/models",
  addressed: true,
  keys: { header: "x-goog-api-key", query: "key" },
  requestIdHeader: "x-request-id",
  relayKeepAlive: geminiKeepAlive,
  checkRequest,
  describe,
  readRequest,
  writeReply,
  eventWriter,
  writeError,
  errorType: (_status, usual) => usual,
  overflowError,
  echoed: (body) => body,
  relayFilter: cleanEvents,
  framing,
  counting: clientCounting,
};

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

export const gemini = { name: "gemini", client, provider } as const;
