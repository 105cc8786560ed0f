/** An admitted request: the order of the candidates, their attempts, and the answer of the one that spoke. */
import { Problem } from "../core/problem.ts";
import type { RequestRecord } from "../workspace/contract/request-record.ts";
import type { Lease } from "./held-lease.ts";
import type { ListedModel } from "../providers/connection/connection.ts";
import type { Credentials } from "../providers/models/fetch-list.ts";
import { lacksCredential } from "../upstream/send.ts";
import type { Admitted } from "./admit.ts";
import { answer } from "./answer.ts";
import type { Call } from "./call.ts";
import { runChain, type ChainResult } from "../upstream/chain.ts";
import { failureAnswer } from "./failure-answer.ts";
import { observedIn, unanswered } from "./observed.ts";
import { order, type Chosen } from "./order.ts";
import type { Plan } from "./plan.ts";
import { prepare } from "../upstream/prepare.ts";
import type { ReadRequest } from "./read.ts";
import { asProblem } from "./refuse.ts";
import type { Shell } from "./services.ts";
import { failedRecord } from "./settle.ts";

export interface Serving {
  shell: Shell;
  admitted: Admitted;
}

/** Throws what the attempts could not even begin with (M100, M300); the slot is given back in any case. */
export async function serve(call: Call, request: ReadRequest, serving: Serving): Promise<Response> {
  const { shell, admitted } = serving;
  const { plan } = admitted;
  const lease = admitted.lease && settledOnce(admitted.lease);
  try {
    const chosen = order(admitted, shell.services.now());
    const result = await runChain({
      candidates: chosen.candidates,
      policy: call.policy,
      now: shell.services.now,
      mode: shell.services.mode,
      query: queryOf(call.request.url),
      headers: call.request.headers,
      prepare: async (model) => ({
        prepared: prepare({ call, request, harness: plan.harness }, model),
        credentials: await credentialsFor(call, model, shell),
      }),
    });
    setRouting(call, plan, { result, chosen });
    if (result.ok) return await answer({ call, request, result, plan, lease, chosen, shell });
    const { failures, records } = result;
    const primary = failures.find(({ model }) => model === chosen.order[0]) ?? failures[0];
    const response = failureAnswer(call, failures, primary);
    const error = primary.failure.message;
    const ending = unanswered(records);
    const learned = observedIn({ plan, request, session: chosen.session, ending });
    await giveBack(call, lease, { status: response.status, error, records, learned, shell });
    return response;
  } catch (error) {
    const problem = asProblem(error);
    const words = `${problem.marker}: ${problem.message}`;
    await giveBack(call, lease, { status: problem.status, error: words, records: [], shell });
    throw error;
  }
}

/** Whatever tries to settle a request twice is too late. */
function settledOnce(lease: Lease): Lease {
  let settled = false;
  return {
    id: lease.id,
    renew: () => lease.renew(),
    settle(record) {
      if (settled) return;
      settled = true;
      return lease.settle(record);
    },
  };
}

interface Outcome {
  status: number;
  error: string;
  records: RequestRecord["attempts"];
  learned?: Pick<RequestRecord, "observed" | "session">;
  shell: Shell;
}

async function giveBack(call: Call, lease: Lease | null, outcome: Outcome): Promise<void> {
  if (lease === null) return;
  call.booked = true;
  const requestedModel = String(call.body?.["model"] ?? "").slice(0, 512);
  const { shell, ...words } = outcome;
  await lease.settle(failedRecord({ call, requestedModel, ...words, now: shell.services.now() }));
}

async function credentialsFor(call: Call, model: ListedModel, shell: Shell): Promise<Credentials> {
  const { holder } = call;
  if (!holder) throw new Error("the caller is identified before any attempt");
  const credentials = await shell.services.credentials(holder.snapshot, model.connection);
  if (lacksCredential(model.connection, credentials.secret)) {
    const { id } = model.connection;
    throw new Problem("M100", `The provider ${id} has no usable credential. Set its api_key.`);
  }
  return credentials;
}

function setRouting(
  call: Call,
  plan: Plan,
  { result, chosen }: { result: ChainResult; chosen: Chosen },
): void {
  const [primary] = chosen.order;
  const model = result.ok
    ? result.prepared.model
    : chosen.candidates.find(({ id }) => id === primary);
  if (!model) return;
  call.routing = {
    tier: plan.tier,
    model: model.id,
    provider: model.connection.id,
    reason: chosen.reason,
    confidence: plan.confidence,
    ...(plan.decision && { score: plan.decision.score }),
  };
}

/** With its question mark, or empty. */
function queryOf(url: string): string {
  const at = url.indexOf("?");
  return at < 0 ? "" : url.slice(at);
}
