/** OpenAI chat completions, as clients and as providers speak it. */
import type { ClientFormat, ProviderFormat } from "../../core/format.ts";
import { openAiOverflow } from "../../translation/errors.ts";
import { writeExtraParameters } from "../../translation/saved-parameters.ts";
import { checkRequest } from "./check.ts";
import { describe } from "./describe.ts";
import { endpoint } from "./endpoint.ts";
import { readFailure, writeError } from "./reply/errors.ts";
import { hideUsage } from "./reply/hide-usage.ts";
import { eventReader } from "./reply/read-events.ts";
import { readReply } from "./reply/read-reply.ts";
import { readRequest } from "./read-request.ts";
import { relayRequest } from "./relay.ts";
import { scrub } from "./scrub.ts";
import { eventWriter } from "./reply/write-events.ts";
import { writeReply } from "./reply/write-reply.ts";
import { writeRequest } from "./write-request.ts";

const client: ClientFormat = {
  name: "chat",
  path: "/chat/completions",
  requestIdHeader: "x-request-id",
  checkRequest,
  describe,
  readRequest,
  writeReply,
  eventWriter,
  writeError,
  errorType: (_status, usual) => usual,
  overflowError: openAiOverflow,
  echoed: (body) => body,
  usageFilter: hideUsage,
};

const provider: ProviderFormat = {
  name: "chat",
  endpoint,
  writeRequest,
  eventReader,
  readReply,
  readFailure,
  relayRequest,
  writeExtraParameters,
  scrub,
};

export const chat = { name: "chat", client, provider } as const;
