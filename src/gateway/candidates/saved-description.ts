/** What a harness's saved parameters say of the requests that they are merged into. */
import { clientFormats } from "../../formats/index.ts";
import type { RequestDescription, SavedParameters } from "../../core/format.ts";
import type { HarnessEntry } from "../../store/config.ts";
import { savedParametersFor } from "../../store/harness-parameters.ts";

const described = new WeakMap<SavedParameters, RequestDescription>();

/** Saved parameters have the names of OpenAI chat. */
export function describeSaved(harness: HarnessEntry, model: string): RequestDescription {
  const saved = savedParametersFor(harness, model);
  let description = described.get(saved);
  if (description === undefined)
    described.set(saved, (description = clientFormats.chat.describe({ ...saved })));
  return description;
}
