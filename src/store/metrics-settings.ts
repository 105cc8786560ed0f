/** The setting `METRICS_TOKEN`: what `GET /metrics` takes beside the admin token. */
import type { Env } from "./env.ts";
import { SettingsError } from "./settings-error.ts";

const shortestToken = 16;

/**
 * The token; undefined where none is set. Throws SettingsError for one that is short enough to be guessed, or that no
 * bearer header can carry. The message never repeats it.
 */
export function metricsTokenOf({
  METRICS_TOKEN: token = "",
}: Partial<Pick<Env, "METRICS_TOKEN">>): string | undefined {
  if (token === "") return undefined;
  if (token.length < shortestToken)
    throw new SettingsError(
      `The setting METRICS_TOKEN has ${token.length} characters: use at least ${shortestToken}.`,
    );
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new SettingsError("The setting METRICS_TOKEN may contain only visible ASCII characters.");
  return token;
}
