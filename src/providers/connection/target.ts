/** In which format a model is asked, and what a writer of that format may say to it. */
import type { ClientFormatName, FormatName } from "../../core/format-name.ts";
import { defaultTraits, type Target, type Traits } from "../../core/model.ts";
import { providerFormats } from "../../formats/index.ts";
import type { Endpoint } from "../catalogue/record.ts";
import { recordFor, type Connection, type ListedModel } from "./connection.ts";
import { rulesFor } from "./model-rules.ts";

const endpointsKept = new WeakMap<Connection, readonly Endpoint[]>();

/** The endpoints of a connection, best format first: what the record says, or what the entry's `format` insists on. */
export function endpointsOf(connection: Connection): readonly Endpoint[] {
  let endpoints = endpointsKept.get(connection);
  if (endpoints === undefined)
    endpointsKept.set(connection, (endpoints = findEndpoints(connection)));
  return endpoints;
}

function findEndpoints(connection: Connection): readonly Endpoint[] {
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

/** What follows from a model and its connection, worked out once for each listed model. */
interface ModelTargets {
  readonly formats: readonly FormatName[];
  readonly traits: Map<FormatName, Traits>;
  readonly streams: Map<FormatName, Target>;
  readonly wholes: Map<FormatName, Target>;
}

const targetsKept = new WeakMap<ListedModel, ModelTargets>();

function targetsOf(model: ListedModel): ModelTargets {
  let targets = targetsKept.get(model);
  if (targets === undefined) {
    const formats = findFormats(model);
    targets = { formats, traits: new Map(), streams: new Map(), wholes: new Map() };
    targetsKept.set(model, targets);
  }
  return targets;
}

/** Formats that the connection speaks for this model, best first. Never empty. */
export function formatsOf(model: ListedModel): readonly FormatName[] {
  return targetsOf(model).formats;
}

function findFormats(model: ListedModel): readonly FormatName[] {
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
  const { formats } = targetsOf(model);
  return targetIn(model, formats.includes(client) ? client : (formats[0] ?? client), stream);
}

/** The target in a given format. The same one for the same model, so that others can keep by it what follows from it. */
export function targetIn(model: ListedModel, format: FormatName, stream: boolean): Target {
  const targets = targetsOf(model);
  const kept = stream ? targets.streams : targets.wholes;
  let target = kept.get(format);
  if (target === undefined) kept.set(format, (target = makeTarget(model, format, stream)));
  return target;
}

function makeTarget(model: ListedModel, format: FormatName, stream: boolean): Target {
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

function traitsOf(model: ListedModel, format: FormatName): Traits {
  const kept = targetsOf(model).traits;
  let traits = kept.get(format);
  if (traits === undefined) kept.set(format, (traits = makeTraits(model, format)));
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
