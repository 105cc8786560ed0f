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
  .max(64, "use at most 64 characters")
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

const seconds = z.number().positive().max(3600);

/** What a model reads, writes and can do. */
export const capabilitiesSchema = z.strictObject({
  input_modalities: list(z.string().max(128), 100)
    .optional()
    .meta({ description: "Input modalities", examples: [["text", "image"]] }),
  output_modalities: list(z.string().max(128), 100)
    .optional()
    .meta({ description: "Output modalities", examples: [["text"]] }),
  features: list(z.string().max(128), 100)
    .optional()
    .meta({ description: "Features", examples: [["stream", "tools", "reasoning"]] }),
});

/** A model's prices in USD per million tokens. */
export const costSchema = z.strictObject({
  input: price.optional().meta({ description: "For input tokens", examples: [0.2] }),
  output: price.optional().meta({ description: "For output tokens", examples: [0.6] }),
  cache_read: price.optional().describe("For input tokens read from the provider's cache"),
  cache_write: price.optional().describe("For input tokens written to the cache"),
});

/** A provider's model: what it can do, and its prices. */
export const modelEntrySchema = z.strictObject({
  id: modelId.meta({ description: "The provider's name for it", examples: ["qwen3"] }),
  context_window: z
    .number()
    .int()
    .positive()
    .optional()
    .meta({ description: "Context window, in tokens", examples: [131_072] }),
  max_output: z
    .number()
    .int()
    .positive()
    .optional()
    .meta({ description: "Maximum output tokens", examples: [8192] }),
  capabilities: capabilitiesSchema.optional().describe("Modalities and features"),
  cost: costSchema
    .optional()
    .describe("Prices in USD per million tokens; 0 means free, missing means unknown"),
});

/** How long a provider is waited for, in seconds. */
export const timeoutsSchema = z.strictObject({
  headers: seconds.optional().meta({
    description:
      "Until the response headers; whole responses get 120 (300 for reasoning models) or more unless it is set",
    default: 30,
  }),
  first_content: seconds.optional().meta({
    description: "Until the first content of a stream; 180 for reasoning models unless it is set",
    default: 60,
  }),
  idle: seconds.optional().meta({ description: "Between two stream events", default: 120 }),
  total: seconds.optional().meta({
    description: "For a whole response; limits a stream only if it is set",
    default: 900,
  }),
});

/** A provider, with its credential and models. */
export const providerSchema = z.strictObject({
  id: id.meta({ description: "Prefix of its model names: `<id>/<model>`", examples: ["openai"] }),
  kind: z
    .string()
    .min(1)
    .max(64)
    .meta({ description: "An entry of the catalogue, or `custom`", examples: ["openai"] }),
  auth: z.enum(["key", "subscription"]).optional().meta({
    description:
      "`subscription` for a user's own subscription: its models end in `-subscription` and cost 0",
    default: "key",
  }),
  api_key: z
    .string()
    .min(1)
    .max(16_384)
    .optional()
    .describe("Stored encrypted and shown as `***`; sending `***` back keeps the stored key"),
  format: formatSchema
    .optional()
    .describe("API format; required for `custom`, otherwise the catalogue's by default"),
  base_url: z
    .url({ protocol: /^https?$/ })
    .max(2048)
    .optional()
    .meta({
      description: "Base URL, usually ending in `/v1`; required for `custom`",
      examples: ["http://127.0.0.1:8000/v1"],
    }),
  headers: members(z.string().min(1).max(256), z.string().max(8192), 100)
    .optional()
    .describe("Headers sent with every request to it; those named like secrets are encrypted"),
  models: list(modelEntrySchema, 5000)
    .optional()
    .describe(
      "Models that add to or override the catalogue's; without them a custom provider is asked for its list",
    ),
  openai_fields: z
    .boolean()
    .optional()
    .describe(
      "Whether it accepts OpenAI-only parameters; by default `openai`, `azure`, `openrouter` and `custom` with format `chat` or `responses` do",
    ),
  timeouts: timeoutsSchema.optional().describe("Timeouts"),
  region: z
    .enum(jurisdictions)
    .optional()
    .describe(
      "Where its requests are processed: the kind's address there, or what the operator of the `base_url` promises",
    ),
});

