/** OpenAI Responses, as clients and as providers speak it. */
import type { ClientFormat, ProviderFormat } from "../../core/format.ts";
import { sseComment, sseKeepAlive } from "../../lib/sse.ts";
import { openAiOverflow } from "../../translation/errors.ts";
import { writeTopLevelParameters } from "../../translation/saved-parameters.ts";
import { echoed } from "./reply/echo.ts";
import { readFailure, writeError } from "./reply/errors.ts";
import { eventReader } from "./reply/read-events.ts";
import { readReply } from "./reply/read-reply.ts";
import { relayEnding } from "./reply/relay-ending.ts";
import { eventWriter } from "./reply/write-events.ts";
import { writeReply } from "./reply/write-reply.ts";
import { checkRequest } from "./request/check.ts";
import { describe } from "./request/describe.ts";
import { counting, endpoint } from "./request/endpoint.ts";
import { readRequest } from "./request/read-request.ts";
import { relayRequest } from "./request/relay.ts";
import { scrub } from "./request/scrub.ts";
import { writeRequest } from "./request/write-request.ts";
import { socket } from "./socket/index.ts";

const client: ClientFormat = {
  name: "responses",
  path: "/responses",
  requestIdHeader: "x-request-id",
  relayKeepAlive: sseKeepAlive,
  comment: sseComment,
  checkRequest,
  describe,
  readRequest,
  writeReply,
  eventWriter,
  writeError,
  errorType: (_status, usual) => usual,
  overflowError: openAiOverflow,
  relayEnding,
  echoed,
  socket,
};

const provider: ProviderFormat = {
  name: "responses",
  endpoint,
  writeRequest,
  eventReader,
  readReply,
  readFailure,
  relayRequest,
  writeExtraParameters: writeTopLevelParameters,
  scrub,
  counting,
};

export const responses = { name: "responses", client, provider } as const;
