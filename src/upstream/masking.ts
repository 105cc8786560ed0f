/** Masks the provider's credential in its failures and headers. */
import type { Failure } from "../core/failure.ts";
import { secretsOf } from "../providers/connection/credentials.ts";
import { maskFailure, maskSecrets } from "../providers/connection/mask.ts";
import { withFailures } from "./source.ts";
import type { Layer, Started } from "./upstream.ts";

export const masking: Layer = (next) => async (ask) => {
  const started = await next(ask);
  const [model] = ask.candidates;
  const secrets = secretsOf(await ask.credentials(model.connection));
  return secrets.length === 0 ? started : masked(started, secrets);
};

function masked(started: Started, secrets: readonly string[]): Started {
  switch (started.kind) {
    case "failed": {
      const [first, ...others] = started.failures.map((failed) => ({
        ...failed,
        failure: maskFailure(failed.failure, secrets),
      }));
      return first === undefined ? started : { ...started, failures: [first, ...others] };
    }
    case "stream": {
      const { headers, source, held } = started;
      const mask = (failure: Failure): Failure => maskFailure(failure, secrets);
      // Only failures are the provider's own texts; content is the model's.
      source.mapFailures(mask);
      return {
        ...started,
        headers: maskedHeaders(headers, secrets),
        held: { ...held, events: withFailures(held.events, mask) },
      };
    }
    case "whole":
      return { ...started, headers: maskedHeaders(started.headers, secrets) };
    default:
      return started satisfies never;
  }
}

/** A provider may echo its credential anywhere. */
function maskedHeaders(
  headers: Readonly<Record<string, string>>,
  secrets: readonly string[],
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, maskSecrets(value, secrets)]),
  );
}
