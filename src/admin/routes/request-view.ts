/** A row of the request log as it is shown: nothing that is stored leaves unless it is named here. */
import * as z from "zod";
import { loggedFormats } from "../../core/operation-name.ts";
import { limitNodes } from "../../policy/refusal.ts";
import {
  type AttemptRecord,
  type BookedUsage,
  type RequestRecord,
  requestOutcomes,
} from "../../workspace/contract/request-record.ts";
import { outcomeOf } from "../../workspace/rules/logged-outcome.ts";
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
});
type AttemptView = z.infer<typeof attemptViewSchema>;

/** Rows that an older version wrote may lack parts. */
const loggedExplanationSchema = routingExplanationSchema.partial();

/** A row of the log. Costs in USD, times in ISO 8601 UTC. */
export const requestViewSchema = z.strictObject({
  id: z.string(),
  time: z.string(),
  harness: z.string(),
  /** The key's name; of a key that was revoked, its last one. */
  key: z.string().exactOptional(),
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
  /** Whose limit refused it. */
  blocked_by: z.enum(limitNodes).exactOptional(),
  dropped: z.array(z.string()),
  first_byte_ms: z.number().nullable(),
  total_ms: z.number(),
  error: z.string().nullable(),
  /** Why `auto` chose this model. */
  routing: loggedExplanationSchema.exactOptional(),
  /** Only where the harness logs texts, and only for one request. */
  text: z.strictObject({ request: z.string(), answer: z.string() }).exactOptional(),
});
/** A row of the log. */
export type RequestView = z.infer<typeof requestViewSchema>;

/** The stored row as it is shown. */
export function requestView(record: RequestRecord): RequestView {
  const { text } = record;
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
    error: record.error,
    ...routingView(record.routing),
    ...(text !== undefined && { text: { request: text.request, answer: text.answer } }),
  };
}

/** Whose request it was, and how its client named it. */
function namesView({
  key_name: key,
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
  "key" | "key_id" | "person" | "session" | "agent" | "parent_agent" | "prompt" | "role" | "tags"
> {
  return {
    ...(key !== undefined && { key }),
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
  const { model, status, ms, usage, cost, outcome, error } = attempt;
  return {
    model,
    status,
    ms,
    ...(usage !== undefined && { usage: usageView(usage) }),
    ...(cost !== undefined && { cost }),
    outcome,
    ...(error !== undefined && { error }),
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
