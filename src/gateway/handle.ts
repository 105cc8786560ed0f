/** The story of one request, from the key to the log row. Data goes one way; only `attempt` has a loop. */
import { Problem } from "../core/problem.ts";
import { chooseModel } from "../routing/session.ts";
import type { AttemptRecord, RequestRecord } from "../meter/contract.ts";
import type { ListedModel } from "../providers/contract.ts";
import type { Credentials } from "../providers/fetch-list.ts";
import { answer } from "./answer.ts";
import { readRequest, type ReadRequest } from "./read.ts";
import type { Call } from "./call.ts";
import { runChain, type ChainResult } from "./chain.ts";
import { failureAnswer } from "./failure-answer.ts";
import { identify, keyProblem, type Identified } from "./identify.ts";
import { planRequest, type Plan } from "./plan.ts";
import { prepare } from "./prepare.ts";
import type { Snapshot } from "../store/snapshot.ts";
import { asProblem, refuse } from "./refuse.ts";
import type { Services, WaitUntil } from "./services.ts";
import { failedRecord } from "./settle.ts";
import { admit, type Admitted } from "./admit.ts";

export interface Shell {
  services: Services;
  waitUntil: WaitUntil;
}

/** Serves a generation request. Whatever goes wrong is answered in the caller's dialect. */
export async function handle(call: Call, shell: Shell): Promise<Response> {
  try {
    const identified = await identify(call, shell.services);
    call.holder = identified.holder;
    const request = await readRequest(call);
    const plan = await planFresh(call, request, shell);
    const admitted = await admit({ call, plan, request, shell, identified }, (snapshot) =>
      replan(call, request, { shell, snapshot }),
    );
    return await serve(call, request, { shell, identified, admitted });
  } catch (error) {
    return await refused(call, error, shell);
  }
}

/** The plan from what the isolate knows; before it refuses, once more from what the workspace's object knows. */
async function planFresh(call: Call, request: ReadRequest, shell: Shell): Promise<Plan> {
  const { services, waitUntil } = shell;
  const { holder } = call;
  if (!holder) throw new Error("the caller is identified before planning");
  try {
    const directory = await services.directory(holder.snapshot, waitUntil);
    return planRequest({
      call,
      snapshot: holder.snapshot,
      harnessId: holder.harness,
      directory,
      fresh: false,
      turn: request.turn,
    });
  } catch (error) {
    if (!(error instanceof Problem) || error.marker === "M300") throw error;
    const known = await services.meter.refresh(holder);
    if (typeof known === "string") throw keyProblem(known, call);
    call.holder = known;
    return await replan(call, request, { shell, snapshot: known.snapshot });
  }
}

async function replan(
  call: Call,
  request: ReadRequest,
  { shell, snapshot }: { shell: Shell; snapshot: Snapshot },
): Promise<Plan> {
  const { holder } = call;
  if (!holder) throw new Error("the caller is identified before planning");
  call.holder = { ...holder, snapshot };
  const directory = await shell.services.freshDirectory(snapshot, shell.waitUntil);
  return planRequest({
    call,
    snapshot,
    harnessId: holder.harness,
    directory,
    fresh: true,
    turn: request.turn,
  });
}

interface Serving {
  shell: Shell;
  identified: Identified;
  admitted: Admitted;
}

async function serve(call: Call, request: ReadRequest, serving: Serving): Promise<Response> {
  const { shell, admitted } = serving;
  const { plan, lease } = admitted;
  let handedOver = false;
  let records: AttemptRecord[] = [];
  try {
    const chosen = choose(admitted, shell.services.now());
    const result = await runChain({
      candidates: chosen.candidates,
      policy: call.policy,
      now: shell.services.now,
      mode: shell.services.mode,
      query: new URL(call.request.url).search,
      headers: call.request.headers,
      prepare: async (model) => ({
        prepared: prepare(
          {
            call,
            body: request.body,
            turn: request.turn,
            harness: plan.harness,
            tagged: request.tagged,
          },
          model,
        ),
        credentials: await credentialsFor(call, model, shell),
      }),
    });
    records = result.records;
    setRouting(call, plan, { result, chosen });
    if (!result.ok) return failureAnswer(call, result.failures, chosen.candidates.length);
    handedOver = true;
    return await answer({ call, request, result, plan, lease, chosen, shell });
  } finally {
    if (!handedOver && lease) {
      const last = records.at(-1);
      await lease.settle(
        exhaustedRecord(call, records, { status: last?.status ?? 500, now: shell.services.now() }),
      );
    }
  }
}

