/** A row of the request log as it is shown: nothing that is stored leaves unless it is named here. */
import * as z from "zod";
import { loggedFormats } from "../../../core/operation-name.ts";
import { blockingNodes } from "../../../policy/refusal.ts";
import { decisionSentence } from "../../../routing/explanation/decision-sentence.ts";
import { failureSentence } from "../../../routing/explanation/course-words.ts";
import type { NameOf, ToldDecision } from "../../../routing/explanation/told-decision.ts";
import { type FeedbackAnswer, feedbackAnswers } from "../../../workspace/contract/feedback.ts";
import {
  type AttemptRecord,
  type BookedUsage,
  type RequestRecord,
  requestOutcomes,
} from "../../../workspace/contract/request-record.ts";
import { outcomeOf } from "../../../workspace/rules/sums/logged-outcome.ts";
import { routingExplanationSchema } from "./routing.ts";

/** Tokens: input includes cached and cache-write, output includes reasoning. */
const usageViewSchema = z.strictObject({
  input_tokens: z.number(),
  cached_tokens: z.number(),
  cache_write_tokens: z.number(),
  cache_write_1h_tokens: z.number().exactOptional(),
  output_tokens: z.number(),
  reasoning_tokens: z.number(),
  estimated: z.boolean(),
});
type UsageView = z.infer<typeof usageViewSchema>;

const attemptViewSchema = z.strictObject({
  model: z.string(),
  status: z.number(),
  ms: z.number(),
  usage: usageViewSchema.exactOptional(),
  /** USD. */
  cost: z.number().exactOptional(),
  outcome: z.enum(["ok", "failed", "neutral"]),
  error: z.string().exactOptional(),
  /** A call of the gateway's own beside the answer: a judge of tool calls, a step of a web search. */
  side: z.literal(true).exactOptional(),
});
type AttemptView = z.infer<typeof attemptViewSchema>;

/** Rows that an older version wrote may lack parts. */
const loggedExplanationSchema = routingExplanationSchema.partial();

const feedbackSumSchema = z.strictObject({
  /** What the caller said. */
  own: z.enum(feedbackAnswers).nullable(),
  /** How many said so, the caller included. */
  right: z.number(),
  too_weak: z.number(),
  too_strong: z.number(),
});

/** A row of the log. Costs in USD, times in ISO 8601 UTC. */
export const requestViewSchema = z.strictObject({
  id: z.string(),
  time: z.string(),
  harness: z.string(),
  /** The key's name; of a key that was revoked, its last one. */
  key: z.string().exactOptional(),
  /** The key's last four characters, where it has no name. */
  key_last4: z.string().exactOptional(),
  key_id: z.string().exactOptional(),
  /** Id of the key's person. */
  person: z.string().exactOptional(),
  /** The client's own ids: of its session, the agent within it, the agent that delegated to that, the user's prompt. */
  session: z.string().exactOptional(),
  agent: z.string().exactOptional(),
  parent_agent: z.string().exactOptional(),
  prompt: z.string().exactOptional(),
  /** What the request was for, as far as it is known. */
  role: z.string().exactOptional(),
  /** Of `X-Gateway-Tag`: values by name. */
  tags: z.record(z.string(), z.string()).exactOptional(),
  format: z.enum(loggedFormats),
  requested_model: z.string(),
  tier: z.string().nullable(),
  reason: z.string().nullable(),
  confidence: z.number().nullable(),
  attempts: z.array(attemptViewSchema),
  model: z.string().nullable(),
  provider: z.string().nullable(),
  status: z.number(),
  /** `fallback`: answered by another model than the first choice; `blocked`: refused by a limit, window or wall. */
  outcome: z.enum(requestOutcomes),
  stream: z.boolean(),
  usage: usageViewSchema.nullable(),
  /** USD. */
  cost: z.number().nullable(),
  /** A model of it has no known price, and counts with nothing. */
  unpriced: z.literal(true).exactOptional(),
  /** Whose limit refused the request. */
  blocked_by: z.enum(blockingNodes).exactOptional(),
  dropped: z.array(z.string()),
  first_byte_ms: z.number().nullable(),
  total_ms: z.number(),
  /** The machine's clock was set while it ran: `ms`, `first_byte_ms` and `total_ms` are not what it took. */
  clock_step: z.literal(true).exactOptional(),
  error: z.string().nullable(),
  /** Why it went to this model, or to none, in at most three sentences. */
  why: z.string(),
  /** Failing work went from one model to a stronger one, and what failed. */
  escalation: z
    .strictObject({ from: z.string(), to: z.string(), reason: z.string() })
    .exactOptional(),
  /** What people said of its model; missing: nothing. */
  feedback: feedbackSumSchema.exactOptional(),
  /** Why `auto` chose this model. */
  routing: loggedExplanationSchema.exactOptional(),
  /** Only where the harness logs texts, and only for one request. */
  text: z.strictObject({ request: z.string(), answer: z.string() }).exactOptional(),
});
/** A row of the log. */
export type RequestView = z.infer<typeof requestViewSchema>;

