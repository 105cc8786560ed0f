/** The plan of a workspace: set by those who run the deployment, or by the billing system. */
import * as z from "zod";
import { invalid, Problem, problemCodes } from "../../../core/problem.ts";
import { plansOf } from "../../../store/plans.ts";
import { askDirectory } from "../../shared/credentials/access.ts";
import type { BillingContext } from "../../shared/context.ts";
import { defineRoute } from "../../shared/define-route.ts";
import { notFound } from "../../shared/errors.ts";
import { askWorkspace } from "../../shared/scope.ts";

const planChangeSchema = z.strictObject({
  plan: z.string().min(1).max(64),
  /** The id in the path once more: signatures cover the body alone, and with it hold for this workspace only. */
  workspace: z.string().max(200).optional(),
});

const planViewSchema = z.strictObject({ id: z.string(), plan: z.string() });
type PlanView = z.infer<typeof planViewSchema>;

/**
 * Changes the plan, in force with the next admission. A delivery that comes again changes nothing and is answered alike;
 * one that was signed before the change that holds is refused: deliveries may overtake each other.
 */
export async function changeWorkspacePlan(
  { env, by, delivery }: Pick<BillingContext, "env" | "by" | "delivery">,
  { id, plan }: PlanView,
): Promise<PlanView> {
  if (!plansOf(env).has(plan)) throw invalid("plan", `there is no plan ${JSON.stringify(plan)}`);
  const change = {
    workspace: id,
    plan,
    time: delivery?.time ?? Math.floor(Date.now() / 1000),
    ...(delivery !== undefined && { request: { key: delivery.key, body: delivery.body } }),
  };
  const { outcome, workspace } = await askDirectory(env, (stub) => stub.changePlan(change));
  if (outcome === "unknown" || workspace === undefined)
    throw notFound(`There is no workspace ${JSON.stringify(id)}`);
  if (outcome === "reused")
    throw conflict("idempotency", "This Idempotency-Key was already used with a different body.");
  // Also where it came before: the workspace may not have been told then.
  const told = { name: workspace.plan, change: workspace.plan_change };
  await askWorkspace({ env, workspace: id }, (stub) => stub.setPlan(told, by));
  if (outcome === "outdated")
    throw conflict("outdated", "A change that was signed later is already in effect.");
  return { id, plan };
}

function conflict(code: string, message: string): Problem {
  return new Problem(problemCodes.invalidRequest, message, {
    status: 409,
    code,
    headers: { "x-should-retry": "false" },
  });
}

/** The route of plans. */
export const adminPlanRoutes = [
  defineRoute(
    {
      method: "PUT",
      path: "/api/workspaces/{id}/plan",
      summary: "Set a workspace's plan; billing systems sign with X-Gateway-Signature",
      access: "billing",
      body: { schema: planChangeSchema },
      status: 200,
      answer: planViewSchema,
    },
    ({ params: { id }, body: { plan, workspace = id } }, context) => {
      if (workspace !== id) throw invalid("workspace", "is not the workspace in the path");
      return changeWorkspacePlan(context, { id, plan });
    },
  ),
] as const;
