/** How much of a limit of money is used: what clients show to the person who spends it. */

/** A limit of cost with what is used of it. */
export interface SpendState {
  readonly period: "hour" | "day" | "week" | "month";
  /** USD. */
  readonly used: number;
  /** USD; 0: nothing may be spent. */
  readonly limit: number;
  /** When the period ends, ISO 8601 UTC. */
  readonly resets_at: string;
}

/** The used share; 1 and more: used up. */
export function usedShare({ used, limit }: Pick<SpendState, "used" | "limit">): number {
  return limit > 0 ? used / limit : 1;
}

/** The one of which the largest share is used. */
export function fullest(states: readonly SpendState[]): SpendState | undefined {
  return states.reduce<SpendState | undefined>(
    (most, each) => (most === undefined || usedShare(each) > usedShare(most) ? each : most),
    undefined,
  );
}
