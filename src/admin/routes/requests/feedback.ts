/** "Was this right?": what people say of the model that a request got. */
import * as z from "zod";
import { Problem, problemCodes } from "../../../core/problem.ts";
import { feedbackTier } from "../../../routing/learning/learned-offset.ts";
import { feedbackAnswers } from "../../../workspace/contract/feedback.ts";
import { tiers } from "../../../workspace/contract/outcomes.ts";
import { feedbackOwner } from "../../shared/caller.ts";
import { defineRoute } from "../../shared/define-route.ts";
import { type AdminScope, askNewMethod } from "../../shared/scope.ts";
import { findRequest, missingRequest } from "./requests.ts";
import type { FeedbackChange } from "../../../workspace/contract/feedback.ts";

const feedbackBodySchema = z.strictObject({ verdict: z.enum(feedbackAnswers) });

const feedbackViewSchema = z.strictObject({
  verdict: z.enum(feedbackAnswers),
  /** The tier with which it is counted; null where the request's tier was not scored: nothing is learned from it. */
  tier: z.enum(tiers).nullable(),
});
/** Somebody's answer, and what it counts for. */
export type FeedbackView = z.infer<typeof feedbackViewSchema>;

/** The caller's answer for a request, in place of an earlier one; 404 where there is none that they see. */
export async function giveFeedback(
  scope: AdminScope,
  id: string,
  { verdict }: z.infer<typeof feedbackBodySchema>,
): Promise<FeedbackView> {
  const { routing, model } = await findRequest(scope, id);
  // A request that no model answered shows nothing of its tier.
  const tier = model === null ? undefined : feedbackTier(routing?.signals);
  const given = { answer: verdict, ...(tier !== undefined && { tier }) };
  await change(scope, { id, who: feedbackOwner(scope.caller), given });
  return { verdict, tier: tier ?? null };
}

/** Takes the caller's answer back, if there is one; 404 where there is no such request that they see. */
export async function removeFeedback(scope: AdminScope, id: string): Promise<void> {
  await findRequest(scope, id);
  await change(scope, { id, who: feedbackOwner(scope.caller) });
}

async function change(scope: AdminScope, asked: FeedbackChange): Promise<void> {
  const found = await askNewMethod(
    scope,
    (stub) => stub.giveFeedback(asked, scope.caller.actor),
    async () => {
      throw new Problem(problemCodes.overloaded, "The workspace is being updated. Try again.");
    },
  );
  if (!found) throw missingRequest(asked.id);
}

/** The routes of feedback. */
export const adminFeedbackRoutes = [
  defineRoute(
    {
      method: "PUT",
      path: "/api/requests/{id}/feedback",
      summary: "Rate the model that a request got; one rating per person",
      access: "write-own",
      body: { schema: feedbackBodySchema },
      status: 200,
      answer: feedbackViewSchema,
    },
    ({ params, body }, { scope }) => giveFeedback(scope, params.id, body),
  ),
  defineRoute(
    {
      method: "DELETE",
      path: "/api/requests/{id}/feedback",
      summary: "Remove your rating",
      access: "write-own",
      status: 204,
    },
    ({ params }, { scope }) => removeFeedback(scope, params.id),
  ),
] as const;
