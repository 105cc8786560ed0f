/** What the admin API takes and gives, as zod schemas: validation and the OpenAPI document come from them alone. */
import { z } from "zod";

const time = z
  .string()
  .refine((text) => Number.isFinite(Date.parse(text)), "must be a time in ISO 8601");

export const newKeySchema = z.strictObject({
  name: z.string().max(200).optional(),
  expires_at: z.iso.datetime({ offset: true }).nullable().optional(),
});

export const newWorkspaceSchema = z.strictObject({
  name: z.string().min(1).max(200),
  monthly_requests: z.number().int().min(0).nullable().optional(),
});

export const workspaceChangeSchema = z.strictObject({
  name: z.string().min(1).max(200).optional(),
  monthly_requests: z.number().int().min(0).nullable().optional(),
});

export const usageQuerySchema = z.object({
  from: time.optional(),
  to: time.optional(),
  by: z.enum(["hour", "day"]).default("hour"),
  group: z.enum(["model", "harness", "provider", "tier"]).default("model"),
});

export const summaryQuerySchema = z.object({ from: time.optional(), to: time.optional() });

export const requestsQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(500).default(50),
  before: z.string().max(64).optional(),
  harness: z.string().max(64).optional(),
  status: z
    .string()
    .regex(/^(\d{3}|[1-5]xx|ok|error)$/, "must be a status, a class like 4xx, ok or error")
    .optional(),
  model: z.string().max(512).optional(),
});

export const routeSchema = z.strictObject({
  harness: z.string().min(1).max(64),
  format: z.enum(["chat", "responses", "messages"]),
  body: z.record(z.string(), z.unknown()),
});

export const errorSchema = z.object({
  error: z.object({ message: z.string(), type: z.string(), code: z.string() }),
});

export const newKeyAnswerSchema = z.object({
  id: z.string(),
  key: z.string(),
  name: z.string(),
  created_at: z.string(),
});

export const keysAnswerSchema = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      last4: z.string(),
      created_at: z.string(),
      expires_at: z.string().nullable(),
      last_used_at: z.string().nullable(),
    }),
  ),
});

const workspaceRecord = z.object({
  id: z.string(),
  name: z.string(),
  monthly_requests: z.number().nullable(),
  created_at: z.string(),
});

export const newWorkspaceAnswerSchema = workspaceRecord.extend({ admin_token: z.string() });
export const workspaceAnswerSchema = workspaceRecord;
export const workspacesAnswerSchema = z.object({ data: z.array(workspaceRecord) });

export const usageAnswerSchema = z.object({
  data: z.array(
    z.object({
      time: z.string(),
      group: z.string(),
      requests: z.number(),
      errors: z.number(),
      input_tokens: z.number(),
      cached_tokens: z.number(),
      output_tokens: z.number(),
      cost: z.number(),
    }),
  ),
});

const bookedUsage = z.object({
  input_tokens: z.number(),
  cached_tokens: z.number(),
  cache_write_tokens: z.number(),
  cache_write_1h_tokens: z.number().optional(),
  output_tokens: z.number(),
  reasoning_tokens: z.number(),
  estimated: z.boolean(),
});

export const requestAnswerSchema = z.object({
  id: z.string(),
  time: z.string(),
  harness: z.string(),
  key_id: z.string().optional(),
  format: z.enum(["chat", "responses", "messages"]),
  requested_model: z.string(),
  tier: z.string().nullable(),
  reason: z.string().nullable(),
  confidence: z.number().nullable(),
  attempts: z.array(
    z.object({
      model: z.string(),
      status: z.number(),
      ms: z.number(),
      usage: bookedUsage.optional(),
      cost: z.number().optional(),
      outcome: z.enum(["ok", "failed", "neutral"]),
      error: z.string().optional(),
    }),
  ),
  model: z.string().nullable(),
  provider: z.string().nullable(),
  status: z.number(),
  stream: z.boolean(),
  usage: bookedUsage.nullable(),
  cost: z.number().nullable(),
  dropped: z.array(z.string()),
  first_byte_ms: z.number().nullable(),
  total_ms: z.number(),
  error: z.string().nullable(),
  routing: z.unknown().optional(),
  text: z.object({ request: z.string(), answer: z.string() }).optional(),
});

export const requestsAnswerSchema = z.object({
  data: z.array(requestAnswerSchema),
  next: z.string().nullable(),
});

export const limitsAnswerSchema = z.object({
  data: z.array(
    z.object({
      harness: z.string(),
      metric: z.enum(["cost", "tokens", "requests"]),
      period: z.enum(["hour", "day", "week", "month"]),
      max: z.number(),
      action: z.enum(["block", "notify"]),
      used: z.number(),
      reserved: z.number(),
      resets_at: z.string(),
    }),
  ),
});

