/**
 * How large a record may be. What clients and providers send ends up in its texts, and a value of the database holds
 * two megabytes, an RPC call 32: a record is cut before it crosses either.
 */
import type { AttemptRecord, BookedUsage, RequestRecord } from "./request-record.ts";

const longestName = 600;
const longestReason = 1000;
const longestError = 500;
const mostAttempts = 32;
const mostDropped = 200;
/** Characters of all dropped paths together. */
const longestDropped = 8000;
/** Characters of the routing explanation as JSON. */
const longestRouting = 32_000;
/** Characters of a request's and of an answer's text. */
const longestText = 20_000;
const longestSessionKey = 300;
const mostSessionKeys = 8;
const mostObserved = 16;
const longestClientId = 200;
const mostTags = 8;
const longestTag = 32;
/** Characters of each separate text. */
const longestTexts = [
  ["harness", longestName],
  ["key_name", longestName],
  ["key_last4", longestName],
  ["requested_model", longestName],
  ["tier", longestName],
  ["reason", longestReason],
  ["model", longestName],
  ["provider", longestName],
  ["error", longestError],
  ["session_id", longestClientId],
  ["agent", longestClientId],
  ["parent_agent", longestClientId],
  ["prompt", longestClientId],
  ["role", longestTag],
] as const;

/**
 * The record with every text and list cut to its limit; numbers and ids are as they were. Hardly any has to be cut, so it is
 * looked at first: what fits is not made anew.
 */
export function boundedRecord(record: RequestRecord): RequestRecord {
  if (!isWithinLimits(record)) return cutRecord(record);
  const { attempts } = record;
  return attempts.some(hasNotes) ? { ...record, attempts: attempts.map(withoutNotes) } : record;
}

function isWithinLimits(record: RequestRecord): boolean {
  const { usage, attempts, dropped, routing, text, session, observed, tags, escalation } = record;
  return (
    textsFit(record) &&
    Number.isFinite(record.status) &&
    (usage === null || isFiniteUsage(usage)) &&
    attempts.length <= mostAttempts &&
    attempts.every(attemptFits) &&
    (dropped.length === 0 || droppedFits(dropped)) &&
    (routing === undefined || routingFits(routing)) &&
    (text === undefined || bothFit(text)) &&
    (session === undefined || sessionFits(session)) &&
    (observed === undefined || observed.length <= mostObserved) &&
    (tags === undefined || tagsFit(tags)) &&
    (escalation === undefined || escalationFits(escalation)) &&
    (record.budget === undefined || isSessionKey(record.budget))
  );
}

function escalationFits(escalation: NonNullable<RequestRecord["escalation"]>): boolean {
  return Object.values(escalation).every((text) => text.length <= longestName);
}

function textsFit(record: RequestRecord): boolean {
  for (const [name, most] of longestTexts) if ((record[name]?.length ?? 0) > most) return false;
  return true;
}

function attemptFits({ model, usage, error }: AttemptRecord): boolean {
  return (
    model.length <= longestName &&
    (usage === undefined || isFiniteUsage(usage)) &&
    (error === undefined || error.length <= longestError)
  );
}

function isFiniteUsage(usage: BookedUsage): boolean {
  // A sum is finite where each of its parts is.
  return Number.isFinite(
    usage.input_tokens +
      usage.cached_tokens +
      usage.cache_write_tokens +
      usage.output_tokens +
      usage.reasoning_tokens,
  );
}

function droppedFits(dropped: readonly string[]): boolean {
  const kept = boundedDropped(dropped);
  return dropped.every((path, at) => kept[at] === path);
}

function bothFit({ request, answer }: NonNullable<RequestRecord["text"]>): boolean {
  return request.length <= longestText && answer.length <= longestText;
}

function sessionFits({ key, state, also }: NonNullable<RequestRecord["session"]>): boolean {
  return (
    isSessionKey(key) &&
    state.model.length <= longestName &&
    state.tier.length <= longestName &&
    (also === undefined || (also.length <= mostSessionKeys && also.every(isSessionKey)))
  );
}

function tagsFit(tags: Readonly<Record<string, string>>): boolean {
  const all = Object.entries(tags);
  return all.length <= mostTags && all.flat().every((text) => text.length <= longestTag);
}

function hasNotes({ begun, cause, providerFormat, span }: AttemptRecord): boolean {
  return (
    begun !== undefined || cause !== undefined || providerFormat !== undefined || span !== undefined
  );
}

/** What sinks get about an attempt besides the row. */
function withoutNotes(attempt: AttemptRecord): AttemptRecord {
  const { begun: _, cause: __, providerFormat: ___, span: ____, ...row } = attempt;
  return row;
}

