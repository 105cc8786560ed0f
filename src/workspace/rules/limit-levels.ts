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

/** The highest level that is reached; undefined: none. A limit of 0 is reached when it first refuses, and is never near. */
export function levelOf({ used, max, refused = false }: UsedOfLimit): LimitLevel | undefined {
  if (refused || (used > 0 && used >= max)) return "reached";
  return used > 0 && used >= nearPart * max ? "near" : undefined;
}
