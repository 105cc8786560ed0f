/** The workspace's document (`GET`/`PUT /api/config`), as zod schemas: the one definition of its shape. */
import { z } from "zod";
import { providerFormatNames } from "../core/format-name.ts";

const id = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[a-z0-9][a-z0-9-]*$/, "use lowercase letters, digits and hyphens");
const modelId = z.string().min(1).max(512);
const jsonScalar = z.json();
const price = z.number().min(0).max(1_000_000);

/** The formats that a provider can speak. */
export const formatSchema = z.enum(providerFormatNames);

/** A provider's model: what it can do, and its prices in USD per million tokens. */
export const modelEntrySchema = z.strictObject({
  id: modelId,
  context_window: z.number().int().positive().optional(),
  max_output: z.number().int().positive().optional(),
  capabilities: z
    .strictObject({
      input_modalities: z.array(z.string()).optional(),
      output_modalities: z.array(z.string()).optional(),
      features: z.array(z.string()).optional(),
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
  headers: z.record(z.string().min(1).max(256), z.string().max(8192)).optional(),
  models: z.array(modelEntrySchema).max(5000).optional(),
  openai_fields: z.boolean().optional(),
  timeouts: timeoutsSchema.optional(),
});

/** The tiers that a harness can have models for. */
export const tierNames = ["simple", "standard", "complex", "reasoning", "default"] as const;
const chain = z.array(modelId).min(1).max(6);

/** How requests of a harness are routed. */
export const routingSchema = z.strictObject({
  auto: z.boolean().optional(),
  quality: z.enum(["eco", "balanced", "quality"]).optional(),
  learning: z.boolean().optional(),
  tiers: z
    .strictObject({
      simple: chain.optional(),
      standard: chain.optional(),
      complex: chain.optional(),
      reasoning: chain.optional(),
      default: chain.optional(),
    })
    .optional(),
  headers: z
    .array(
      z.strictObject({
        name: z.string().min(1).max(64),
        header: z.string().min(1).max(128),
        value: z.string().max(1024),
        models: chain,
      }),
    )
    .max(50)
    .optional(),
  fallbacks: z.record(modelId, z.array(modelId).max(5)).optional(),
});

const params = z.record(z.string().min(1).max(128), jsonScalar);

/** A limit of a harness in a period; cost in USD. */
export const limitSchema = z.strictObject({
  metric: z.enum(["cost", "tokens", "requests"]),
  period: z.enum(["hour", "day", "week", "month"]),
  max: z.number().min(0),
  action: z.enum(["block", "notify"]),
});

/** A harness: what its keys may use, and how. */
export const harnessSchema = z.strictObject({
  id,
  name: z.string().min(1).max(200),
  params: params.optional(),
  model_params: z.record(modelId, params).optional(),
  routing: routingSchema.optional(),
  aliases: z.record(modelId, modelId).optional(),
  limits: z.array(limitSchema).max(50).optional(),
  log_text: z.boolean().optional(),
});

/** The whole document. */
export const configSchema = z.strictObject({
  timezone: z.string().max(64).optional(),
  providers: z.array(providerSchema).max(200).optional(),
  harnesses: z.array(harnessSchema).max(500).optional(),
});

/** The document. */
export type Config = z.infer<typeof configSchema>;
/** One of its providers. */
export type ProviderEntry = z.infer<typeof providerSchema>;
/** One of its harnesses. */
export type HarnessEntry = z.infer<typeof harnessSchema>;
/** One of a provider's models. */
export type ModelEntry = z.infer<typeof modelEntrySchema>;
/** One of a harness's limits. */
export type LimitEntry = z.infer<typeof limitSchema>;
/** A harness's routing. */
export type RoutingEntry = z.infer<typeof routingSchema>;
