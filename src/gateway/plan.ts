/** The plan of a request. Before it refuses, the workspace and the providers are asked once for what is newest. */
import { Problem, problemCodes } from "../core/problem.ts";
import type { HeaderReader } from "../lib/header-reader.ts";
import type { ClientRequest } from "../upstream/client-request.ts";
import type { Holder } from "../workspace/client/client.ts";
import type { Outcomes } from "../workspace/contract/outcomes.ts";
import {
  planCandidates,
  type Plan,
  type Planner,
  type PlanRules,
} from "./candidates/candidates.ts";
import { keyProblem } from "./identify.ts";
import type { Parsed } from "./parse.ts";
import type { Services, WaitUntil } from "./services.ts";
import { refuseOtherModels } from "./other-models.ts";
import { refuseUncertain } from "./uncertain.ts";

export interface Planned extends Parsed {
  readonly plan: Plan;
}

/** What a plan is made from. */
export interface Plannable<Rules extends PlanRules> {
  readonly request: ClientRequest;
  readonly headers: HeaderReader;
  /** As they are known here; they may be old. */
  readonly rules: Rules;
  readonly outcomes: Outcomes | undefined;
  readonly waitUntil: WaitUntil;
  /** Missing: as for a generation. */
  readonly planner?: Planner;
  /** The rules as the workspace has them now. Throws if the key is no longer valid. */
  newest(): Promise<Rules>;
}

/** Throws M101, M302, M304, M300, and what is wrong with a key that was changed meanwhile. */
export async function plan(parsed: Parsed, services: Services): Promise<Planned> {
  const { holder } = parsed;
  const newest = async (): Promise<Holder> => {
    const known = await services.workspaces.refresh(holder);
    if (typeof known === "string") throw keyProblem(known, parsed);
    return known;
  };
  const { plan: made, rules } = await planFrom(
    { ...plannable(parsed, services), newest },
    services,
  );
  return checkedPlan({ ...parsed, holder: rules, plan: made });
}

/** The plan for a holder that the workspace has just made anew. */
export async function replan(
  planned: Planned,
  holder: Holder,
  services: Services,
): Promise<Planned> {
  const made = await planFresh({ ...plannable(planned, services), rules: holder }, services);
  return checkedPlan({ ...planned, holder, plan: made });
}

/** Throws what a request may not say under its limits and its models. */
function checkedPlan(planned: Planned): Planned {
  refuseUncertain(planned, planned.plan);
  refuseOtherModels(planned, planned.plan);
  return planned;
}

/** The one place that asks twice: for generation, token counts and dry runs alike. */
export async function planFrom<Rules extends PlanRules>(
  input: Plannable<Rules>,
  services: Services,
): Promise<{ plan: Plan; rules: Rules }> {
  const { rules, waitUntil } = input;
  try {
    const directory = await services.directory(rules.snapshot, waitUntil);
    return { plan: planWith(input, { directory, fresh: false }, services), rules };
  } catch (error) {
    if (!(error instanceof Problem) || error.marker === problemCodes.invalidRequest) throw error;
    const newest = await input.newest();
    return { plan: await planFresh({ ...input, rules: newest }, services), rules: newest };
  }
}

type PlanBasis = Omit<Plannable<PlanRules>, "newest">;

async function planFresh(input: PlanBasis, services: Services): Promise<Plan> {
  const directory = await services.freshDirectory(input.rules.snapshot, input.waitUntil);
  return planWith(input, { directory, fresh: true }, services);
}

function planWith(
  input: PlanBasis,
  lists: { directory: Plan["directory"]; fresh: boolean },
  { policy }: Services,
): Plan {
  const planner = input.planner ?? planCandidates;
  return planner({ ...input, ...lists, mergesParameters: policy.adaptsRelays });
}

function plannable(
  { request, headers, holder, waitUntil, planner }: Parsed,
  { workspaces }: Services,
): Omit<Plannable<Holder>, "newest"> {
  return {
    request,
    headers,
    rules: holder,
    outcomes: workspaces.outcomes(holder),
    waitUntil,
    ...(planner !== undefined && { planner }),
  };
}
