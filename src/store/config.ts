/** The workspace's document (`GET`/`PUT /api/config`), as zod schemas: the one definition of its shape. */
import * as z from "zod";
import { providerFormatNames } from "../core/format-name.ts";
import { requestRoles } from "../core/request-role.ts";
import { redactionRules } from "../redaction/redact.ts";
import { jurisdictions } from "./jurisdiction.ts";
import { memberRoles } from "./roles.ts";

const id = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[a-z0-9][a-z0-9-]*$/, "use lowercase letters, digits and hyphens");
const modelId = z.string().min(1).max(512);
const jsonScalar = z.json();
const price = z.number().min(0).max(1_000_000);

/** A list of at most so many entries. */
function list<Entry extends z.ZodType>(entry: Entry, most: number) {
  return z.array(entry).max(most, `at most ${most} are allowed`);
}

/** Members by name, at most so many. */
function members<Value extends z.ZodType>(name: z.ZodString, value: Value, most: number) {
  return z
    .record(name, value)
    .refine((found) => Object.keys(found).length <= most, `at most ${most} are allowed`)
    .meta({ maxProperties: most });
}

/** The formats that a provider can speak. */
export const formatSchema = z.enum(providerFormatNames);

/** A provider's model: what it can do, and its prices in USD per million tokens. */
export const modelEntrySchema = z.strictObject({
  id: modelId,
  context_window: z.number().int().positive().optional(),
  max_output: z.number().int().positive().optional(),
  capabilities: z
    .strictObject({
      input_modalities: list(z.string().max(128), 100).optional(),
      output_modalities: list(z.string().max(128), 100).optional(),
      features: list(z.string().max(128), 100).optional(),
    })
    .optional(),
  cost: z
    .strictObject({
      input: price.optional(),
      output: price.optional(),
      cache_read: price.optional(),
      cache_write: price.optional(),
    })
    .optional(),
});

/** How long a provider is waited for, in seconds. */
export const timeoutsSchema = z.strictObject({
  headers: z.number().positive().max(3600).optional(),
  first_content: z.number().positive().max(3600).optional(),
  idle: z.number().positive().max(3600).optional(),
  total: z.number().positive().max(3600).optional(),
});

/** A provider, with its credential and models. */
export const providerSchema = z.strictObject({
  id,
  kind: z.string().min(1).max(64),
  auth: z.enum(["key", "subscription"]).optional(),
  api_key: z.string().min(1).max(16_384).optional(),
  format: formatSchema.optional(),
  base_url: z
    .url({ protocol: /^https?$/ })
    .max(2048)
    .optional(),
  headers: members(z.string().min(1).max(256), z.string().max(8192), 100).optional(),
  models: list(modelEntrySchema, 5000).optional(),
  openai_fields: z.boolean().optional(),
  timeouts: timeoutsSchema.optional(),
  /** Where its requests stay: the kind's address there, or a promise of whoever gives a `base_url`. */
  region: z.enum(jurisdictions).optional(),
});

/** The tiers that a harness can have models for. */
export const tierNames = ["simple", "standard", "complex", "reasoning", "default"] as const;
const chain = list(modelId, 6).min(1);
const qualitySchema = z.enum(["eco", "balanced", "quality"]);
const tiersSchema = z.strictObject({
  simple: chain.optional(),
  standard: chain.optional(),
  complex: chain.optional(),
  reasoning: chain.optional(),
  default: chain.optional(),
});

/** How `auto` serves requests of one role. */
export const roleRoutingSchema = z.strictObject({
  tiers: tiersSchema.optional(),
  models: chain
    .optional()
    .describe("Its models, in the order in which they are asked, whatever the tier"),
  quality: qualitySchema.optional(),
});

/** How requests of a harness are routed. */
export const routingSchema = z.strictObject({
  auto: z.boolean().optional(),
  quality: qualitySchema.optional(),
  learning: z.boolean().optional(),
  tiers: tiersSchema.optional(),
  roles: z
    .partialRecord(z.enum(requestRoles), roleRoutingSchema)
    .optional()
    .describe("What differs for requests of a role"),
  headers: list(
    z.strictObject({
      name: z.string().min(1).max(64),
      header: z.string().min(1).max(128),
      value: z.string().max(1024),
      models: chain,
    }),
    50,
  ).optional(),
  fallbacks: members(modelId, list(modelId, 5), 1000).optional(),
});

const params = members(z.string().min(1).max(128), jsonScalar, 200);