export const blocksAnswerSchema = z.object({
  data: z.array(
    z.object({
      harness: z.string(),
      metric: z.enum(["cost", "tokens", "requests"]),
      period: z.enum(["hour", "day", "week", "month"]),
      max: z.number(),
      action: z.enum(["block", "notify"]),
      used: z.number(),
      count: z.number(),
      first: z.string(),
      last: z.string(),
      period_start: z.string(),
    }),
  ),
});

export const statusAnswerSchema = z.object({
  in_flight: z.number(),
  requests_per_minute: z.object({ limit: z.number(), remaining: z.number() }).nullable(),
  monthly_requests: z.object({ limit: z.number().nullable(), used: z.number() }),
  /** Model id to the time until which it is tried last. */
  cooling: z.record(z.string(), z.string()),
});

export const providerTestAnswerSchema = z.object({
  ok: z.boolean(),
  status: z.number(),
  models: z.number(),
  ms: z.number(),
  message: z.string(),
});

export const routeAnswerSchema = z.object({
  tier: z.string(),
  reason: z.string(),
  confidence: z.number(),
  /** What outcomes took off what a step up has to earn; missing when that is nothing. */
  learned: z.number().optional(),
  signals: z.record(z.string(), z.unknown()),
  /** As the request would be sent now, apart from the conversation's state. */
  candidates: z.array(z.string()),
  excluded: z.array(z.object({ id: z.string(), why: z.string() })),
  /** Candidates that fail at the moment and are asked last, with the time until then. */
  cooling: z.record(z.string(), z.string()),
  /** Addends of the score; with the bias they are the logits of the tiers and of the gain. */
  contributions: z.array(z.record(z.string(), z.unknown())).optional(),
  bias: z.object({ tiers: z.array(z.number()), gain: z.number() }).optional(),
  /** USD of the next answer: with the prefix cached there, and after a switch to it. */
  costs: z.array(z.object({ id: z.string(), stay: z.number(), switch: z.number() })).optional(),
  /** Whether the conversation, if it is known by its content, stays with its model. */
  conversation: z
    .object({
      model: z.string(),
      verdict: z.string(),
      why: z.string(),
      candidates: z.array(z.string()),
      costs: z.record(z.string(), z.number()).optional(),
    })
    .optional(),
});

const money = z.number().nullable();

export const modelsAnswerSchema = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      name: z.string().nullable(),
      provider: z.string(),
      subscription: z.boolean(),
      context_window: z.number().nullable(),
      max_output: z.number().nullable(),
      input_modalities: z.array(z.string()),
      features: z.array(z.string()),
      cost: z.object({ input: money, output: money, cache_read: money, cache_write: money }),
    }),
  ),
});

export const tiersAnswerSchema = z.object({
  data: z.array(
    z.object({
      tier: z.string(),
      models: z.array(z.string()),
      origin: z.enum(["configured", "filled"]),
      why: z.string(),
    }),
  ),
});

const outcomeCounts = z.object({
  served: z.number(),
  errors: z.number(),
  truncated: z.number(),
  rephrased: z.number(),
  overridden: z.number(),
  bad_calls: z.number(),
});

export const learningAnswerSchema = z.object({
  learning: z.boolean(),
  offset: z.number(),
  tiers: z.object({
    simple: outcomeCounts,
    standard: outcomeCounts,
    complex: outcomeCounts,
    reasoning: outcomeCounts,
  }),
});

export const summaryAnswerSchema = z.object({
  requests: z.number(),
  errors: z.number(),
  input_tokens: z.number(),
  cached_tokens: z.number(),
  output_tokens: z.number(),
  cost: z.number(),
  first_byte_ms: z.object({ p50: z.number(), p95: z.number() }).nullable(),
  saved: z.object({ by_routing: z.number(), by_cache: z.number(), against: z.string().nullable() }),
});

export const localAnswerSchema = z.object({
  data: z.array(
    z.object({ kind: z.string(), name: z.string(), base_url: z.string(), models: z.number() }),
  ),
});

export const adminTokenAnswerSchema = z.object({ admin_token: z.string() });

export const healthAnswerSchema = z.object({ status: z.literal("ok"), version: z.string() });

export type UsageQuery = z.infer<typeof usageQuerySchema>;
export type RequestsQuery = z.infer<typeof requestsQuerySchema>;
export type SummaryQuery = z.infer<typeof summaryQuerySchema>;
export type NewKey = z.infer<typeof newKeySchema>;
export type NewWorkspace = z.infer<typeof newWorkspaceSchema>;
export type WorkspaceChange = z.infer<typeof workspaceChangeSchema>;
