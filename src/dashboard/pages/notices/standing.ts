/** Which events still hold: the banners on the overview. */
import type { WorkspaceEvent } from "../../../workspace/contract/events.ts";
import type { LimitUse } from "../../../admin/routes/usage/limits.ts";

/** How things are now. */
export interface PresentState {
  /** Epoch ms. */
  readonly now: number;
  readonly limits: readonly Pick<LimitUse, "node" | "id" | "metric" | "period" | "max" | "used">[];
  readonly quota: { readonly limit: number | null; readonly used: number };
  /** Ids of the providers that are down: one that was removed and made anew is not. */
  readonly down: readonly string[];
  /** Those of them whose other models answer: it may have changed since the event. */
  readonly downInPart: readonly string[];
}

const mostBanners = 3;

/**
 * The newest events whose condition holds, one of each: a limit or quota that is used up in the period that runs, a
 * provider that is down. `events` are the newest ones, newest first.
 */
export function standingEvents(
  events: readonly WorkspaceEvent[],
  standing: PresentState,
): WorkspaceEvent[] {
  const met = new Set<string>();
  const newest = events.filter((event) => {
    const subject = subjectOf(event);
    if (subject === undefined || met.has(subject)) return false;
    met.add(subject);
    return true;
  });
  return newest
    .filter((event) => holds(event, standing))
    .slice(0, mostBanners)
    .map((event) => asItIs(event, standing));
}

/** A provider that was down, and of which other models have answered since. */
function asItIs(event: WorkspaceEvent, { downInPart }: PresentState): WorkspaceEvent {
  const { type, data } = event;
  const inPart = type === "provider.down" && downInPart.some((id) => id === data["provider"]);
  return inPart ? { ...event, data: { ...data, others_answer: true } } : event;
}

/** Whether one of them may still hold: where none does, nobody has to ask how things are. */
export function mayStand({ type }: WorkspaceEvent): boolean {
  return type === "limit.reached" || type === "quota.reached" || type === "provider.down";
}

/** Events of one subject follow each other: the newest says how it is. */
function subjectOf({ type, data }: WorkspaceEvent): string | undefined {
  switch (type) {
    case "limit.reached":
      return JSON.stringify(["limit", data["node"], data["id"], data["metric"], data["period"]]);
    case "quota.reached":
      return "quota";
    case "provider.down":
    case "provider.up":
      return JSON.stringify(["provider", data["provider"]]);
    default:
      return undefined;
  }
}

function holds({ type, data }: WorkspaceEvent, { now, limits, quota, down }: PresentState) {
  const runs = Date.parse(String(data["resets_at"])) > now;
  switch (type) {
    case "limit.reached":
      // A limit may refuse before all of it is spent: it stands until it is raised.
      return (
        runs &&
        limits.some(
          (limit) =>
            (limit.used >= limit.max || limit.max <= Number(data["max"])) &&
            (["node", "id", "metric", "period"] as const).every(
              (name) => limit[name] === data[name],
            ),
        )
      );
    case "quota.reached":
      return runs && quota.limit !== null && quota.used >= quota.limit;
    case "provider.down":
      return down.some((id) => id === data["provider"]);
    default:
      return false;
  }
}
