/** How far a limit is used: which of its two events it has come to. */

/** Part of a limit from which on it is nearly used up. */
const nearPart = 0.8;

/** The two events of a limit or quota, as its part of their names. */
export type LimitLevel = "near" | "reached";

/** What a limit or quota has used, in its own unit; nothing that is only set aside. */
export interface UsedOfLimit {
  readonly used: number;
  readonly max: number;
  /** It refused a request that nothing under way stood against. */
  readonly refused?: boolean;
}

const nothing: readonly LimitLevel[] = [];

/** The levels that are reached, lower first. A limit of 0 is reached when it first refuses, and is never near. */
export function levelsOf({ used, max, refused = false }: UsedOfLimit): readonly LimitLevel[] {
  const isNear = used > 0 && used >= nearPart * max;
  if (!isNear && !refused) return nothing;
  const levels: LimitLevel[] = [];
  if (isNear && max > 0) levels.push("near");
  if (refused || used >= max) levels.push("reached");
  return levels;
}
