/** Masks the provider's credential in its failures and headers. */
import type { ReplyEvent } from "../core/events.ts";
import { secretsOf } from "../providers/connection/credentials.ts";
import { maskFailure, maskSecrets } from "../providers/connection/mask.ts";
import type { Piece, Source } from "./source.ts";
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
      return {
        ...started,
        headers: maskedHeaders(headers, secrets),
        source: maskedSource(source, secrets),
        held: maskedPiece(held, secrets),
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

function maskedSource(source: Source, secrets: readonly string[]): Source {
  return {
    read: async () => maskedPiece(await source.read(), secrets),
    cancel: () => source.cancel(),
  };
}

/** Only failures are the provider's own texts; content is the model's. */
function maskedPiece(piece: Piece, secrets: readonly string[]): Piece {
  if (!piece.events.some((event) => event.kind === "fail")) return piece;
  const events = piece.events.map((event): ReplyEvent =>
    event.kind === "fail" ? { kind: "fail", failure: maskFailure(event.failure, secrets) } : event,
  );
  return { ...piece, events };
}
