/** How a harness routes: the decision for one request, and the models of each tier. */
import * as z from "zod";
import { clientFormatNames } from "../../../core/format-name.ts";
import { dryRun } from "../../../gateway/endpoints/dry-run.ts";
import type { Services, WaitUntil } from "../../../gateway/services.ts";
import type { JsonObject } from "../../../lib/json.ts";
import type { Directory } from "../../../providers/models/directory.ts";
import { wallOf, withinWall } from "../../../providers/models/wall.ts";
import { decisionSentence } from "../../../routing/explanation/decision-sentence.ts";
import type { ToldDecision } from "../../../routing/explanation/told-decision.ts";
import { tierTable } from "../../../routing/models/tier-candidates.ts";
import type { HarnessEntry } from "../../../store/config.ts";
import type { Snapshot } from "../../../store/snapshot.ts";
import { defineRoute } from "../../shared/define-route.ts";
import { harnessOf } from "../../shared/document/harness.ts";
import { displayNames } from "../../shared/model-names.ts";
import { readSnapshot } from "../../shared/scope.ts";

/** A client's request, as large as the gateway itself takes one. */
const longestRequest = 32 * 1024 * 1024;

/** A client's body as it came. It was parsed from JSON, so every value in it is one of JSON's. */
const requestBodySchema = z.record(z.string(), z.unknown()) as z.ZodType as z.ZodType<JsonObject>;

const mostHeaders = 100;
const headerName = z
  .string()
  .max(128)
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, "must be a header name");
const headerValue = z
  .string()
  .max(16_384)
  .regex(/^[\t\x20-\x7e\x80-\xff]*$/, "must be a valid header value");
/** Headers of the client's request: texts by name. */
const headersSchema = z
  .record(headerName, headerValue)
  .refine((found) => Object.keys(found).length <= mostHeaders, `at most ${mostHeaders} are allowed`)
  .meta({ maxProperties: mostHeaders });

const routingQuestionSchema = z.strictObject({
  harness: z.string().min(1).max(64),
  format: z.enum(clientFormatNames),
  body: requestBodySchema,
  headers: headersSchema
    .optional()
    .describe("Headers of the client's request that say what it is for or that header rules match"),
});
/** A request of a client, and the harness whose routing is asked about. */
export type RoutingQuestion = z.infer<typeof routingQuestionSchema>;

/**
 * Why `auto` chose as it did. Parsing takes these members out of what routing explains of itself, so nothing
 * else is shown.
 */
export const routingExplanationSchema = z.object({
  tier: z.string(),
  /** What the request is for; missing in rows of the version before. */
  role: z.string().exactOptional(),
  reason: z.string(),
  /** 0..1 */
  confidence: z.number(),
  /** Rises with what a dearer model would gain. */
  score: z.number(),
  /** What outcomes took off what a step up has to earn; missing when that is nothing. */
  learned: z.number().exactOptional(),
  /** Probability of each tier, weakest first. */
  p: z.array(z.number()),
  signals: z.record(z.string(), z.json()),
  /** As the request would be sent now, apart from the conversation's state. */
  candidates: z.array(z.string()),
  /** With the contributions these are the logits of the tiers and of the gain. */
  bias: z.object({ tiers: z.array(z.number()), gain: z.number() }),
  /** Addends of the score. */
  contributions: z.array(
    z.object({ name: z.string(), bin: z.string(), tiers: z.array(z.number()), gain: z.number() }),
  ),
  excluded: z.array(z.object({ id: z.string(), why: z.string() })),
  /** USD of the next answer: with the prefix cached there, and after a switch to it. */
  costs: z.array(z.object({ id: z.string(), stay: z.number(), switch: z.number() })),
  /** Names the conversation within the harness. */
  session: z.string(),
});

