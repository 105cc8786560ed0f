/** The one call of a provider, under all layers. */
import { Problem, problemCodes } from "../core/problem.ts";
import { lacksCredential } from "../providers/connection/credentials.ts";
import type { Reach } from "../store/env.ts";
import { send } from "./send.ts";
import { start } from "./start.ts";
import type { Upstream } from "./upstream.ts";

/** Throws M100 without a credential that the provider wants, M300 and M303 where the call cannot be made. */
export function callProvider(reach: Reach): Upstream {
  return (ask) =>
    start(ask, async (prepared, signal) => {
      const { connection } = prepared.model;
      const known = ask.credentials(connection);
      const credentials = known instanceof Promise ? await known : known;
      if (lacksCredential(connection, credentials.secret))
        throw new Problem(
          problemCodes.providerCredential,
          `The provider ${connection.id} has no usable credential. Enter its API key.`,
        );
      const { headers, query, request } = ask;
      const { size, sent } = request;
      const trace = ask.attempt?.headers;
      return await send({
        prepared,
        credentials,
        reach,
        headers,
        query,
        signal,
        size,
        sent,
        trace,
      });
    });
}
