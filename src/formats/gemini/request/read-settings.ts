/** The simple settings of a Gemini request. */
import type { ModelRequest, RequestPaths } from "../../../core/request.ts";
import type { RequestSettings } from "../../../core/parameters.ts";
import type { JsonObject, JsonValue } from "../../../lib/json.ts";
import { parameterMembers } from "../../../translation/parameters.ts";
import { readParameters } from "../../../translation/read-parameters.ts";
import type { Members } from "./read-members.ts";

export interface ReadSettings {
  readonly sampling: ModelRequest["sampling"];
  readonly settings: RequestSettings;
  readonly maxOutput?: number;
  readonly paths: RequestPaths;
}

const settingNames = parameterMembers("gemini", "generationConfig");

/** `config`: the `generationConfig`. */
export function readSettings(request: Members, config: Members | undefined): ReadSettings {
  const generationConfig: JsonObject = {};
  if (config) for (const name of settingNames) generationConfig[name] = numberOf(config.get(name));
  const tier = tierOf(request.get("serviceTier"));
  const read = readParameters(
    { generationConfig, ...(tier !== undefined && { serviceTier: tier }) },
    "gemini",
  );
  const count = numberOf(config?.get("candidateCount"));
  const answers = typeof count === "number" && count > 1 ? count : undefined;
  const limit = numberOf(config?.get("maxOutputTokens"));
  return {
    sampling: { ...read.sampling, ...(answers !== undefined && { n: answers }) },
    settings: read.settings,
    ...(typeof limit === "number" && { maxOutput: limit }),
    paths: {
      ...spelled(read.paths, request, config),
      ...(config && answers !== undefined && { n: config.pathOf("candidateCount") }),
    },
  };
}

/** Numbers may come as texts: that is how whole numbers of 64 bits are written. */
function numberOf(value: JsonValue | undefined): JsonValue | undefined {
  return typeof value === "string" && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(value)
    ? Number(value)
    : value;
}

/** In other formats the tier without priority is called `default`. */
function tierOf(value: JsonValue | undefined): string | undefined {
  if (typeof value !== "string") return undefined;
  const tier = value.toLowerCase().replace(/^service_tier_/, "");
  if (tier === "unspecified" || tier === "") return undefined;
  return tier === "standard" ? "default" : tier;
}

function spelled(paths: RequestPaths, request: Members, config: Members | undefined): RequestPaths {
  const renamed = Object.entries(paths).map(([field, path]) => {
    const [first = "", second] = path.split(".");
    return [field, second === undefined ? request.pathOf(first) : (config?.pathOf(second) ?? path)];
  });
  return Object.fromEntries(renamed);
}
