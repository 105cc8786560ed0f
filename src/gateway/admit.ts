/** One call of the workspace's object: everything that can refuse a planned request, and the slot. */
import type { AdmitAnswer } from "../workspace/contract/admission.ts";
import { heldLease, type Lease } from "./held-lease.ts";
import type { Snapshot } from "../store/snapshot.ts";
import type { Call } from "./call.ts";
import type { Identified } from "./identify.ts";
import type { Plan } from "./plan.ts";
import type { ReadRequest } from "./read.ts";
import type { Services } from "./services.ts";

export type Admission = Extract<AdmitAnswer, { verdict: "admitted" }>;

export interface Admitted {
  plan: Plan;
  answer: Admission;
  lease: Lease | null;
}

export interface AdmitInput {
  call: Call;
  plan: Plan;
  request: ReadRequest;
  identified: Identified;
  shell: { services: Services };
}

/** Throws M005, M201, M203, M204, M200. A stale snapshot is answered with the new one and planned again, once. */
export async function admit(
  input: AdmitInput,
  replan: (snapshot: Snapshot) => Promise<Plan>,
): Promise<Admitted> {
  let { plan } = input;
  let answer = await ask(input, plan);
  for (let tries = 0; answer.verdict === "stale" && tries < 3; tries++) {
    plan = await replan(answer.snapshot);
    answer = await ask(input, plan);
  }
  const { call, identified } = input;
  if (answer.verdict === "stale")
    throw new Error("the workspace's configuration changes faster than a request can be planned");
  if (answer.rate) call.rate = answer.rate;
  if (answer.verdict === "refused") {
    // A request refused here counts nowhere; M004 and M005 count for the address only.
    if (answer.refusal.code !== "M004" && answer.refusal.code !== "M005")
      await identified.giveBack();
    throw call.policy.refusal(answer.refusal);
  }
  const { holder } = call;
  const { services } = input.shell;
  const lease =
    answer.lease && holder ? heldLease(services.meter, holder.workspace, answer.lease.id) : null;
  return { plan, answer, lease };
}

async function ask(input: AdmitInput, plan: Plan): Promise<AdmitAnswer> {
  const { call } = input;
  const { holder } = call;
  if (!holder) throw new Error("the caller is identified before admission");
  return await input.shell.services.meter.admit(holder.workspace, {
    requestId: call.id,
    keyHash: holder.keyHash,
    harness: holder.harness,
    generation: holder.snapshot.generation,
    weight: "generation",
    candidates: plan.estimates,
    flexible: plan.decision !== undefined,
    ...(plan.sessionKey !== undefined && { session: plan.sessionKey }),
  });
}
