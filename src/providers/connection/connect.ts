/** From a configured entry to a connection, and from a model to the target of one attempt. */
import type { ClientFormatName, FormatName } from "../../core/format-name.ts";
import { defaultTraits, type ModelInfo, type Traits, type Target } from "../../core/model.ts";
import { Problem } from "../../core/problem.ts";
import type { ProviderEntry } from "../../store/config.ts";
import type { Mode } from "../../store/env.ts";
import { checkBaseUrl } from "./address.ts";
import { recordOf } from "../catalogue/kinds.ts";
import { wireDefaults, type Auth, type KindRecord, type Endpoint } from "../catalogue/record.ts";
import type { Connection, ListedModel } from "./connection.ts";
import { rulesFor } from "./model-rules.ts";

/** The entry joined with its kind's record. Throws Problem M300 for a kind that the catalogue does not know. */
export function connectionOf(entry: ProviderEntry): Connection {
  const record = recordOf(entry.kind);
  if (record === undefined)
    throw new Problem("M300", `providers: there is no kind ${JSON.stringify(entry.kind)}`);
  const given = entry.timeouts;
  return {
    id: entry.id,
    kind: entry.kind,
    entry,
    baseUrl: trimmed(entry.base_url ?? record.baseUrl ?? ""),
    subscription: entry.auth === "subscription",
    keyless: record.keyless === true,
    timeouts: {
      headers: given?.headers ?? 30,
      firstContent: given?.first_content ?? 60,
      idle: given?.idle ?? 120,
      total: given?.total ?? 900,
    },
  };
}

/** What is wrong with an entry beyond its schema: the member at fault and a Problem; undefined when nothing is. */
export function entryProblem(
  entry: ProviderEntry,
  mode: Mode,
): { member: string; problem: Problem } | undefined {
  const record = recordOf(entry.kind);
  if (record === undefined) return fault("kind", `there is no kind ${JSON.stringify(entry.kind)}`);
  if (record.inProcess === true)
    return mode === "cloud" ? fault("kind", "is not available here") : undefined;
  if (record.endpoints.length === 0 && entry.format === undefined)
    return fault("format", "is needed for this kind");
  const address = entry.base_url ?? record.baseUrl;
  if (address === undefined)
    return fault(
      "base_url",
      `is needed for this kind, like ${record.baseUrlExample ?? "https://…"}`,
    );
  try {
    checkBaseUrl(address, mode);
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return { member: "base_url", problem: error };
    throw error;
  }
}

function fault(member: string, text: string): { member: string; problem: Problem } {
  return { member, problem: new Problem("M300", `${member}: ${text}`) };
}

/** The catalogue's record behind a connection. */
export function recordFor(connection: Connection): KindRecord {
  const record = recordOf(connection.kind);
  if (record === undefined)
    throw new Problem("M300", `providers: there is no kind ${JSON.stringify(connection.kind)}`);
  return record;
}

/** Whether its answers are made inside this process. */
export function isInProcess(connection: Connection): boolean {
  return recordFor(connection).inProcess === true;
}

/** The dialects of a connection, best first: what the record says, or what the entry's `format` insists on. */
export function endpointsOf(connection: Connection): readonly Endpoint[] {
  const { entry } = connection;
  const record = recordFor(connection);
  // A root of its own belongs to the maker's address, not to a configured one.
  const endpoints =
    entry.base_url === undefined
      ? record.endpoints
      : record.endpoints.filter((wire) => wire.base === undefined);
  if (entry.format === undefined)
    return endpoints.length > 0 ? endpoints : record.endpoints.slice(0, 1);
  const { format } = entry;
  // Counting belongs to this dialect; where an endpoint lacks it, its refusal leads to an estimate.
  const plain: Endpoint = format === "messages" ? { format, counts: true } : { format };
  return [record.endpoints.find((wire) => wire.format === format) ?? plain];
}

const endpointFormats: Readonly<Record<string, FormatName>> = {
  "/chat/completions": "chat",
  "/v1/chat/completions": "chat",
  "chat/completions": "chat",
  "chat.completions": "chat",
  "/responses": "responses",
  "/v1/responses": "responses",
  responses: "responses",
  "/messages": "messages",
  "/v1/messages": "messages",
  messages: "messages",
};

