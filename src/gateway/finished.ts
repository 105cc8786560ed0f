/** What sinks are told of a request that ended. Pure. */
import type { ProblemCode } from "../core/problem.ts";
import type {
  FinishedIdentified,
  FinishedUnidentified,
  StageTimes,
} from "../telemetry/finished-request.ts";
import type { RequestRecord } from "../workspace/contract/request-record.ts";
import type { Identified } from "./identify.ts";
import { isModelNamed, ownNameOf } from "./model-names.ts";
import type { ExchangeOutcome } from "./outcome.ts";
import type { Parsed } from "./parse.ts";
import type { Planned } from "./plan.ts";
import type { Received } from "./received.ts";

/** The names of the times at which a request reached its stages; in the order of `handle.ts`. */
export function stageTimes(arrived: number, reached: readonly number[], ended: number): StageTimes {
  const [identified, parsed, planned, admitted] = reached;
  return {
    arrived,
    ...(identified !== undefined && { identified }),
    ...(parsed !== undefined && { parsed }),
    ...(planned !== undefined && { planned }),
    ...(admitted !== undefined && { admitted }),
    ended,
  };
}

/** A request of nobody that is known. */
export function finishedUnidentified(
  { id, client }: Received,
  outcome: ExchangeOutcome,
  times: StageTimes,
): FinishedUnidentified {
  const status = outcome.kind === "refused" ? outcome.problem.status : 500;
  return { identified: false, id, format: client.name, status, times, ...refusedWith(outcome) };
}

/** A request of a known key. */
export function finishedIdentified(
  stage: Identified | Parsed | Planned,
  outcome: ExchangeOutcome,
  { record, times }: { record: RequestRecord; times: StageTimes },
): FinishedIdentified {
  const { id, client, holder } = stage;
  const { workspace } = holder;
  const { status } = record;
  const known = { identified: true, id, workspace, record, format: client.name } as const;
  return { ...known, status, times, ...refusedWith(outcome), ...namesOf(stage) };
}

/** Which names of models may be told: before the plan nothing is known of any. */
function namesOf(
  stage: Identified | Parsed | Planned,
): Pick<FinishedIdentified, "namesModel" | "requestedModel"> {
  if (!("plan" in stage)) return { namesModel: () => false };
  const { plan, request } = stage;
  const requestedModel = ownNameOf(request.description.model, plan);
  return {
    namesModel: (id) => isModelNamed(id, plan),
    ...(requestedModel !== undefined && { requestedModel }),
  };
}

function refusedWith(outcome: ExchangeOutcome): { refusedWith?: ProblemCode } {
  return outcome.kind === "refused" ? { refusedWith: outcome.problem.marker } : {};
}