/** A limit in a period; cost in USD. */
export const limitSchema = z.strictObject({
  metric: z.enum(["cost", "tokens", "requests"]),
  period: z.enum(["hour", "day", "week", "month"]),
  max: z.number().min(0),
  action: z.enum(["block", "notify"]),
  /** A limit of cost that blocks models without a price too. */
  strict: z.boolean().optional(),
  /** When it was set, ISO 8601 UTC, where that is known. */
  set_at: z.iso.datetime().optional(),
});
/** The limits of a workspace, harness, key or person. */
export const limitsSchema = list(limitSchema, 50);
/** Ids of models, or patterns with `*`, with or without their connection. */
export const allowedModelsSchema = list(modelId, 1000);

/** What is taken out of texts before they are kept or sent to a collector. */
export const redactSchema = z.strictObject({
  /** Built-in rules; all of them unless named. */
  rules: list(z.enum(redactionRules), redactionRules.length).optional(),
  /**
   * Own patterns: literals, `.`, `[a-z]`, `\d \w \s`, `? * + {m,n}`, `( )`, `|`, and `^ $` at the ends. What they match
   * is replaced by `[redacted]`.
   */
  patterns: list(z.string().min(1).max(200), 20).optional(),
});

/** Who searches the web where a request's model cannot. */
export const webSearchSchema = z.strictObject({
  provider: id.optional().describe("A provider of the document that has a web search of its own"),
  model: modelId
    .optional()
    .describe("Its model that searches; the provider's cheapest that can unless set"),
  url: z
    .url({ protocol: /^https?$/ })
    .max(2048)
    .optional()
    .describe("A search endpoint of your own, in place of a provider, with {query} in its address"),
});

/** A harness: what its keys may use, and how. */
export const harnessSchema = z.strictObject({
  id,
  name: z.string().min(1).max(200),
  params: params.optional(),
  model_params: members(modelId, params, 1000).optional(),
  routing: routingSchema.optional(),
  aliases: members(modelId, modelId, 1000).optional(),
  limits: limitsSchema.optional(),
  /** What its keys may reach; missing: every model. */
  models: allowedModelsSchema.optional(),
  /** `status`: errors are never rendered as answers. */
  errors: z.enum(["spoken", "status"]).optional(),
  log_text: z.boolean().optional(),
  /** Texts of its requests and answers go along with their traces. */
  trace_text: z.boolean().optional(),
  redact: redactSchema.optional(),
  /** `strict`: its requests go on from stored responses of its own only. */
  response_owner: z.enum(["any", "strict"]).optional(),
  queue: z
    .number()
    .min(0)
    .max(60)
    .optional()
    .describe("Seconds that a request may wait for a slot before it is refused; 0 unless set"),
  web_search: webSearchSchema
    .optional()
    .describe("Who searches the web for models whose provider cannot; nobody unless set"),
  safeguard_model: modelId
    .optional()
    .describe("The model that judges tool calls for Claude Code's auto mode; none unless set"),
});

/** How coding tools are signed in. */
export const signInSchema = z.strictObject({
  /** The harness of their keys; the first one unless set. */
  harness: id.optional(),
  /** Settings that Claude Code takes over from the gateway, over those that the gateway gives by itself. */
  managed_settings: params.optional(),
  /** What is shown beside the code. */
  login_notice: z.string().min(1).max(500).optional(),
});

/** The whole document. */
export const configSchema = z.strictObject({
  timezone: z.string().max(64).optional(),
  /** How long the log is kept; the plan may say less. */
  retention: z
    .strictObject({
      days: z.number().int().min(1).max(400).optional(),
      rows: z.number().int().min(0).max(10_000).optional(),
    })
    .optional(),
  /** Only providers of these regions. */
  provider_regions: list(z.enum(jurisdictions), 10).optional(),
  providers: list(providerSchema, 200).optional(),
  harnesses: list(harnessSchema, 500).optional(),
  /** Limits of the whole workspace. */
  limits: limitsSchema.optional(),
  /** Limits that hold each person by themselves; one of their own of the same metric and period goes first. */
  person_limits: limitsSchema.optional(),
  sign_in: signInSchema.optional(),
  /** Roles that groups of the identity provider give. */
  groups: members(z.string().min(1).max(256), z.enum(memberRoles), 200).optional(),
});

/** The document. */
export type Config = z.infer<typeof configSchema>;
/** One of its providers. */
export type ProviderEntry = z.infer<typeof providerSchema>;
/** One of its harnesses. */
export type HarnessEntry = z.infer<typeof harnessSchema>;
/** One of a provider's models. */
export type ModelEntry = z.infer<typeof modelEntrySchema>;
/** One limit. */
export type LimitEntry = z.infer<typeof limitSchema>;
/** A harness's routing. */
export type RoutingEntry = z.infer<typeof routingSchema>;
