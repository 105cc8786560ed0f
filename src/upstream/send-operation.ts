/** One HTTP call of a provider for an operation. */
import { withoutEnd } from "../lib/trim-end.ts";
import { Problem, problemCodes } from "../core/problem.ts";
import type { OperationCall } from "../operations/operation.ts";
import { checkBaseUrl } from "../providers/connection/address.ts";
import {
  addEntryHeaders,
  fixedHeaders,
  secretsOf,
  type Credentials,
} from "../providers/connection/credentials.ts";
import { connectionFailure } from "../providers/connection/failures.ts";
import type { Reach } from "../store/env.ts";
import { operationTypeFailure } from "./failures.ts";
import { usable } from "./send.ts";
import type { Opened } from "./start.ts";
import type { Ask, Prepared } from "./upstream.ts";

export interface OperationSending {
  readonly writ: Prepared;
  readonly call: OperationCall;
  /** Of the operation's path. */
  readonly root: string;
  readonly credentials: Credentials;
  readonly reach: Reach;
  readonly signal: AbortSignal;
  readonly ask: Ask;
}

/** The provider's answer once its headers show that it can be one, or why there is none. Throws M303 and M100. */
export async function sendOperation(sending: OperationSending): Promise<Opened> {
  const { call, root, reach, signal, credentials } = sending;
  const url = checkBaseUrl(root, reach);
  url.pathname = withoutEnd(url.pathname, "/") + call.path;
  const { body } = call;
  const init = {
    method: "POST",
    headers: headersOf(sending),
    body,
    redirect: "manual",
    signal,
  } as const;
  try {
    const response = await fetch(url.href, init);
    return await usable(response, {
      format: sending.writ.format,
      context: sending.writ.context,
      secrets: secretsOf(credentials),
      typeFailure: operationTypeFailure,
    });
  } catch (error) {
    return { ok: false, failure: connectionFailure(error, signal) };
  }
}

/** Built from nothing: none of the client's own is handed on but what it takes as an answer. */
function headersOf({ writ, call, credentials, ask }: OperationSending): Headers {
  const { model, target } = writ;
  const { connection } = model;
  try {
    const headers = new Headers(ask.attempt?.headers);
    const fixed = fixedHeaders(connection, target.format, credentials.secret);
    for (const [name, value] of Object.entries(fixed)) headers.set(name, value);
    headers.set("content-type", call.type);
    headers.set("accept", acceptedBy(ask.headers));
    headers.set("user-agent", "routing-gateway");
    addEntryHeaders(headers, connection, credentials.secretHeaders);
    return headers;
  } catch (error) {
    // The runtime's own message would repeat the value.
    if (!(error instanceof TypeError)) throw error;
    throw new Problem(
      problemCodes.providerCredential,
      `The credential of ${connection.id} can't be sent in a header.`,
    );
  }
}

const longestAccept = 200;

function acceptedBy(headers: Headers): string {
  const accept = headers.get("accept") ?? "*/*";
  return accept.length <= longestAccept ? accept : "*/*";
}
