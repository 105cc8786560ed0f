/** The model list as Gemini clients see it. */
import type { ModelInfo } from "../../core/model.ts";
import type { JsonObject } from "../../lib/json.ts";
import type { ListedModel } from "../connection/connection.ts";
import type { Directory } from "./directory.ts";

const autoName = "auto";

/** `auto` first, then every routable id. */
export function geminiEntries(directory: Directory): JsonObject[] {
  return [autoEntry(), ...directory.models.map(modelEntry)];
}

/** One of them, or undefined for an id that is not listed. */
export function geminiEntry(id: string, directory: Directory): JsonObject | undefined {
  if (id === autoName) return autoEntry();
  const model = directory.byId.get(id);
  return model && modelEntry(model);
}

function autoEntry(): JsonObject {
  return entryOf({ id: autoName, base: autoName, shown: "Auto: the gateway chooses" });
}

function modelEntry({ id, info }: ListedModel): JsonObject {
  return { ...entryOf({ id, base: info.id, shown: info.displayName ?? info.id }), ...limits(info) };
}

function entryOf(named: { id: string; base: string; shown: string }): JsonObject {
  const { id, base, shown } = named;
  return {
    name: `models/${id}`,
    baseModelId: base,
    version: "1",
    displayName: shown,
    description: shown,
    supportedGenerationMethods: ["generateContent", "streamGenerateContent", "countTokens"],
  };
}

function limits({ contextWindow, maxOutput, features }: ModelInfo): JsonObject {
  return {
    ...(contextWindow !== undefined && { inputTokenLimit: contextWindow }),
    ...(maxOutput !== undefined && { outputTokenLimit: maxOutput }),
    ...(features && { thinking: features.includes("reasoning") }),
  };
}
