/** How a harness's requests ended, by tier, and what routing makes of it. */
import * as z from "zod";
import { learnedOffset } from "../../../routing/learning/learned-offset.ts";
import type { OutcomeCounts } from "../../../workspace/contract/outcomes.ts";
import { countsOf } from "../../../workspace/rules/outcomes.ts";
import { defineRoute } from "../../shared/define-route.ts";
import { harnessOf } from "../../shared/document/harness.ts";
import { type AdminScope, askWorkspace, readSnapshot } from "../../shared/scope.ts";

const outcomeCountsSchema = z.strictObject({
  served: z.number(),
  errors: z.number(),
  truncated: z.number(),
  rephrased: z.number(),
  overridden: z.number(),
  bad_calls: z.number(),
  /** What people said of the model that a request got. */
  right: z.number(),
  too_weak: z.number(),
  too_strong: z.number(),
});

const learningViewSchema = z.strictObject({
  /** Whether the harness learns; the counts are kept in any case. */
  learning: z.boolean(),
  /** What the counts take off what a step up has to earn, while the harness learns; below 0: what they add to it. */
  offset: z.number(),
  tiers: z.strictObject({
    simple: outcomeCountsSchema,
    standard: outcomeCountsSchema,
    complex: outcomeCountsSchema,
    reasoning: outcomeCountsSchema,
  }),
});
/** Counts of how requests ended and the offset that follows from them. */
export type LearningView = z.infer<typeof learningViewSchema>;

/** What the harness's requests came to; 404 when there is no such harness. */
export async function readLearning(scope: AdminScope, id: string): Promise<LearningView> {
  const { config } = await readSnapshot(scope);
  const harness = harnessOf(config, id);
  const outcomes = await askWorkspace(scope, (stub) => stub.outcomes(id));
  return {
    learning: harness.routing?.learning === true,
    offset: learnedOffset(outcomes),
    tiers: {
      simple: shownCounts(countsOf(outcomes, "simple")),
      standard: shownCounts(countsOf(outcomes, "standard")),
      complex: shownCounts(countsOf(outcomes, "complex")),
      reasoning: shownCounts(countsOf(outcomes, "reasoning")),
    },
  };
}

function shownCounts(counts: OutcomeCounts): LearningView["tiers"]["simple"] {
  const { served, errors, truncated, rephrased, overridden, bad_calls } = counts;
  // The version before counted no feedback.
  const { right = 0, too_weak = 0, too_strong = 0 } = counts;
  const observed = { served, errors, truncated, rephrased, overridden, bad_calls };
  return { ...observed, right, too_weak, too_strong };
}

/** Sets all counts to zero, and the offset with them; 404 when there is no such harness. */
export async function forgetLearning(scope: AdminScope, id: string): Promise<void> {
  const { config } = await readSnapshot(scope);
  harnessOf(config, id);
  await askWorkspace(scope, (stub) => stub.forgetOutcomes(id, scope.caller.actor));
}

/** The routes of outcomes by tier. */
export const adminLearningRoutes = [
  defineRoute(
    {
      method: "GET",
      path: "/api/harnesses/{id}/learning",
      summary: "Outcomes of requests by tier, and the offset learned from them",
      access: "read",
      status: 200,
      answer: learningViewSchema,
    },
    ({ params }, { scope }) => readLearning(scope, params.id),
  ),
  defineRoute(
    {
      method: "DELETE",
      path: "/api/harnesses/{id}/learning",
      summary: "Reset learning: all counts start at zero",
      access: "write",
      status: 204,
    },
    ({ params }, { scope }) => forgetLearning(scope, params.id),
  ),
] as const;