/** Wire formats that the connection speaks for this model, best first. Never empty. */
export function formatsOf(model: ListedModel): readonly FormatName[] {
  const spoken = endpointsOf(model.connection);
  const named = rulesFor(recordFor(model.connection), model.info.id).findLast(
    (rule) => rule.formats !== undefined,
  )?.formats;
  const published = (model.info.supportedEndpoints ?? []).map((path) => endpointFormats[path]);
  const known = published.some((format) => format !== undefined);
  const reachable = known
    ? spoken.filter((wire) => published.includes(wire.format))
    : spoken.filter((wire) =>
        named === undefined ? wire.partial !== true : named.includes(wire.format),
      );
  const formats = (reachable.length > 0 ? reachable : spoken).map((wire) => wire.format);
  return named === undefined
    ? formats
    : formats.toSorted((a, b) => rank(named, a) - rank(named, b));
}

function rank(order: readonly FormatName[], format: FormatName): number {
  const at = order.indexOf(format);
  return at < 0 ? order.length : at;
}

/** Where an attempt on this model goes: the client's own dialect if the provider speaks it, else its best. */
export function targetOf(model: ListedModel, client: ClientFormatName, stream: boolean): Target {
  const formats = formatsOf(model);
  return targetIn(
    model,
    formats.find((format) => format === client) ?? formats[0] ?? client,
    stream,
  );
}

/** The target in a given dialect. */
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

/** The traits of a model in one dialect, made once for each listed model. */
function traitsOf(model: ListedModel, format: FormatName): Traits {
  const kept = traitsKept.get(model) ?? new Map<FormatName, Traits>();
  const traits = kept.get(format) ?? makeTraits(model, format);
  kept.set(format, traits);
  traitsKept.set(model, kept);
  return traits;
}

/** What a writer of `format` may say to this model: defaults, then the record, the dialect, the model's rules, the entry. */
function makeTraits(model: ListedModel, format: FormatName): Traits {
  const { connection } = model;
  const record = recordFor(connection);
  const wire = endpointsOf(connection).find((candidate) => candidate.format === format);
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
    wire?.traits,
    ...rules.map((rule) => rule.traits),
    { openAiFields: connection.entry.openai_fields ?? byDefault },
  );
}

/** Without a limit of its own, a whole answer may be as long in the making as clients' libraries wait. */
const wholeAnswer = 600;

/** Seconds until the answer's headers. Those of a whole answer come when all of it is made. */
export function headersOf(connection: Connection, stream: boolean): number {
  const given = connection.entry.timeouts?.headers;
  const usual = connection.timeouts.headers;
  return (
    given ?? (stream ? usual : Math.max(usual, Math.min(wholeAnswer, connection.timeouts.total)))
  );
}

/** Seconds that the model may take to its first content. */
export function firstContentOf(connection: Connection, info: ModelInfo): number {
  if (connection.entry.timeouts?.first_content !== undefined)
    return connection.timeouts.firstContent;
  const waits = rulesFor(recordFor(connection), info.id).map((rule) => rule.firstContent ?? 0);
  const thinks = info.features?.includes("reasoning") === true ? 180 : 0;
  return Math.max(connection.timeouts.firstContent, thinks, ...waits);
}

/** Root address of one dialect of a connection. */
export function rootOf(connection: Connection, format: FormatName): string {
  const wire = endpointsOf(connection).find((candidate) => candidate.format === format);
  return connection.entry.base_url === undefined
    ? trimmed(wire?.base ?? connection.baseUrl)
    : connection.baseUrl;
}

/** Headers that identify the gateway to the provider, and the ones that its record and dialect always carry. */
export function fixedHeaders(
  connection: Connection,
  format: FormatName,
  secret: string | undefined,
): Record<string, string> {
  const record = recordFor(connection);
  const wire = endpointsOf(connection).find((candidate) => candidate.format === format);
  const style =
    secret === undefined
      ? undefined
      : record.tokens?.find((token) => secret.startsWith(token.prefix));
  const auth = style?.auth ?? wire?.auth ?? wireDefaults[format].auth;
  return {
    ...wireDefaults[format].headers,
    ...record.headers,
    ...wire?.headers,
    ...style?.headers,
    ...(secret !== undefined && authHeader(auth, secret)),
  };
}

function authHeader(auth: Auth, secret: string): Record<string, string> {
  return auth === "bearer" ? { authorization: `Bearer ${secret}` } : { [auth]: secret };
}

function trimmed(address: string): string {
  let end = address.length;
  while (address[end - 1] === "/") end -= 1;
  return address.slice(0, end);
}
