/** One call of the workspace's object: everything that can refuse a request, and the slot. */
import { type Problem, problemCodes, withHeaders } from "../core/problem.ts";
import type { Holder } from "../workspace/client/client.ts";
import type { AdmitAnswer, AdmitRequest } from "../workspace/contract/admission.ts";
import { responseSessionKey } from "../routing/session/session-key.ts";
import type { Refusal } from "../policy/refusal.ts";
import { errorDelivery } from "./error-delivery.ts";
import type { Identified } from "./identify.ts";
import { replan, type Planned } from "./plan.ts";
import { reasoningAsked } from "./reasoning-keeper.ts";
import { askForSlot, departedWaiting } from "./slot-wait.ts";
import type { Services } from "./services.ts";

export type Admission = Extract<AdmitAnswer, { verdict: "admitted" }>;

export interface Admitted extends Planned {
  readonly admission: Admission;
}

/** The exchange, which gets the workspace's answer. */
interface AdmissionListener {
  counted(rate: Admission["rate"]): void;
  admitted(admission: Admission): void;
}

/** Throws M004, M005, M201, M203, M204, M200. */
export async function admit(
  planned: Planned,
  exchange: AdmissionListener,
  services: Services,
): Promise<Admitted> {
  const { stage, admission } = await askWorkspace(
    planned,
    { exchange, services },
    {
      question: generation,
      renewed: (old, holder) => replan(old, holder, services),
    },
  );
  exchange.admitted(admission);
  // It had its slot already when the word of its departure came: the slot goes back unused.
  if (planned.departure.happened) throw departedWaiting();
  return { ...stage, admission };
}

/**
 * Counts a request that asks no model (model lists, token counts): in the windows, without a slot. Gives it back with
 * the newest snapshot. Throws M004, M005, M201.
 */
export async function admitCounted<Stage extends Identified>(
  identified: Stage,
  exchange: AdmissionListener,
  services: Services,
): Promise<Stage> {
  const { stage } = await askWorkspace<Stage>(
    identified,
    { exchange, services },
    {
      question: countedOnly,
      renewed: (old, holder) => ({ ...old, holder }),
    },
  );
  return stage;
}

interface Asking<Stage> {
  question(stage: Stage): AdmitRequest;
  /** The stage made anew from what is newer of its holder. */
  renewed(stage: Stage, holder: Holder): Stage | Promise<Stage>;
}

/** How often admission is tried while the workspace's configuration changes. */
const mostQuestions = 4;

/** A snapshot that is old is answered with the newest: the question is made anew from that. */
async function askWorkspace<Stage extends Identified>(
  first: Stage,
  { exchange, services }: { exchange: AdmissionListener; services: Services },
  { question, renewed }: Asking<Stage>,
): Promise<{ stage: Stage; admission: Admission }> {
  let stage = first;
  const begun = services.now();
  for (let questions = 0; questions < mostQuestions; questions++) {
    const asked = question(stage);
    if (questions > 0) asked.waited = services.now() - begun;
    const answer = await askForSlot(stage, asked, services);
    if (answer.verdict === "stale") {
      stage = await renewed(stage, services.workspaces.renewed(stage.holder, answer));
      continue;
    }
    exchange.counted(answer.rate);
    if (answer.verdict === "refused") return await refused(stage, answer.refusal, services);
    return { stage, admission: answer };
  }
  throw new Error("the workspace's configuration changes faster than a request can be planned");
}

function generation(planned: Planned): AdmitRequest {
  const { id, holder, plan, request } = planned;
  const asked = askedBy(holder, id, "generation");
  asked.candidates = plan.estimates;
  asked.flexible = plan.decision !== undefined;
  if (plan.sessionKey !== undefined) asked.session = plan.sessionKey;
  const continued = request.description.continues?.id;
  if (continued !== undefined) asked.continues = responseSessionKey(plan.harness.id, continued);
  const reasoningOf = reasoningAsked(planned);
  if (reasoningOf !== undefined) asked.reasoningOf = reasoningOf;
  return asked;
}

function countedOnly({ id, holder }: Identified): AdmitRequest {
  return askedBy(holder, id, "light");
}

function askedBy(
  { keyHash, harness, snapshot, terms }: Holder,
  requestId: string,
  weight: AdmitRequest["weight"],
): AdmitRequest {
  return {
    requestId,
    keyHash,
    harness,
    generation: snapshot.generation,
    keyVersion: terms.version ?? 0,
    weight,
    candidates: [],
    flexible: false,
  };
}

/** A request that the workspace refuses counts nowhere; one with a bad key counts among the strangers of its address. */
async function refused(
  identified: Identified,
  refusal: Refusal,
  { workspaces, now }: Services,
): Promise<never> {
  const { counted, holder, waitUntil } = identified;
  const badKey =
    refusal.code === problemCodes.expiredKey || refusal.code === problemCodes.unknownKey;
  if (badKey) {
    workspaces.distrust(holder.keyHash);
    const stranger = { address: counted.address, standing: "stranger" } as const;
    waitUntil(Promise.resolve(workspaces.countAddress(stranger)));
  }
  await workspaces.uncountAddress(counted);
  throw refusalProblem(identified, refusal, now());
}

/** The status of a refusal because a budget is used up; formats choose the error's type by it. */
const billing = 402;

/** A client that is told of a used-up budget may get headers with details. */
function refusalProblem(identified: Identified, refusal: Refusal, now: number): Problem {
  const { client, policy } = identified;
  const problem = policy.refusal(refusal, errorDelivery(identified));
  const { spending } = client;
  if (refusal.code !== problemCodes.limitReached || problem.typeStatus !== billing) return problem;
  const { unpriced, bound, resets_at } = refusal;
  const isUsedUp = unpriced === undefined && bound === undefined;
  if (spending === undefined || !isUsedUp || resets_at === undefined) return problem;
  return withHeaders(problem, spending.refusedHeaders({ ...refusal, resets_at }, now));
}
