/** Whether a row of the log is one of those that are asked for. Pure: the one place that says what filters mean. */
import type { FeedbackAnswer } from "../contract/feedback.ts";
import type { RowConditions, TagCondition } from "../contract/reports.ts";
import type { RequestRecord } from "../contract/request-record.ts";
import { outcomeOf } from "./sums/logged-outcome.ts";

/** `record`: with the key's name of today, and with its texts where `text` is asked for. */
export function meetsConditions(record: RequestRecord, conditions: RowConditions): boolean {
  const { outcomes, tags = [], text, feedback } = conditions;
  return (
    hasNames(record, conditions) &&
    isWithin(record, conditions) &&
    (outcomes === undefined || outcomes.includes(outcomeOf(record))) &&
    (feedback === undefined || hasFeedback(record, feedback)) &&
    tags.every((tag) => hasTag(record, tag)) &&
    (text === undefined || hasText(record, text))
  );
}

function hasNames(record: RequestRecord, asked: RowConditions): boolean {
  const is = (name: string | undefined, ...values: readonly (string | null | undefined)[]) =>
    name === undefined || values.includes(name);
  return (
    is(asked.harness, record.harness) &&
    is(asked.key, record.key_id, record.key_name) &&
    is(asked.model, record.model, record.requested_model) &&
    is(asked.provider, record.provider) &&
    is(asked.session, record.session_id) &&
    is(asked.agent, record.agent) &&
    is(asked.role, record.role) &&
    is(asked.blockedBy, record.blocked_by) &&
    is(asked.person, record.person)
  );
}

function isWithin(record: RequestRecord, asked: RowConditions): boolean {
  const { status } = asked;
  const time = Date.parse(record.time);
  return (
    (status === undefined || (record.status >= status[0] && record.status < status[1])) &&
    (asked.from === undefined || time >= asked.from) &&
    (asked.to === undefined || time < asked.to) &&
    (asked.minCost === undefined || (record.cost !== null && record.cost >= asked.minCost)) &&
    (asked.maxCost === undefined || (record.cost !== null && record.cost <= asked.maxCost))
  );
}

function hasFeedback({ feedback = {} }: RequestRecord, asked: FeedbackAnswer): boolean {
  return Object.values(feedback).some(({ answer }) => answer === asked);
}

function hasTag({ tags = {} }: RequestRecord, { name, value }: TagCondition): boolean {
  if (!Object.hasOwn(tags, name)) return false;
  return value === undefined || tags[name] === value;
}

function hasText(record: RequestRecord, text: string): boolean {
  const wanted = text.toLowerCase();
  return searchedTexts(record).some((found) => found?.toLowerCase().includes(wanted) === true);
}

/** Ids, the key's name, tags, models, errors, and where they are kept the request and the answer. */
function searchedTexts(record: RequestRecord): (string | null | undefined)[] {
  return [
    record.id,
    record.key_id,
    record.key_name,
    ...Object.entries(record.tags ?? {}).map(([name, value]) => `${name}=${value}`),
    record.session_id,
    record.agent,
    record.requested_model,
    record.model,
    record.error,
    ...record.attempts.flatMap(({ model, error }) => [model, error]),
    record.text?.request,
    record.text?.answer,
  ];
}
