/** The parameters that a harness saves for its requests. */
import type { SavedParameters } from "../core/format.ts";
import type { JsonValue } from "../lib/json.ts";
import { reservedParameters } from "../translation/saved-parameters.ts";
import type { HarnessEntry } from "./config.ts";

type Saving = Pick<HarnessEntry, "params" | "model_params">;

/** Put together once for a harness and each model that it names; the others, of which clients may name any, share one. */
const saved = new WeakMap<Saving, Map<string | undefined, SavedParameters>>();

/** What a harness saved for one model (`<connection>/<model>`): per-model values over general ones. */
export function savedParametersFor(harness: Saving, model: string): SavedParameters {
  const named = harness.model_params !== undefined && Object.hasOwn(harness.model_params, model);
  const name = named ? model : undefined;
  let ofHarness = saved.get(harness);
  if (ofHarness === undefined) saved.set(harness, (ofHarness = new Map()));
  let parameters = ofHarness.get(name);
  if (parameters === undefined)
    ofHarness.set(
      name,
      (parameters = merged(harness.params, named ? harness.model_params?.[model] : undefined)),
    );
  return parameters;
}

function merged(general: HarnessEntry["params"], own: HarnessEntry["params"]): SavedParameters {
  // Without a prototype no name can mean one.
  const parameters = Object.create(null) as Record<string, JsonValue>;
  for (const source of [general, own]) {
    for (const [name, value] of Object.entries(source ?? {})) {
      if (!reservedParameters.has(name) && value !== undefined) parameters[name] = value;
    }
  }
  return Object.freeze(parameters);
}
