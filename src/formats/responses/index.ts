/** OpenAI Responses, as clients and as providers speak it. */
import type { ClientFormat, ProviderFormat } from "../../core/format.ts";
import { openAiOverflow } from "../../translation/errors.ts";
import { writeExtraParameters } from "../../translation/saved-parameters.ts";
import { checkRequest } from "./check.ts";
import { describe } from "./describe.ts";
import { echoed } from "./reply/echo.ts";
import { counting, endpoint } from "./endpoint.ts";
import { readFailure, writeError } from "./reply/errors.ts";
import { eventReader } from "./reply/read-events.ts";
import { readReply } from "./reply/read-reply.ts";
import { readRequest } from "./read-request.ts";
import { relayRequest } from "./relay.ts";
import { scrub } from "./scrub.ts";
import { eventWriter } from "./reply/write-events.ts";
import { writeReply } from "./reply/write-reply.ts";
import { writeRequest } from "./write-request.ts";

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
