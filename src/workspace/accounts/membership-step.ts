/** What the workspace's object does before somebody's role becomes another: it revokes the keys of who may have none. */
import { type MemberRole, mayDo } from "../../store/roles.ts";

/** `change`: the directory alone changes something, or nothing changes. */
export type MembershipStep = "welcome" | "revoke" | "change";

/** A missing role is that of somebody outside; undefined where they are and stay there. */
export function stepBetween(
  before: MemberRole | undefined,
  after: MemberRole | undefined,
): MembershipStep | undefined {
  if (before === undefined && after === undefined) return undefined;
  if (after === undefined) return "revoke";
  if (mayHaveKeys(before) === mayHaveKeys(after)) return "change";
  return mayHaveKeys(after) ? "welcome" : "revoke";
}

/** Whether the role may have keys of its own. */
export function mayHaveKeys(role: MemberRole | undefined): boolean {
  return role !== undefined && mayDo(role, "write-own");
}
