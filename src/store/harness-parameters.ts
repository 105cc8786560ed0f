/** The parameters that a harness saves for its requests. */
import type { SavedParameters } from "../core/format.ts";
import type { JsonValue } from "../lib/json.ts";
import { reservedParameters } from "../translation/saved-parameters.ts";
import type { HarnessEntry } from "./config.ts";

/** What a harness saved for one model (`<connection>/<model>`): per-model values over general ones. */
export function savedParametersFor(
  harness: Pick<HarnessEntry, "params" | "model_params">,
  model: string,
): SavedParameters {
  const own =
    harness.model_params !== undefined && Object.hasOwn(harness.model_params, model)
      ? harness.model_params[model]
      : undefined;
  // Without a prototype no name can mean one.
  const merged = Object.create(null) as Record<string, JsonValue>;
  for (const source of [harness.params, own]) {
    for (const [name, value] of Object.entries(source ?? {})) {
      if (!reservedParameters.has(name) && value !== undefined) merged[name] = value;
    }
  }
  return merged;
}