const routingPreviewSchema = routingExplanationSchema
  .partial({
    score: true,
    p: true,
    bias: true,
    contributions: true,
    costs: true,
    session: true,
  })
  .extend({
    requested_model: z.string(),
    /** Why the request would go to its model, in at most three sentences. */
    why: z.string(),
    /** Candidates that fail at the moment and are asked last, with the time until then. */
    cooling: z.record(z.string(), z.string()),
    /** Whether the conversation, if it is known by its content, stays with its model. */
    conversation: z
      .object({
        model: z.string(),
        verdict: z.string(),
        why: z.string(),
        candidates: z.array(z.string()),
        costs: z.record(z.string(), z.number()).exactOptional(),
      })
      .exactOptional(),
  });
/** The routing decision for a request that is not sent. The score and its parts are there only for `auto`. */
export type RoutingPreview = z.infer<typeof routingPreviewSchema>;

/** Decides for a request body without sending it. Throws M300, M101 and M302 as the request itself would. */
export async function previewRouting(
  { harness, format, body, headers: sent }: RoutingQuestion,
  snapshot: Snapshot,
  { services, waitUntil }: { readonly services: Services; readonly waitUntil: WaitUntil },
): Promise<RoutingPreview> {
  const { id } = harnessOf(snapshot.config, harness);
  const headers = new Headers(sent);
  const input = { snapshot, harness: id, format, body, headers, waitUntil };
  const decision = routingDecidedSchema.parse(await dryRun(input, services));
  const directory = await services.directory(snapshot, waitUntil);
  const why = decisionSentence(toldPreview(decision, format), displayNames(directory));
  return { ...decision, why };
}

const routingDecidedSchema = routingPreviewSchema.omit({ why: true });

/** A request that would go to its first candidate, or to that of its conversation. */
function toldPreview(
  decision: z.infer<typeof routingDecidedSchema>,
  format: RoutingQuestion["format"],
): ToldDecision {
  const { conversation, candidates, tier } = decision;
  const session = conversation && `session=${conversation.verdict}(${conversation.why})`;
  return {
    format,
    requestedModel: decision.requested_model,
    tier,
    reason: session ?? decision.reason,
    routing: decision.p === undefined ? undefined : decision,
    attempts: [],
    model: (conversation?.candidates ?? candidates)[0],
    error: null,
  };
}

const tierViewSchema = z.strictObject({
  tier: z.string(),
  models: z.array(z.string()),
  /** configured: the harness names them; filled: computed from what is connected. */
  origin: z.enum(["configured", "filled"]),
  why: z.string(),
});
/** A tier with the models that serve it now, and why these. */
export type TierView = z.infer<typeof tierViewSchema>;

/** Every tier of the harness. */
export function listTiers(directory: Directory, harness: HarnessEntry): TierView[] {
  const allowed = withinWall(directory.models, wallOf(harness.models));
  const table = tierTable(allowed, harness.routing);
  return Object.entries(table).map(([tier, { models, origin, why }]) => ({
    tier,
    models: models.map(({ id }) => id),
    origin,
    why,
  }));
}

/** The routes of routing decisions and tiers. */
export const adminRoutingRoutes = [
  defineRoute(
    {
      method: "POST",
      path: "/api/route",
      summary: "The routing decision for a request; nothing is forwarded",
      access: "read-own",
      body: { schema: routingQuestionSchema, longest: longestRequest },
      status: 200,
      answer: routingPreviewSchema,
    },
    async ({ body }, { scope, services, waitUntil }) => {
      const snapshot = await readSnapshot(scope);
      return await previewRouting(body, snapshot, { services, waitUntil });
    },
  ),
  defineRoute(
    {
      method: "GET",
      path: "/api/harnesses/{id}/tiers",
      summary: "The models that serve each tier now, and why",
      access: "read",
      status: 200,
      answer: z.strictObject({ data: z.array(tierViewSchema) }),
    },
    async ({ params }, { scope, services, waitUntil }) => {
      const snapshot = await readSnapshot(scope);
      const directory = await services.freshDirectory(snapshot, waitUntil);
      return { data: listTiers(directory, harnessOf(snapshot.config, params.id)) };
    },
  ),
] as const;
