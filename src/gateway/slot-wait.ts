/** Asks the workspace for a slot. The request may wait for one, as long as its client waits. */
import { Problem, problemCodes } from "../core/problem.ts";
import type { AdmitAnswer, AdmitRequest } from "../workspace/contract/admission.ts";
import { departed } from "../workspace/rules/sums/logged-outcome.ts";
import type { Identified } from "./identify.ts";
import type { Services } from "./services.ts";

/** How often a waiting request looks whether the process is about to end, in ms. */
const lookInterval = 250;
/** Seconds until a process that restarts takes requests again. */
const restartTime = 2;

/** The workspace's answer. Throws M203 where the client left while it waited, M501 where the process ends. */
export async function askForSlot(
  stage: Pick<Identified, "holder" | "departure" | "waitUntil">,
  request: AdmitRequest,
  services: Services,
): Promise<AdmitAnswer> {
  const { workspaces } = services;
  const { workspace } = stage.holder;
  if (request.weight === "light" || queueOf(stage) === 0)
    return await workspaces.admit(workspace, request);
  const asked = workspaces.admit(workspace, request, true);
  const wait = watchedWait(stage, services, () =>
    workspaces.leaveLine(workspace, request.requestId),
  );
  // The wait must be given up even where the runtime ends the work for a client that is gone.
  stage.waitUntil(asked.then(wait.stop, wait.stop));
  const answer = await asked;
  if (answer.verdict === "refused" && wait.given() === "restart") throw restarting();
  if (answer.verdict === "refused" && wait.given() === "left") throw departedWaiting();
  return answer;
}

/** M203 of a client that left while it waited. */
export function departedWaiting(): Problem {
  return new Problem(problemCodes.concurrency, "The client left while it waited.", {
    status: departed,
  });
}

function queueOf({ holder }: Pick<Identified, "holder">): number {
  const { harnesses = [] } = holder.snapshot.config;
  return harnesses.find(({ id }) => id === holder.harness)?.queue ?? 0;
}

interface WatchedWait {
  /** Why the wait was given up, if it was. */
  given(): "left" | "restart" | undefined;
  stop(): void;
}

/** Gives the wait up when the client leaves, or this process is about to end. */
function watchedWait(
  { departure, waitUntil }: Pick<Identified, "departure" | "waitUntil">,
  { drain }: Services,
  leave: () => Promise<void>,
): WatchedWait {
  let given: "left" | "restart" | undefined;
  let stopped = false;
  const giveUp = (why: "left" | "restart"): void => {
    if (given !== undefined || stopped) return;
    given = why;
    // Where it cannot be told, the wait ends by its own time.
    waitUntil(leave().catch(() => undefined));
  };
  departure.whenever(() => giveUp("left"));
  const look = (): void => {
    if (drain.announced()) giveUp("restart");
  };
  const timer = setInterval(look, lookInterval);
  return {
    given: () => given,
    stop() {
      clearInterval(timer);
      stopped = true;
    },
  };
}

function restarting(): Problem {
  return new Problem(
    problemCodes.overloaded,
    `The gateway is restarting. Try again in ${restartTime} s.`,
    { headers: { "Retry-After": String(restartTime) } },
  );
}
