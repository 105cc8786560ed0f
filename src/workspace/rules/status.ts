/** The workspace at this moment, for those who look at it. */
import type { WorkspaceStatus } from "../contract/reports.ts";
import { rateOf, windowOf } from "./admission.ts";
import { coolingNow } from "./cooldown.ts";
import { spentIn } from "./spend.ts";
import { wholeWorkspace } from "./nodes.ts";
import type { WorkspaceState } from "./state.ts";
import { slide } from "./window.ts";

/** Everything but the log's number. */
export function statusOf(state: WorkspaceState, now: number): Omit<WorkspaceStatus, "seq"> {
  const at = { harness: wholeWorkspace, period: "month", now } as const;
  const { requests } = spentIn(state.spend, state.calendar, at);
  const inFlight = state.leases.byId.size;
  return {
    generation: state.snapshot.generation,
    inFlight,
    rate: wholeRate(state, now),
    monthly: { limit: state.monthlyRequests, used: requests + inFlight },
    cooling: coolingNow(state.cooling, now),
  };
}

/** Null where each key holder has a window of its own. */
function wholeRate(state: WorkspaceState, now: number): WorkspaceStatus["rate"] {
  if (state.limits.window?.scope !== "workspace") return null;
  const window = windowOf(state, wholeWorkspace);
  if (window !== undefined) slide(window, now);
  return rateOf(window, now);
}