function cutRecord(record: RequestRecord): RequestRecord {
  const { routing, text, session, observed, escalation, budget, ...rest } = record;
  return {
    ...rest,
    ...boundedNames(record),
    harness: cut(record.harness, longestName),
    requested_model: cut(record.requested_model, longestName),
    tier: cutOrNull(record.tier, longestName),
    reason: cutOrNull(record.reason, longestReason),
    model: cutOrNull(record.model, longestName),
    provider: cutOrNull(record.provider, longestName),
    status: finite(record.status),
    usage: record.usage === null ? null : finiteUsage(record.usage),
    error: cutOrNull(record.error, longestError),
    attempts: lastOf(record.attempts, mostAttempts).map(boundedAttempt),
    dropped: boundedDropped(record.dropped),
    ...(routing !== undefined && routingFits(routing) && { routing }),
    ...(text !== undefined && {
      text: { request: cut(text.request, longestText), answer: cut(text.answer, longestText) },
    }),
    ...(session !== undefined && boundedSession(session)),
    ...(observed !== undefined && { observed: observed.slice(0, mostObserved) }),
    ...(budget !== undefined && isSessionKey(budget) && { budget }),
    ...(escalation !== undefined && escalationFits(escalation) && { escalation }),
  };
}

/** What is left of a record whose row could not be written: ids, numbers, and a note that it was cut. */
export function shortenedRecord(record: RequestRecord): RequestRecord {
  const {
    id,
    time,
    harness,
    key_id,
    person,
    outcome,
    format,
    status,
    stream,
    usage,
    cost,
    first_byte_ms,
    total_ms,
  } = record;
  return {
    id: cut(id, longestName),
    time: cut(time, longestName),
    harness: cut(harness, longestName),
    ...(key_id !== undefined && { key_id }),
    ...(person !== undefined && { person }),
    ...boundedNames(record),
    ...(outcome !== undefined && { outcome }),
    format,
    requested_model: "",
    tier: null,
    reason: null,
    confidence: null,
    attempts: [],
    model: null,
    provider: null,
    status,
    stream,
    usage,
    cost,
    dropped: [],
    first_byte_ms,
    total_ms,
    error: "This row was too large: its texts were cut.",
  };
}

type Names =
  | "key_name"
  | "key_last4"
  | "session_id"
  | "agent"
  | "parent_agent"
  | "prompt"
  | "role"
  | "tags";

/** What clients and keys call themselves. */
function boundedNames({
  key_name,
  key_last4,
  session_id,
  agent,
  parent_agent,
  prompt,
  role,
  tags,
}: RequestRecord): Pick<RequestRecord, Names> {
  return {
    ...(key_name !== undefined && { key_name: cut(key_name, longestName) }),
    ...(key_last4 !== undefined && { key_last4: cut(key_last4, longestName) }),
    ...(session_id !== undefined && { session_id: cut(session_id, longestClientId) }),
    ...(agent !== undefined && { agent: cut(agent, longestClientId) }),
    ...(parent_agent !== undefined && { parent_agent: cut(parent_agent, longestClientId) }),
    ...(prompt !== undefined && { prompt: cut(prompt, longestClientId) }),
    ...(role !== undefined && { role: cut(role, longestTag) }),
    ...(tags !== undefined && { tags: boundedTags(tags) }),
  };
}

function boundedTags(tags: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.entries(tags).slice(0, mostTags);
  return Object.fromEntries(
    kept.map(([name, value]) => [cut(name, longestTag), cut(value, longestTag)]),
  );
}

function boundedAttempt(attempt: AttemptRecord): AttemptRecord {
  const row = withoutNotes(attempt);
  const { error, usage } = row;
  return {
    ...row,
    model: cut(attempt.model, longestName),
    ...(usage !== undefined && { usage: finiteUsage(usage) }),
    ...(error !== undefined && { error: cut(error, longestError) }),
  };
}

/** The first paths that fit: a list of as many as there may be says that there were more. */
function boundedDropped(dropped: readonly string[]): string[] {
  const kept: string[] = [];
  let length = 0;
  for (const path of dropped) {
    const text = cut(path, longestName);
    length += text.length;
    if (length > longestDropped || kept.length === mostDropped) return kept;
    kept.push(text);
  }
  return kept;
}

/** A number that the database takes. */
function finite(value: number): number {
  return Number.isFinite(value) ? value : 0;
}

function finiteUsage(usage: BookedUsage): BookedUsage {
  return {
    ...usage,
    input_tokens: finite(usage.input_tokens),
    cached_tokens: finite(usage.cached_tokens),
    cache_write_tokens: finite(usage.cache_write_tokens),
    output_tokens: finite(usage.output_tokens),
    reasoning_tokens: finite(usage.reasoning_tokens),
  };
}

function routingFits(routing: unknown): boolean {
  return JSON.stringify(routing).length <= longestRouting;
}

function isSessionKey(name: string): boolean {
  return name.length <= longestSessionKey;
}

/** A conversation whose key is too long is not kept: a cut key could be another's. */
function boundedSession({
  key,
  state,
  also = [],
}: NonNullable<RequestRecord["session"]>): Pick<RequestRecord, "session"> {
  const [first, ...others] = [key, ...also].filter(isSessionKey);
  if (first === undefined) return {};
  const bounded = {
    ...state,
    model: cut(state.model, longestName),
    tier: cut(state.tier, longestName),
  };
  return { session: { key: first, state: bounded, also: others.slice(0, mostSessionKeys) } };
}

function lastOf<T>(values: readonly T[], most: number): readonly T[] {
  return values.length <= most ? values : values.slice(-most);
}

function cutOrNull(text: string | null, most: number): string | null {
  return text === null ? null : cut(text, most);
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, most);
}
