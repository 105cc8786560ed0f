/** In which format a model is asked, and what a writer of that format may say to it. */
import type { ClientFormatName, FormatName } from "../../core/format-name.ts";
import { defaultTraits, type Target, type Traits } from "../../core/model.ts";
import { providerFormats } from "../../formats/index.ts";
import type { Endpoint } from "../catalogue/record.ts";
import { recordFor, type Connection, type ListedModel } from "./connection.ts";
import { rulesFor } from "./model-rules.ts";

/** The endpoints of a connection, best format first: what the record says, or what the entry's `format` insists on. */
export function endpointsOf(connection: Connection): readonly Endpoint[] {
  const { entry } = connection;
  const record = recordFor(connection);
  // A root of its own belongs to the maker's address, not to a configured one.
  const endpoints =
    entry.base_url === undefined
      ? record.endpoints
      : record.endpoints.filter((endpoint) => endpoint.base === undefined);
  if (entry.format === undefined)
    return endpoints.length > 0 ? endpoints : record.endpoints.slice(0, 1);
  const { format } = entry;
  // Counting belongs to this format; where an endpoint lacks it, its refusal leads to an estimate.
  const plain: Endpoint = format === "messages" ? { format, counts: true } : { format };
  return [record.endpoints.find((endpoint) => endpoint.format === format) ?? plain];
}

/** Formats by the names under which providers' lists publish their endpoints. */
const formatPublishedAs: ReadonlyMap<string, FormatName> = new Map(
  Object.values(providerFormats).flatMap(({ name, endpoint }) =>
    endpoint.publishedAs.map((path) => [path, name] as const),
  ),
);

/** Formats that the connection speaks for this model, best first. Never empty. */
export function formatsOf(model: ListedModel): readonly FormatName[] {
  const spoken = endpointsOf(model.connection);
  const named = rulesFor(recordFor(model.connection), model.info.id).findLast(
    (rule) => rule.formats !== undefined,
  )?.formats;
  const published = (model.info.supportedEndpoints ?? []).map((path) =>
    formatPublishedAs.get(path),
  );
  const known = published.some((format) => format !== undefined);
  const reachable = known
    ? spoken.filter((endpoint) => published.includes(endpoint.format))
    : spoken.filter((endpoint) =>
        named === undefined ? endpoint.partial !== true : named.includes(endpoint.format),
      );
  const formats = (reachable.length > 0 ? reachable : spoken).map((endpoint) => endpoint.format);
  return named === undefined
    ? formats
    : formats.toSorted((a, b) => rank(named, a) - rank(named, b));
}

function rank(order: readonly FormatName[], format: FormatName): number {
  const at = order.indexOf(format);
  return at < 0 ? order.length : at;
}

/** Where an attempt on this model goes: the client's own if the provider speaks it, else its best. */
export function targetOf(model: ListedModel, client: ClientFormatName, stream: boolean): Target {
  const formats = formatsOf(model);
  return targetIn(
    model,
    formats.find((format) => format === client) ?? formats[0] ?? client,
    stream,
  );
}

/** The target in a given format. */
export function targetIn(model: ListedModel, format: FormatName, stream: boolean): Target {
  const { maxOutput, contextWindow } = model.info;
  return {
    model: model.info.id,
    connection: model.connection.id,
    format,
    traits: traitsOf(model, format),
    ...(maxOutput !== undefined && { maxOutput }),
    ...(contextWindow !== undefined && { contextWindow }),
    stream,
  };
}

const traitsKept = new WeakMap<ListedModel, Map<FormatName, Traits>>();

/** The traits of a model in one format, made once for each listed model. */
function traitsOf(model: ListedModel, format: FormatName): Traits {
  const kept = traitsKept.get(model) ?? new Map<FormatName, Traits>();
  const traits = kept.get(format) ?? makeTraits(model, format);
  kept.set(format, traits);
  traitsKept.set(model, kept);
  return traits;
}

/** What a writer of `format` may say to this model: defaults, then the record, its endpoint, the model's rules, the entry. */
function makeTraits(model: ListedModel, format: FormatName): Traits {
  const { connection } = model;
  const record = recordFor(connection);
  const endpoint = endpointsOf(connection).find((candidate) => candidate.format === format);
  const rules = rulesFor(record, model.info.id).filter(
    (rule) => rule.on === undefined || rule.on.includes(format),
  );
  const openAi = format === "chat" || format === "responses";
  const byDefault = record.openAiFields ?? (record.endpoints.length === 0 && openAi);
  return Object.assign(
    defaultTraits(format),
    // Of an endpoint that the catalogue doesn't know, nobody knows which name it refuses.
    { renamesMaxTokens: record.endpoints.length > 0 && record.inProcess !== true },
    record.traits,
    endpoint?.traits,
    ...rules.map((rule) => rule.traits),
    { openAiFields: connection.entry.openai_fields ?? byDefault },
  );
}
