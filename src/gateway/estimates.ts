/** What each candidate would cost at most, for the budgets of the workspace. */
import { clientFormats } from "../formats/index.ts";
import type { ListedModel } from "../providers/connection/connection.ts";
import type { HarnessEntry } from "../store/config.ts";
import { savedParametersFor } from "../store/harness-parameters.ts";
import { estimateRequest } from "../tokens/estimate.ts";
import type { ClientRequest } from "../upstream/client-request.ts";
import type { CandidateEstimate } from "../workspace/contract/admission.ts";

interface Estimated {
  readonly request: ClientRequest;
  /** Saved parameters are merged into requests. */
  readonly mergesParameters: boolean;
}

/** The tokens are counted only where a limit makes them matter. */
export function estimates(
  candidates: readonly ListedModel[],
  { request, mergesParameters }: Estimated,
  harness: HarnessEntry,
): CandidateEstimate[] {
  const { answers, maxOutput } = request.description;
  const limited = (harness.limits?.length ?? 0) > 0;
  const input = limited ? estimateRequest(request.inHub()) : Math.ceil(request.size / 4);
  return candidates.map(({ id, info }) => {
    const saved = mergesParameters ? savedLimit(harness, id) : undefined;
    const asked = saved ?? maxOutput;
    return {
      id,
      input,
      ...(asked !== undefined && { asked: asked * answers }),
      ...(info.maxOutput !== undefined && { modelMax: info.maxOutput * answers }),
      ...(info.prices !== undefined && { prices: info.prices }),
    };
  });
}

/** Saved parameters have the names of OpenAI chat. */
function savedLimit(harness: HarnessEntry, model: string): number | undefined {
  return clientFormats.chat.describe({ ...savedParametersFor(harness, model) }).maxOutput;
}
