/** Masks the provider's credential in its failures and headers. */
import type { Failure } from "../core/failure.ts";
import { secretsOf } from "../providers/connection/credentials.ts";
import { maskFailure, maskSecrets } from "../providers/connection/mask.ts";
import { withFailures } from "./source.ts";
import type { Layer, Started } from "./upstream.ts";

export const masking: Layer = (next) => async (ask) => {
  const started = await next(ask);
  const known = ask.credentials(ask.candidates[0].connection);
  const secrets = secretsOf(known instanceof Promise ? await known : known);
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
      const shown = maskedHeaders(headers, secrets);
      const events = withFailures(held.events, mask);
      if (shown === headers && events === held.events) return started;
      return { ...started, headers: shown, held: { ...held, events } };
    }
    case "whole": {
      const headers = maskedHeaders(started.headers, secrets);
      return headers === started.headers ? started : { ...started, headers };
    }
    default:
      return started satisfies never;
  }
}

/** A provider may echo its credential anywhere. The same headers where it did not. */
function maskedHeaders(
  headers: Readonly<Record<string, string>>,
  secrets: readonly string[],
): Readonly<Record<string, string>> {
  const shown: Record<string, string> = {};
  let echoes = false;
  for (const name in headers) {
    const value = headers[name] ?? "";
    const safe = maskSecrets(value, secrets);
    shown[name] = safe;
    if (safe !== value) echoes = true;
  }
  return echoes ? shown : headers;
}
