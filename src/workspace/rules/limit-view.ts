/** Limits as people look at them: how much is used, how much is under way, when it starts anew. */
import type { LimitView } from "../contract/reports.ts";
import { limitStates } from "./admission.ts";
import { toDollars } from "./cost.ts";
import type { WorkspaceState } from "./state.ts";

/** Every limit of every harness. */
export function limitViews(state: WorkspaceState, now: number): LimitView[] {
  return [...state.harnesses.keys()].flatMap((harness) =>
    limitStates(state, harness, now).map(({ entry, spent, reserved }) => ({
      ...entry,
      harness,
      used: entry.metric === "cost" ? toDollars(spent) : spent,
      reserved: entry.metric === "cost" ? toDollars(reserved) : reserved,
      resets_at: new Date(state.calendar.span(entry.period, now).end).toISOString(),
    })),
  );
}
