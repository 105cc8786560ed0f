/** The model list as clients see it, in the shape of both worlds. */
import type { ModelListing } from "../../core/format.ts";
import type { ModelInfo } from "../../core/model.ts";
import { clientFormats } from "../../formats/index.ts";
import type { JsonObject } from "../../lib/json.ts";
import type { ListedModel } from "../connection/connection.ts";
import { listedName, shownName, type Directory } from "./directory.ts";

export interface EntryOptions {
  capabilities: boolean;
  cost: boolean;
  /** The caller sent `anthropic-version`: Anthropic's members are added. */
  anthropic: boolean;
}

const owner = "gateway";
const autoName = "auto";
/** An alias of `auto` that clients which only keep ids with this word in them can see. */
const claudeAlias = "claude-auto";
/** Names of `auto` that say what it prefers; listed with `anthropic-version` only. */
const dialNames = ["auto:eco", "auto:quality", "claude-auto-eco", "claude-auto-quality"];

/** `GET /v1/models`: `auto` first, then every routable id, the alias last where it is wanted. */
export function modelList(directory: Directory, options: EntryOptions): JsonObject {
  const data = [
    autoEntry(autoName, options),
    ...directory.models.map((model) => modelEntry(model, options)),
  ];
  if (!options.anthropic) return { object: "list", data };
  for (const model of directory.models) data.push(modelEntry(model, options, shownName(model.id)));
  for (const name of dialNames) data.push(autoEntry(name, options));
  data.push(autoEntry(claudeAlias, options));
  return { object: "list", data, has_more: false, first_id: autoName, last_id: claudeAlias };
}

/** `GET /v1/models/{id}`, or undefined for an id that is not listed. */
export function singleEntry(
  id: string,
  directory: Directory,
  options: EntryOptions,
): JsonObject | undefined {
  if (id === autoName || id === claudeAlias || dialNames.includes(id))
    return autoEntry(id, options);
  const model = directory.byId.get(id) ?? directory.byId.get(listedName(id));
  return model && modelEntry(model, options, id);
}

function autoEntry(id: string, options: EntryOptions): JsonObject {
  const told = "Chooses one of your providers' models for each request";
  return baseEntry({ id, owned: owner, shown: shownAuto(id), told }, options);
}

function shownAuto(id: string): string {
  if (id.endsWith("eco")) return "Auto, eco: begins with the cheapest";
  return id.endsWith("quality") ? "Auto, quality: begins stronger" : "Auto: the gateway chooses";
}

/** `id`: the name under which it is listed. */
function modelEntry(model: ListedModel, options: EntryOptions, id = model.id): JsonObject {
  const { info } = model;
  const capabilities = options.capabilities ? capabilitiesOf(info) : undefined;
  const cost = options.cost ? costOf(info) : undefined;
  return {
    ...baseEntry(
      {
        id,
        owned: model.connection.id,
        shown: info.displayName ?? info.id,
        told: `${info.id} from ${model.connection.id}`,
        window: info.contextWindow,
        output: info.maxOutput,
      },
      options,
    ),
    ...(capabilities && { capabilities }),
    ...(cost && { cost }),
  };
}

interface Listed extends ModelListing {
  readonly id: string;
  readonly owned: string;
}

function baseEntry({ id, owned, ...listed }: Listed, { anthropic }: EntryOptions): JsonObject {
  const entry: JsonObject = { id, object: "model", created: 0, owned_by: owned };
  return anthropic ? { ...entry, ...clientFormats.messages.writeModelEntry?.(listed) } : entry;
}

/** Features that clients know; others are the gateway's own. */
const publicFeatures = new Set(["stream", "tools"]);

function capabilitiesOf(info: ModelInfo): JsonObject | undefined {
  const features = info.features?.filter((feature) => publicFeatures.has(feature));
  const known: JsonObject = {
    ...(info.inputModalities && { input_modalities: info.inputModalities }),
    ...(info.outputModalities && { output_modalities: info.outputModalities }),
    ...(features && { features }),
    ...(info.supportedEndpoints && { supported_endpoints: info.supportedEndpoints }),
  };
  return Object.keys(known).length > 0 ? known : undefined;
}

function costOf({ prices }: ModelInfo): JsonObject | undefined {
  if (prices?.input === undefined && prices?.output === undefined) return undefined;
  return {
    ...(prices.input !== undefined && { input: prices.input }),
    ...(prices.output !== undefined && { output: prices.output }),
  };
}
