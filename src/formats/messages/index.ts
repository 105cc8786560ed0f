/** Anthropic Messages, as clients and as providers speak it. */
import type { ClientFormat, ProviderFormat } from "../../core/format.ts";
import { sseComment, sseKeepAlive } from "../../lib/sse.ts";
import { writeTopLevelParameters } from "../../translation/saved-parameters.ts";
import { errorType, overflowError, readFailure, writeError } from "./reply/errors.ts";
import { eventReader } from "./reply/read-events.ts";
import { readReply } from "./reply/read-reply.ts";
import { safeguardWriter } from "./reply/safeguard-results.ts";
import { spendHeaders, spendPrefix, spentHeaders } from "./reply/spend-headers.ts";
import { eventWriter } from "./reply/write-events.ts";
import { writeReply } from "./reply/write-reply.ts";
import { writeModelEntry } from "./shared/model-entry.ts";
import { checkRequest } from "./request/check.ts";
import { describe } from "./request/describe.ts";
import { clientCounting, counting, endpoint } from "./request/endpoint.ts";
import { readRequest } from "./request/read-request.ts";
import { relayRequest } from "./request/relay.ts";
import { safeguardsMember } from "./request/safeguards.ts";
import { scrub } from "./request/scrub.ts";
import { writeRequest } from "./request/write-request.ts";

const client: ClientFormat = {
  name: "messages",
  path: "/messages",
  requestIdHeader: "request-id",
  relayKeepAlive: sseKeepAlive,
  comment: sseComment,
  checkRequest,
  describe,
  readRequest,
  writeReply,
  eventWriter,
  writeError,
  errorType,
  overflowError,
  echoed: (body) => body,
  modelListHeader: "anthropic-version",
  writeModelEntry,
  counting: clientCounting,
  spending: { prefix: spendPrefix, headers: spendHeaders, refusedHeaders: spentHeaders },
  unkept: [safeguardsMember],
  safeguards: safeguardWriter,
};

const provider: ProviderFormat = {
  name: "messages",
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

export const messages = { name: "messages", client, provider } as const;
