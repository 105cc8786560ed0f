/** The story of one request, from the key to the log row. Data goes one way; only `attempt` has a loop. */
import { Problem } from "../core/problem.ts";
import { readRequest, type ReadRequest } from "./read.ts";
import type { Call } from "./call.ts";
import { identify, keyProblem } from "./identify.ts";
import { planRequest, type Plan } from "./plan.ts";
import type { Snapshot } from "../store/snapshot.ts";
import { asProblem, refuse } from "./refuse.ts";
import type { Shell } from "./services.ts";
import { serve } from "./serve.ts";
import { failedRecord } from "./settle.ts";
import { admit } from "./admit.ts";

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
    return await serve(call, request, { shell, admitted });
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
      outcomes: services.meter.outcomes(holder),
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
    outcomes: shell.services.meter.outcomes(holder),
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
  if (call.holder && !call.booked) {
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