/** The tiers that a harness can have models for. */
export const tierNames = ["simple", "standard", "complex", "reasoning", "default"] as const;
const chain = list(modelId, 6).min(1);
const qualitySchema = z.enum(["eco", "balanced", "quality"]);
/** Models of each tier. */
export const tiersSchema = z.strictObject({
  simple: chain.optional().describe("For short and simple requests"),
  standard: chain.optional().describe("For ordinary work"),
  complex: chain.optional().describe("For design, analysis and long tool loops"),
  reasoning: chain.optional().describe("For proofs and hard problems"),
  default: chain.optional().describe("Used when `routing.auto` is off"),
});

/** How `auto` serves requests of one role. */
export const roleRoutingSchema = z.strictObject({
  tiers: tiersSchema.optional().describe("Models by tier; they override the harness's"),
  models: chain.optional().describe("Models in order, whatever the tier"),
  quality: qualitySchema.optional().describe("Cost/quality trade-off"),
});

/** A rule that chooses models by a header of the request. */
export const headerRuleSchema = z.strictObject({
  name: z.string().min(1).max(64).describe("Name of the rule; responses have it as their tier"),
  header: z
    .string()
    .min(1)
    .max(128)
    .meta({ description: "Name of the header", examples: ["x-job"] }),
  value: z
    .string()
    .max(1024)
    .meta({ description: "Required value", examples: ["nightly"] }),
  models: chain.describe("Models in order"),
});

/** How requests of a harness are routed. */
export const routingSchema = z.strictObject({
  auto: z.boolean().optional().meta({
    description: "`false`: every request for `auto` uses the tier `default`",
    default: true,
  }),
  quality: qualitySchema
    .optional()
    .meta({ description: "The cost/quality trade-off", default: "balanced" }),
  learning: z
    .boolean()
    .optional()
    .meta({ description: "Shifts tier thresholds by past outcomes", default: false }),
  tiers: tiersSchema
    .optional()
    .describe("Models by tier, in order; a missing tier is filled by price and capability"),
  roles: z
    .partialRecord(z.enum(requestRoles), roleRoutingSchema)
    .optional()
    .describe("Settings for requests of a role"),
  beyond_tiers: z.boolean().optional().meta({
    description:
      "Whether `auto` may use other models where none of those that are listed for the tier or role can serve a request; otherwise such a request is refused (M302)",
    default: false,
  }),
  headers: list(headerRuleSchema, 50)
    .optional()
    .describe("Rules for requests for `auto` with a given header"),
  fallbacks: members(modelId, list(modelId, 5), 1000)
    .optional()
    .meta({
      description: "Fallbacks for models that clients name",
      examples: [{ "openai/gpt-5.2": ["anthropic/claude-sonnet-5"] }],
    }),
});

const params = members(z.string().min(1).max(128), jsonScalar, 200);

/** A limit in a period; cost in USD. */
export const limitSchema = z.strictObject({
  metric: z.enum(["cost", "tokens", "requests"]).describe("Metric; `cost` in USD"),
  period: z.enum(["hour", "day", "week", "month"]).describe("Period"),
  max: z
    .number()
    .min(0)
    .meta({ description: "Maximum", examples: [5] }),
  action: z
    .enum(["block", "notify"])
    .describe("`block` refuses requests over the limit; `notify` only records it"),
  strict: z
    .union([z.boolean(), z.literal("bound")])
    .optional()
    .meta({
      description:
        "A cost limit also refuses what has no known price; `bound` (cost, tokens): also requests whose upper bound does not fit",
      default: false,
    }),
  set_at: z.iso.datetime().optional().describe("When it was set; the gateway fills it in"),
});
/** The limits of a workspace, harness, key or person. */
export const limitsSchema = list(limitSchema, 50);
/** Ids of models, or patterns with `*`, with or without their connection. */
export const allowedModelsSchema = list(modelId, 1000);

/** What is taken out of texts before they are kept or sent to a collector. */
export const redactSchema = z.strictObject({
  rules: list(z.enum(redactionRules), redactionRules.length)
    .optional()
    .describe("Built-in rules; all by default"),
  patterns: list(z.string().min(1).max(200), 20)
    .optional()
    .describe(
      "Custom patterns, whose matches become `[redacted]`: literals, `.`, `[a-z]`, `\\d \\w \\s`, `? * + {m,n}`, `( )`, `|`, and `^ $` at the ends",
    ),
});

/** Who searches the web where a request's model cannot. */
export const webSearchSchema = z.strictObject({
  provider: id.optional().describe("A provider with its own web search"),
  model: modelId
    .optional()
    .describe("The search model; by default the provider's cheapest that can search"),
  url: z
    .url({ protocol: /^https?$/ })
    .max(2048)
    .optional()
    .describe("Your own search endpoint instead of a provider, with {query} in its address"),
});

