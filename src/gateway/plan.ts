/** The plan of a request. Before it refuses, the workspace and the providers are asked once for what is newest. */
import { Problem, problemCodes } from "../core/problem.ts";
import type { Snapshot } from "../store/snapshot.ts";
import type { ClientRequest } from "../upstream/client-request.ts";
import type { Outcomes } from "../workspace/contract/outcomes.ts";
import { planCandidates, type Plan } from "./candidates.ts";
import { keyProblem } from "./identify.ts";
import type { Parsed } from "./parse.ts";
import type { Services, WaitUntil } from "./services.ts";
import { refuseUncertain } from "./uncertain.ts";

export interface Planned extends Parsed {
  readonly plan: Plan;
}

/** What a plan is made from. */
export interface Plannable {
  readonly request: ClientRequest;
  readonly headers: Headers;
  readonly harness: string;
  /** As it is known here; it may be old. */
  readonly snapshot: Snapshot;
  readonly outcomes: Outcomes | undefined;
  readonly waitUntil: WaitUntil;
  /** The snapshot by the workspace's own word. Throws where its key is good no longer. */
  newest(): Promise<Snapshot>;
}

/** Throws M101, M302, M300, and what is wrong with a key that was changed meanwhile. */
export async function plan(parsed: Parsed, services: Services): Promise<Planned> {
  const { holder, policy } = parsed;
  const newest = async (): Promise<Snapshot> => {
    const known = await services.workspaces.refresh(holder);
    if (typeof known === "string") throw keyProblem(known, policy);
    return known.snapshot;
  };
  const { plan: made, snapshot } = await planFrom(
    { ...plannable(parsed, services), newest },
    services,
  );
  refuseUncertain(parsed, made);
  return { ...parsed, holder: { ...holder, snapshot }, plan: made };
}

/** The plan from a snapshot that the workspace has just given. */
export async function replan(
  planned: Planned,
  snapshot: Snapshot,
  services: Services,
): Promise<Planned> {
  const made = await planFresh({ ...plannable(planned, services), snapshot }, services);
  refuseUncertain(planned, made);
  return { ...planned, holder: { ...planned.holder, snapshot }, plan: made };
}

/** The one place that asks twice: for generation, token counts and dry runs alike. */
export async function planFrom(
  input: Plannable,
  services: Services,
): Promise<{ plan: Plan; snapshot: Snapshot }> {
  const { snapshot, waitUntil } = input;
  try {
    const directory = await services.directory(snapshot, waitUntil);
    return { plan: planWith(input, { directory, fresh: false }, services), snapshot };
  } catch (error) {
    if (!(error instanceof Problem) || error.marker === problemCodes.invalidRequest) throw error;
    const newest = await input.newest();
    return { plan: await planFresh({ ...input, snapshot: newest }, services), snapshot: newest };
  }
}

async function planFresh(input: Omit<Plannable, "newest">, services: Services): Promise<Plan> {
  const directory = await services.freshDirectory(input.snapshot, input.waitUntil);
  return planWith(input, { directory, fresh: true }, services);
}

function planWith(
  input: Omit<Plannable, "newest">,
  lists: { directory: Plan["directory"]; fresh: boolean },
  { policy }: Services,
): Plan {
  return planCandidates({ ...input, ...lists, mergesParameters: policy.adaptsRelays });
}

function plannable(
  { request, http, holder, waitUntil }: Parsed,
  { workspaces }: Services,
): Omit<Plannable, "newest"> {
  return {
    request,
    headers: http.headers,
    harness: holder.harness,
    snapshot: holder.snapshot,
    outcomes: workspaces.outcomes(holder),
    waitUntil,
  };
}
