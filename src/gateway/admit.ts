/** One call of the workspace's object: everything that can refuse a planned request, and the slot. */
import type { AdmitAnswer, AdmitRequest, Refusal } from "../workspace/contract/contract.ts";
import type { Exchange } from "./exchange.ts";
import type { Identified } from "./identify.ts";
import { replan, type Planned } from "./plan.ts";
import type { Services } from "./services.ts";

export type Admission = Extract<AdmitAnswer, { verdict: "admitted" }>;

export interface Admitted extends Planned {
  readonly admission: Admission;
}

/** How often a request is planned anew while the workspace's configuration changes under it. */
const mostReplans = 3;

/**
 * Throws M004, M005, M201, M203, M204, M200. A snapshot that is old is answered with the new one, and the request
 * is planned again.
 */
export async function admit(
  first: Planned,
  exchange: Exchange,
  services: Services,
): Promise<Admitted> {
  let planned = first;
  for (let replans = 0; ; replans++) {
    const answer = await services.workspaces.admit(planned.holder.workspace, questionOf(planned));
    switch (answer.verdict) {
      case "admitted":
        exchange.admitted(answer);
        return { ...planned, admission: answer };
      case "refused":
        exchange.counted(answer.rate);
        return await refused(planned, answer.refusal, services);
      case "stale":
        if (replans >= mostReplans) throw new Error(changesTooFast);
        planned = await replan(planned, answer.snapshot, services);
        break;
      default:
        return answer satisfies never;
    }
  }
}

const changesTooFast = "the workspace's configuration changes faster than a request can be planned";

function questionOf({ id, holder, plan }: Planned): AdmitRequest {
  const { keyHash, harness, snapshot } = holder;
  return {
    requestId: id,
    keyHash,
    harness,
    generation: snapshot.generation,
    weight: "generation",
    candidates: [...plan.estimates],
    flexible: plan.decision !== undefined,
    ...(plan.sessionKey !== undefined && { session: plan.sessionKey }),
  };
}

/**
 * Counts a request that asks no model (model lists, token counts): in the windows, without a slot. Gives it back with
 * the newest snapshot. Throws M004, M005, M201.
 */
export async function admitCounted<Stage extends Identified>(
  first: Stage,
  exchange: Exchange,
  services: Services,
): Promise<Stage> {
  let stage = first;
  for (let tries = 0; ; tries++) {
    const { id, holder } = stage;
    const { keyHash, harness, snapshot } = holder;
    const answer = await services.workspaces.admit(holder.workspace, {
      requestId: id,
      keyHash,
      harness,
      generation: snapshot.generation,
      weight: "light",
      candidates: [],
      flexible: false,
    });
    switch (answer.verdict) {
      case "admitted":
        exchange.counted(answer.rate);
        return stage;
      case "refused":
        exchange.counted(answer.rate);
        return await refused(stage, answer.refusal, services);
      case "stale":
        if (tries >= mostReplans) throw new Error(changesTooFast);
        stage = { ...stage, holder: { ...holder, snapshot: answer.snapshot } };
        break;
      default:
        return answer satisfies never;
    }
  }
}

/** A request that the workspace refuses counts nowhere; one with a bad key counts for its address. */
async function refused(
  { counted, policy }: Identified,
  refusal: Refusal,
  { workspaces }: Services,
): Promise<never> {
  const badKey = refusal.code === "M004" || refusal.code === "M005";
  if (!badKey) await workspaces.uncountAddress(counted.address, counted.token);
  throw policy.refusal(refusal);
}
