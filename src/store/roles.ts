/** Who may do what in a workspace. */

/** What a person may do in a workspace, least first: read; use keys of their own; change everything. */
export const memberRoles = ["viewer", "member", "owner"] as const;
/** One of them. */
export type MemberRole = (typeof memberRoles)[number];

/** As what somebody acts: the deployment's administrator, one who runs it without reading texts, or by a member's role. */
export type Role = "root" | "operator" | MemberRole;

/** Whether the role reaches what members of the role `needed` may do. An operator belongs to no workspace. */
export function reaches(role: Role, needed: MemberRole): boolean {
  if (role === "root") return true;
  if (role === "operator") return false;
  return memberRoles.indexOf(role) >= memberRoles.indexOf(needed);
}