/** For whom a row is shown. */
export interface RowReader {
  /** What models are called; missing: as in their ids. */
  readonly nameOf?: NameOf | undefined;
  /** Whose feedback is the reader's own. */
  readonly who?: string | undefined;
}

/** The stored row as it is shown. */
export function requestView(record: RequestRecord, reader: RowReader = {}): RequestView {
  const { text } = record;
  const explained = routingView(record.routing);
  return {
    id: record.id,
    time: record.time,
    harness: record.harness,
    ...namesView(record),
    format: record.format,
    requested_model: record.requested_model,
    tier: record.tier,
    reason: record.reason,
    confidence: record.confidence,
    attempts: record.attempts.map(attemptView),
    model: record.model,
    provider: record.provider,
    status: record.status,
    outcome: outcomeOf(record),
    stream: record.stream,
    usage: record.usage === null ? null : usageView(record.usage),
    cost: record.cost,
    ...(record.unpriced !== undefined && { unpriced: record.unpriced }),
    ...(record.blocked_by !== undefined && { blocked_by: record.blocked_by }),
    dropped: record.dropped,
    first_byte_ms: record.first_byte_ms,
    total_ms: record.total_ms,
    ...(record.clock_step !== undefined && { clock_step: record.clock_step }),
    error: record.error,
    why: decisionSentence(toldRequest(record, explained.routing), reader.nameOf),
    ...escalationView(record),
    ...feedbackView(record, reader),
    ...explained,
    ...(text !== undefined && { text: { request: text.request, answer: text.answer } }),
  };
}

function toldRequest(record: RequestRecord, routing: RequestView["routing"]): ToldDecision {
  const { format, tier, reason, attempts, model, error, blocked_by: blockedBy } = record;
  return {
    format,
    requestedModel: record.requested_model,
    tier,
    reason,
    routing,
    attempts,
    model,
    error,
    ...(blockedBy !== undefined && { blockedBy }),
    ...(outcomeOf(record) === "left" && { left: true }),
  };
}

function escalationView({ escalation }: RequestRecord): Pick<RequestView, "escalation"> {
  if (escalation === undefined) return {};
  const { from, to, reason } = escalation;
  return { escalation: { from, to, reason: `${failureSentence(reason)}.` } };
}

function feedbackView(
  { feedback }: RequestRecord,
  { who }: RowReader,
): Pick<RequestView, "feedback"> {
  if (feedback === undefined) return {};
  const answers = Object.values(feedback).map(({ answer }) => answer);
  const number = (asked: FeedbackAnswer): number => answers.filter((one) => one === asked).length;
  return {
    feedback: {
      own: (who === undefined ? undefined : feedback[who]?.answer) ?? null,
      right: number("right"),
      too_weak: number("too_weak"),
      too_strong: number("too_strong"),
    },
  };
}

/** Whose request it was, and how its client named it. */
function namesView({
  key_name: key,
  key_last4,
  key_id,
  person,
  session_id: session,
  agent,
  parent_agent,
  prompt,
  role,
  tags,
}: RequestRecord): Pick<
  RequestView,
  | "key"
  | "key_last4"
  | "key_id"
  | "person"
  | "session"
  | "agent"
  | "parent_agent"
  | "prompt"
  | "role"
  | "tags"
> {
  return {
    ...(key !== undefined && { key }),
    ...(key_last4 !== undefined && { key_last4 }),
    ...(key_id !== undefined && { key_id }),
    ...(person !== undefined && { person }),
    ...(session !== undefined && { session }),
    ...(agent !== undefined && { agent }),
    ...(parent_agent !== undefined && { parent_agent }),
    ...(prompt !== undefined && { prompt }),
    ...(role !== undefined && { role }),
    ...(tags !== undefined && { tags }),
  };
}

function attemptView(attempt: AttemptRecord): AttemptView {
  const { model, status, ms, usage, cost, outcome, error, side } = attempt;
  return {
    model,
    status,
    ms,
    ...(usage !== undefined && { usage: usageView(usage) }),
    ...(cost !== undefined && { cost }),
    outcome,
    ...(error !== undefined && { error }),
    ...(side !== undefined && { side }),
  };
}

function usageView(usage: BookedUsage): UsageView {
  const { cache_write_1h_tokens: longWrites } = usage;
  return {
    input_tokens: usage.input_tokens,
    cached_tokens: usage.cached_tokens,
    cache_write_tokens: usage.cache_write_tokens,
    ...(longWrites !== undefined && { cache_write_1h_tokens: longWrites }),
    output_tokens: usage.output_tokens,
    reasoning_tokens: usage.reasoning_tokens,
    estimated: usage.estimated,
  };
}

/** The explanation as it was logged; left out where it cannot be read. */
function routingView(routing: unknown): Pick<RequestView, "routing"> {
  if (routing === undefined) return {};
  const { data } = loggedExplanationSchema.safeParse(routing);
  return data === undefined ? {} : { routing: data };
}
