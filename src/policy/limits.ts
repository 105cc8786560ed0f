/** Which limits a deployment has. */
import { type Env, modeOf, variantOf } from "../store/env.ts";
import { limitsOn } from "./build.ts";
import { minute, type Policy } from "../workspace/rules/state.ts";

const throttleLimit = 100;

/** Variant B's throttle is a setting where self-hosted; in the cloud it is the plan's. */
export function policyOf(
  env: Pick<Env, "VARIANT" | "MODE" | "THROTTLE_LIMIT" | "THROTTLE_TTL">,
): Policy {
  const own = modeOf(env) === "self-hosted";
  return {
    variant: variantOf(env),
    limits: limitsOn,
    throttle: {
      limit: own ? positive(env.THROTTLE_LIMIT, throttleLimit) : throttleLimit,
      span: own ? positive(env.THROTTLE_TTL, minute) : minute,
    },
  };
}

function positive(text: string | undefined, otherwise: number): number {
  const value = Number(text);
  return text !== undefined && Number.isInteger(value) && value > 0 ? value : otherwise;
}