async function credentialsFor(call: Call, model: ListedModel, shell: Shell): Promise<Credentials> {
  const { holder } = call;
  if (!holder) throw new Error("the caller is identified before any attempt");
  const credentials = await shell.services.credentials(holder.snapshot, model.connection);
  if (credentials.secret === undefined && !model.connection.keyless) {
    throw new Problem(
      "M100",
      `The provider ${model.connection.id} has no usable credential. Set its api_key.`,
    );
  }
  return credentials;
}

export interface Chosen {
  candidates: ListedModel[];
  reason: string;
  /** Answers that the conversation had so far. */
  turns: number;
}

/** Stay or switch, from the session's state; candidates that are cooling down go to the end. */
function choose(admitted: Admitted, now: number): Chosen {
  const { plan, answer: admission } = admitted;
  const affordable = new Set(admission.affordable);
  const kept = plan.candidates.filter(({ id }) => affordable.has(id));
  const { decision } = plan;
  if (!decision)
    return { candidates: coolLast(kept, admission.cooling, now), reason: plan.reason, turns: 0 };
  const moved = chooseModel({
    decision,
    session: admission.session,
    now,
    models: plan.directory.models,
    affordable: admission.affordable,
  });
  return {
    candidates: coolLast(moved.candidates, admission.cooling, now),
    reason: moved.reason,
    turns: admission.session?.turns ?? 0,
  };
}

function coolLast(
  candidates: ListedModel[],
  cooling: Record<string, number>,
  now: number,
): ListedModel[] {
  const cool = (model: ListedModel): boolean => (cooling[model.id] ?? 0) > now;
  return [...candidates.filter((model) => !cool(model)), ...candidates.filter(cool)];
}

function setRouting(
  call: Call,
  plan: Plan,
  { result, chosen }: { result: ChainResult; chosen: Chosen },
): void {
  const model = result.ok ? result.prepared.model : chosen.candidates[0];
  if (!model) return;
  call.routing = {
    tier: plan.tier,
    model: model.id,
    provider: model.connection.id,
    reason: chosen.reason,
    confidence: plan.confidence,
  };
}

function exhaustedRecord(
  call: Call,
  records: AttemptRecord[],
  { status, now }: { status: number; now: number },
): RequestRecord {
  const requestedModel = String(call.body?.["model"] ?? "");
  return failedRecord({
    call,
    requestedModel,
    status,
    error: records[0]?.error ?? "no attempt was made",
    records,
    now,
  });
}

/** The answer to whatever was thrown by a request that has no log row. */
export async function refusedLight(call: Call, error: unknown): Promise<Response> {
  return await refuse(call, problemOf(error));
}

function problemOf(error: unknown): Problem {
  const problem = asProblem(error);
  if (problem.marker === "M500")
    console.error(
      "request failed:",
      error instanceof Error ? (error.stack ?? error.message) : String(error),
    );
  return problem;
}

async function refused(
  call: Call,
  error: unknown,
  { services, waitUntil }: Shell,
): Promise<Response> {
  const problem = problemOf(error);
  if (call.holder) {
    const requestedModel = String(call.body?.["model"] ?? "").slice(0, 512);
    const record = failedRecord({
      call,
      requestedModel,
      status: problem.status,
      error: `${problem.marker}: ${problem.message}`,
      records: [],
      now: services.now(),
    });
    waitUntil(
      services.meter
        .log(call.holder.workspace, record)
        .catch(() => console.warn("a refused request could not be logged")),
    );
  }
  return await refuse(call, problem);
}