/** A harness: what its keys may use, and how. */
export const harnessSchema = z.strictObject({
  id: id.meta({ description: "ID, used in paths", examples: ["code"] }),
  name: z
    .string()
    .min(1)
    .max(200)
    .meta({ description: "Display name", examples: ["Code"] }),
  params: params.optional().meta({
    description:
      "Saved parameters by their names in OpenAI chat; they override the client's. Unknown ones are passed through",
    examples: [{ temperature: 0.2, seed: 7 }],
  }),
  model_params: members(modelId, params, 1000)
    .optional()
    .meta({
      description: "Saved parameters by model",
      examples: [{ "lab/qwen3": { temperature: 0.7 } }],
    }),
  routing: routingSchema.optional().describe("How its requests are routed"),
  aliases: members(modelId, modelId, 1000)
    .optional()
    .meta({
      description: "Model names to remap; `*` in patterns, exact names take precedence",
      examples: [{ "claude-haiku-*": "auto" }],
    }),
  limits: limitsSchema.optional().describe("Limits for all its keys together"),
  models: allowedModelsSchema.optional().meta({
    description: "Models that its keys may use: ids or patterns with `*`; every model by default",
    examples: [["lab/*", "claude-haiku-*"]],
  }),
  errors: z.enum(["spoken", "status"]).optional().meta({
    description:
      "`status`: errors keep their HTTP status; `spoken`: streaming clients get most errors as a normal response",
    default: "spoken",
  }),
  log_text: z
    .boolean()
    .optional()
    .meta({ description: "Log the text of requests and responses", default: false }),
  trace_text: z
    .boolean()
    .optional()
    .meta({ description: "Send texts with traces", default: false }),
  redact: redactSchema
    .optional()
    .describe("What is removed from texts before they are stored; every built-in rule by default"),
  response_owner: z.enum(["any", "strict"]).optional().meta({
    description: "`strict`: only its own stored responses can be continued",
    default: "any",
  }),
  queue: z.number().min(0).max(60).optional().meta({
    description: "Seconds that a request may wait for a free slot before it is refused (M203)",
    default: 0,
  }),
  whole_keep_alive: z.boolean().optional().meta({
    description:
      "Begin responses without streaming after 10 s with spaces before the JSON, so that a client that left is noticed; their status is then 200, also of a failure",
    default: false,
  }),
  web_search: webSearchSchema
    .optional()
    .describe("Web search for models whose provider has none; off by default"),
  safeguard_model: modelId
    .optional()
    .describe("The model that checks tool calls in Claude Code's auto mode; none by default"),
});

/** Sign-in from coding tools. */
export const signInSchema = z.strictObject({
  harness: id.optional().describe("The harness of their keys; the first one by default"),
  managed_settings: params
    .optional()
    .describe("Managed settings for Claude Code; they override the gateway's"),
  login_notice: z.string().min(1).max(500).optional().describe("Text shown with the code"),
});

/** How long the request log is kept. */
export const retentionSchema = z.strictObject({
  days: z
    .number()
    .int()
    .min(1)
    .max(400)
    .optional()
    .describe("Days; 13 months by default, less if the plan says so"),
  rows: z
    .number()
    .int()
    .min(0)
    .max(10_000)
    .optional()
    .meta({ description: "Number of newest rows", default: 10_000 }),
});

/** The whole document. */
export const configSchema = z.strictObject({
  timezone: z
    .string()
    .max(64)
    .optional()
    .meta({
      description: "Time zone of limits and charts",
      default: "UTC",
      examples: ["Europe/Berlin"],
    }),
  retention: retentionSchema.optional().describe("How long the request log is kept"),
  provider_regions: list(z.enum(jurisdictions), 10)
    .optional()
    .describe("Allowed provider regions; all by default"),
  providers: list(providerSchema, 200).optional().describe("Providers"),
  harnesses: list(harnessSchema, 500).optional().describe("Harnesses"),
  limits: limitsSchema.optional().describe("Limits of the whole workspace"),
  person_limits: limitsSchema
    .optional()
    .describe(
      "Limits for each person; a person's own limit with the same metric and period takes precedence",
    ),
  sign_in: signInSchema.optional().describe("Sign-in from coding tools"),
  groups: members(z.string().min(1).max(256), z.enum(memberRoles), 200)
    .optional()
    .meta({
      description: "Roles by group of the identity provider",
      examples: [{ platform: "owner", staff: "member" }],
    }),
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
