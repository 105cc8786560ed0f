/** What a request may not say where a blocking limit counts its money or tokens. */
import type { UncertainField } from "../core/format.ts";
import { invalid } from "../core/problem.ts";
import type { Plan } from "./candidates/candidates.ts";
import { describeSaved } from "./candidates/saved-description.ts";
import type { Parsed } from "./parse.ts";

/** Throws M300 that names the field, the harness's saved ones included. */
export function refuseUncertain(
  { request, policy, operation }: Parsed,
  { harness, limits, candidates }: Plan,
): void {
  if (!isHeld(limits)) return;
  // Saved parameters are those of generations.
  const saved =
    policy.adaptsRelays && operation === undefined
      ? candidates.flatMap(({ id }) => describeSaved(harness, id).uncertain)
      : [];
  const [first] = [...request.description.uncertain, ...saved];
  if (first !== undefined) throw invalid(first.path, worded(first));
}

/** Whether a limit that blocks counts what the answers cost. */
export function isHeld(limits: Plan["limits"]): boolean {
  return limits.some(({ action, metric }) => action === "block" && metric !== "requests");
}

function worded({ must }: UncertainField): string {
  return `${must} (a spending limit has to know what a request may cost)`;
}
