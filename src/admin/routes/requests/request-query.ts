/** By what rows of the request log are asked for: the query of its list, and of its pages. */
import * as z from "zod";
import { blockingNodes } from "../../../policy/refusal.ts";
import { feedbackAnswers } from "../../../workspace/contract/feedback.ts";
import {
  type RequestOutcome,
  requestOutcomes,
} from "../../../workspace/contract/request-record.ts";
import type { RowConditions } from "../../../workspace/contract/reports.ts";
import { ownOnly } from "../../shared/caller.ts";
import type { AdminScope } from "../../shared/scope.ts";
import { timeSchema } from "../../shared/time.ts";

const mostTags = 8;

const outcomesSchema = z
  .string()
  .regex(
    new RegExp(`^(${requestOutcomes.join("|")})(,(${requestOutcomes.join("|")})){0,4}$`),
    `must be a comma-separated list of ${requestOutcomes.join(", ")}`,
  );

const amountSchema = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,12})?$/, "must be an amount in USD like 0.05");

const tagSchema = z
  .string()
  .regex(/^[a-z0-9_.-]{1,32}(=[a-z0-9_.-]{1,32})?$/, "must be name=value or a name");

/** Filters and paging of the log; values arrive as text. */
export const requestsQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(500).default(50),
  /** The `next` of the page before. */
  before: z.string().max(64).optional(),
  harness: z.string().max(64).optional(),
  /** Id of the key, or its name. */
  key: z.string().max(200).optional(),
  outcome: outcomesSchema.optional(),
  status: z
    .string()
    .regex(/^(\d{3}|[1-5]xx|ok|error)$/, "must be a status, a class like 4xx, ok or error")
    .optional(),
  provider: z.string().max(64).optional(),
  /** As requested, or the one that answered. */
  model: z.string().max(512).optional(),
  /** Inclusive, of the request's beginning. */
  from: timeSchema.optional(),
  /** Exclusive. */
  to: timeSchema.optional(),
  min_cost: amountSchema.optional(),
  max_cost: amountSchema.optional(),
  /** May be repeated: all must match. */
  tag: z.union([tagSchema, z.array(tagSchema).max(mostTags)]).optional(),
  session: z.string().max(200).optional(),
  agent: z.string().max(200).optional(),
  role: z.string().max(32).optional(),
  /** Whose limit refused the request. */
  blocked_by: z.enum(blockingNodes).optional(),
  /** Rows of which somebody said this. */
  feedback: z.enum(feedbackAnswers).optional(),
  /** Id of the key's person. */
  person: z.string().max(64).optional(),
  /** Part of an id, a model, an error or a kept text, in any letter case. */
  q: z.string().max(200).optional(),
});
/** Which rows of the log are asked for. */
export type RequestsQuery = z.infer<typeof requestsQuerySchema>;

/** What the query asks for, of what the caller may see: of a member's, their own. */
export function conditionsOf(scope: AdminScope, query: RequestsQuery): RowConditions {
  const { harness, key, outcome, status, provider, model, session, agent, role, q } = query;
  const person = personAskedFor(scope, query.person);
  return {
    ...(harness !== undefined && { harness }),
    ...(key !== undefined && { key }),
    // The schema let no other words pass.
    ...(outcome !== undefined && { outcomes: outcome.split(",") as RequestOutcome[] }),
    ...(status !== undefined && { status: statusRange(status) }),
    ...(provider !== undefined && { provider }),
    ...(model !== undefined && { model }),
    ...boundsOf(query),
    ...(query.tag !== undefined && { tags: tagsOf(query.tag) }),
    ...(session !== undefined && { session }),
    ...(agent !== undefined && { agent }),
    ...(role !== undefined && { role }),
    ...(query.blocked_by !== undefined && { blockedBy: query.blocked_by }),
    ...(query.feedback !== undefined && { feedback: query.feedback }),
    ...(person !== undefined && { person }),
    ...(q !== undefined && q !== "" && { text: q }),
  };
}

/** Nobody's (empty) where a member asks for somebody else's. */
function personAskedFor({ caller }: AdminScope, asked: string | undefined): string | undefined {
  const own = ownOnly(caller);
  if (own === undefined) return asked;
  return (asked ?? own) === own ? own : "";
}

function boundsOf({ from, to, min_cost, max_cost }: RequestsQuery): RowConditions {
  return {
    ...(from !== undefined && { from: Date.parse(from) }),
    ...(to !== undefined && { to: Date.parse(to) }),
    ...(min_cost !== undefined && { minCost: Number(min_cost) }),
    ...(max_cost !== undefined && { maxCost: Number(max_cost) }),
  };
}

function tagsOf(given: string | string[]): { name: string; value?: string }[] {
  return [given].flat().map((text) => {
    const [name = "", value] = text.split("=");
    return { name, ...(value !== undefined && { value }) };
  });
}

/** From (inclusive) and to (exclusive) of `404`, `4xx`, `ok` or `error`. */
function statusRange(text: string): readonly [number, number] {
  if (text === "ok") return [100, 400];
  if (text === "error") return [400, 1000];
  const first = Number(text.slice(0, 1)) * 100;
  return text.endsWith("xx") ? [first, first + 100] : [Number(text), Number(text) + 1];
}
