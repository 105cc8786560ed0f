/** OpenAI Responses, as clients and as providers speak it. */
import type { ClientFormat, ProviderFormat } from "../../core/format.ts";
import { openAiOverflow } from "../../translation/errors.ts";
import { writeExtraParameters } from "../../translation/saved-parameters.ts";
import { checkRequest } from "./request/check.ts";
import { describe } from "./request/describe.ts";
import { echoed } from "./echo.ts";
import { counting, endpoint } from "./request/endpoint.ts";
import { readFailure, writeError } from "./errors.ts";
import { eventReader, readReply } from "./read-events.ts";
import { readRequest } from "./request/read-request.ts";
import { relayRequest } from "./request/relay.ts";
import { scrub } from "./request/scrub.ts";
import { eventWriter, writeReply } from "./write-events.ts";
import { writeRequest } from "./request/write-request.ts";

const client: ClientFormat = {
  name: "responses",
  path: "/responses",
  requestIdHeader: "x-request-id",
  checkRequest,
  describe,
  readRequest,
  writeReply,
  eventWriter,
  writeError,
  errorType: (_status, usual) => usual,
  overflowError: openAiOverflow,
  echoed,
};

const provider: ProviderFormat = {
  name: "responses",
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

export const responses = { name: "responses", client, provider } as const;
