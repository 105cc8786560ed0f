/** The one place that chooses a variant. */
import { variantA } from "./variant-a.ts";
import { variantB } from "./variant-b.ts";
import type { Policy } from "./policy.ts";

export function policyOf(name: string | undefined): Policy {
  return name === "B" ? variantB : variantA;
}
