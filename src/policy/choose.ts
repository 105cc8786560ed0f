/** The one place that chooses a variant. */
import { type Env, settingsOf } from "../store/env.ts";
import { throttleOf } from "../store/throttle.ts";
import { limitsOn } from "./build.ts";
import { minute, noLimits, type RateLimit } from "./limits.ts";
import type { Policy } from "./policy.ts";
import { variantA } from "./variant-a.ts";
import { variantB } from "./variant-b.ts";

type PolicySettings = Pick<Env, "VARIANT" | "MODE" | "THROTTLE_LIMIT" | "THROTTLE_TTL">;

/** The policy that the deployment's settings choose. Throws SettingsError. */
export function policyOf(env: PolicySettings): Policy {
  const policy = settingsOf(env).variant === "B" ? variantB(throttleFor(env)) : variantA;
  return limitsOn ? policy : { ...policy, ...noLimits };
}

/** The cloud's plan, and what holds where a self-hosted deployment sets nothing. */
const defaultThrottle: RateLimit = { limit: 100, span: minute };

/** Variant B's throttle is a setting where self-hosted; in the cloud it is the plan's. */
function throttleFor(env: PolicySettings): RateLimit {
  if (settingsOf(env).mode === "cloud") return defaultThrottle;
  const { limit = defaultThrottle.limit, span = defaultThrottle.span } = throttleOf(env);
  return { limit, span };
}
