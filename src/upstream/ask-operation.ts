/** The one call of a provider for what is asked beside generation; generations pass. */
import { targetIn } from "../providers/connection/target.ts";
import { Problem, problemCodes } from "../core/problem.ts";
import type { ProviderFormatName } from "../core/format-name.ts";
import type { ReplyEvent } from "../core/events.ts";
import type { ProviderFormat } from "../core/format.ts";
import type { Usage } from "../core/usage.ts";
import { providerFormats } from "../formats/index.ts";
import { isObject } from "../lib/json.ts";
import { operationEvents } from "../operations/answer-events.ts";
import type { OperationCall, OperationRequest } from "../operations/operation.ts";
import { writeOperation } from "../operations/write-call.ts";
import { lacksCredential } from "../providers/connection/credentials.ts";
import { offeredOperation } from "../providers/connection/operations.ts";
import type { Reach } from "../store/env.ts";
import { noNames } from "../translation/tool-names.ts";
import { usageIn } from "./failures.ts";
import { eventsIn, readOperationAnswer } from "./operation-answer.ts";
import { sendOperation } from "./send-operation.ts";
import { startPrepared } from "./start.ts";
import type { Ask, Layer, Prepared, Started } from "./upstream.ts";

/** Throws M100, M302, M300 and M303 where the call cannot be made. */
export function askOperation(reach: Reach): Layer {
  return (next) => (ask) => {
    const { operation } = ask.request;
    return operation === undefined ? next(ask) : callOperation(ask, operation, reach);
  };
}

/** Throws M100, M302, M300 and M303. */
async function callOperation(ask: Ask, asked: OperationRequest, reach: Reach): Promise<Started> {
  const { connection } = ask.candidates[0];
  const offered = offeredOperation(connection, asked.operation.name);
  if (offered === undefined)
    throw new Problem(problemCodes.modelNotAvailable, `${connection.id} has no such operation.`);
  const credentials = await ask.credentials(connection);
  if (lacksCredential(connection, credentials.secret))
    throw new Problem(
      problemCodes.providerCredential,
      `The provider ${connection.id} has no usable credential. Enter its API key.`,
    );
  const target = { model: ask.candidates[0].info.id, format: offered.format };
  const call = writeOperation(asked, target);
  const { root } = offered;
  let reported: Usage | undefined;
  const saw = (events: readonly ReplyEvent[]): void => {
    reported = usageIn(events, reported);
  };
  return await startPrepared(ask, prepared(ask, offered.format, call), {
    open: (writ, signal) => sendOperation({ writ, call, root, credentials, reach, signal, ask }),
    read(writ, response, limit) {
      const { hasRoom } = ask;
      return readOperationAnswer({ prepared: writ, asked, call, response, limit, hasRoom, saw });
    },
    reported: () => reported,
  });
}

function prepared(
  { candidates: [model] }: Ask,
  format: ProviderFormatName,
  call: OperationCall,
): Prepared {
  // A first piece may take as long as a whole answer: pictures and sound are made before any of it is sent.
  const target = targetIn(model, format, false);
  return {
    model,
    target,
    format: formatOf(providerFormats[target.format]),
    relay: true,
    body: {},
    context: { origin: target.connection, names: noNames },
    dropped: call.dropped,
    quiet: [],
    hidesUsage: false,
  };
}

/** The provider's format with the events and answers of its operations. */
function formatOf(format: ProviderFormat): ProviderFormat {
  const readReply: ProviderFormat["readReply"] = (body) =>
    isObject(body) ? eventsIn(() => body) : [];
  return { ...format, eventReader: operationEvents, readReply };
}
