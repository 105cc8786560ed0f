/** The one place that chooses a variant. */
import { type Env, settingsOf } from "../store/env.ts";
import type { WorkspacePlan } from "../store/plans.ts";
import { throttleOf } from "../store/throttle.ts";
import { limitsOn } from "./build.ts";
import { type Limits, minute, noLimits, type RateLimit } from "./limits.ts";
import type { Policy } from "./policy.ts";
import { variantA } from "./variant-a.ts";
import { variantB } from "./variant-b.ts";

type PolicySettings = Pick<Env, "VARIANT" | "MODE" | "THROTTLE_LIMIT" | "THROTTLE_TTL">;

/** The policy that the deployment's settings choose. Throws SettingsError. */
export function policyOf(env: PolicySettings): Policy {
  const policy = settingsOf(env).variant === "B" ? variantB(throttleFor(env)) : variantA;
  return limitsOn ? policy : { ...policy, ...noLimits };
}

/** The limits of a workspace with this plan. In the cloud variant B's throttle is the plan's, where that names one. */
export function limitsUnder(
  env: PolicySettings,
  { throttle }: Pick<WorkspacePlan, "throttle">,
): Limits {
  const policy = policyOf(env);
  const isPlans = policy.window?.scope === "harness" && settingsOf(env).mode === "cloud";
  if (!isPlans || throttle === undefined) return policy;
  const window: Limits["window"] =
    throttle === null ? null : { scope: "harness", limit: throttle.limit, span: throttle.ttl };
  return { ...policy, window };
}

/** What a plan of the cloud that names no throttle has, and what holds where a self-hosted deployment sets nothing. */
const defaultThrottle: RateLimit = { limit: 100, span: minute };

/** Variant B's throttle is a setting where self-hosted; in the cloud it is the plan's. */
function throttleFor(env: PolicySettings): RateLimit {
  if (settingsOf(env).mode === "cloud") return defaultThrottle;
  const { limit = defaultThrottle.limit, span = defaultThrottle.span } = throttleOf(env);
  return { limit, span };
}
