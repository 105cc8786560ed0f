/** The setting `PLANS`: what a workspace may use by its plan. */
import * as z from "zod";
import type { Env } from "./env.ts";
import { SettingsError } from "./settings-error.ts";

const count = z.number().int().min(0).nullable().default(null);

const planSchema = z.strictObject({
  /** A month of UTC. */
  monthly_requests: count,
  /** How long the log, its texts and sums are kept. */
  retention_days: z.number().int().min(1).nullable().default(null),
  /** Memberships and open invitations together. */
  members: z.number().int().min(1).nullable().default(null),
  /** Variant B: requests of an agent in `ttl` ms. */
  throttle: z
    .strictObject({ ttl: z.number().int().min(1), limit: z.number().int().min(1) })
    .nullable()
    .optional(),
  features: z.array(z.string().regex(/^[a-z0-9][a-z0-9_.-]*$/)).default([]),
});

/** Names as they stand in addresses and signed bodies. */
const plansSchema = z.record(z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/), planSchema);

/** What a plan allows; null everywhere: no bound. A throttle that is missing is the usual one. */
export type WorkspacePlan = Readonly<z.infer<typeof planSchema>>;

/** Every plan by its name, in the order of the setting. */
export type PlanTable = ReadonlyMap<string, WorkspacePlan>;

/** What holds for a workspace without a plan. */
export const unboundPlan: WorkspacePlan = planSchema.parse({});

type PlanSettings = Partial<Pick<Env, "PLANS">>;

const parsed = new Map<string, PlanTable>();

/** The plans of the setting; none where it is not set. Throws SettingsError that names the member at fault. */
export function plansOf({ PLANS: text = "" }: PlanSettings): PlanTable {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const plans = text.trim() === "" ? new Map<string, WorkspacePlan>() : readPlans(text);
  parsed.clear();
  parsed.set(text, plans);
  return plans;
}

/** The plan that new workspaces of a cloud deployment get: the first one. Null where there are none. */
export function firstPlanName(env: PlanSettings): string | null {
  return plansOf(env).keys().next().value ?? null;
}

/**
 * The plan of that name. One that the setting no longer has counts as the first of those that it has: a workspace whose
 * plan was taken away must not be without bounds, and what strangers get is the least that can be meant.
 */
export function planNamed(env: PlanSettings, name: string | null): WorkspacePlan {
  if (name === null) return unboundPlan;
  const plans = plansOf(env);
  return plans.get(name) ?? plans.values().next().value ?? unboundPlan;
}

function readPlans(text: string): PlanTable {
  const found = plansSchema.safeParse(jsonOf(text));
  if (found.success) return new Map(Object.entries(found.data));
  const [issue] = found.error.issues;
  const unknown = issue?.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
  const path = [...(issue?.path ?? []), ...unknown].join(".");
  throw new SettingsError(
    `The setting PLANS is wrong${path === "" ? "" : ` at ${path}`}: ${issue?.message ?? "not valid"}.`,
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SettingsError("The setting PLANS is not JSON.");
  }
}
