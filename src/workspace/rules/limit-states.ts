/** The limits that apply to a request, each with what is used and set aside. */
import type { LimitEntry } from "../../store/config.ts";
import type { LimitState } from "./budget.ts";
import { reservedBy } from "./lease.ts";
import { nodeSpent } from "./sums/node-sums.ts";
import { hasOwnSums, keyNode, personNode, type SpendPath, wholeWorkspace } from "./nodes.ts";
import type { PeriodName } from "./sums/period.ts";
import { type Running, spentIn } from "./sums/spend.ts";
import { personLimitsOf, type WorkspaceState } from "./state.ts";

/** The limits of every node on the path, from the workspace down. */
export function limitStates(state: WorkspaceState, path: SpendPath, now: number): LimitState[] {
  const { harness, key, person } = path;
  const found: LimitState[] = [];
  const add = (name: string, limits: readonly LimitEntry[] | undefined): void => {
    if (limits !== undefined && limits.length > 0)
      found.push(...nodeLimitStates(state, { name, limits }, now));
  };
  add(wholeWorkspace, state.snapshot.config.limits);
  add(harness, state.harnesses.get(harness)?.limits);
  if (key !== undefined) add(keyNode(key), state.keysById.get(key)?.limits);
  if (person !== undefined) add(personNode(person), personLimitsOf(state, person));
  return found;
}

/** One node's limits, each in its own unit. */
export function nodeLimitStates(
  state: WorkspaceState,
  { name, limits }: { name: string; limits: readonly LimitEntry[] },
  now: number,
): LimitState[] {
  const reserved = reservedBy(state.leases, name);
  return limits.map((entry) => {
    const running = spentBy(state, { name, period: entry.period, now });
    const { end } = state.calendar.span(entry.period, now);
    return {
      entry,
      name,
      start: running.start,
      end,
      spent: running[entry.metric],
      reserved: reserved[entry.metric],
    };
  });
}

function spentBy(
  { spend, nodes, calendar }: WorkspaceState,
  { name, period, now }: { name: string; period: PeriodName; now: number },
): Running {
  if (hasOwnSums(name)) return nodeSpent(nodes, name, { period, calendar, now });
  return spentIn(spend, calendar, { harness: name, period, now });
}
