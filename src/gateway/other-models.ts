/** What a request may not say where its key may not reach every model. */
import { Problem, problemCodes } from "../core/problem.ts";
import type { Plan } from "./candidates/candidates.ts";
import { describeSaved } from "./candidates/saved-description.ts";
import type { Parsed } from "./parse.ts";

/** Throws M304 that names the field by which a provider would let another model answer or help. */
export function refuseOtherModels(
  { request, policy, operation }: Parsed,
  { harness, candidates, wall }: Plan,
): void {
  if (wall === undefined) return;
  // Saved parameters are those of generations.
  const saved =
    policy.adaptsRelays && operation === undefined
      ? candidates.flatMap(({ id }) => describeSaved(harness, id).otherModels)
      : [];
  const [first] = [...request.description.otherModels, ...saved];
  if (first !== undefined)
    throw new Problem(
      problemCodes.modelNotAllowed,
      `${first}: must not be set, because this key may not use every model, and another one might answer.`,
    );
}
