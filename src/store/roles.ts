/** Who may do what in a workspace. */

/** What a person can be in a workspace. */
export const memberRoles = ["viewer", "member", "owner"] as const;
/** One of them. */
export type MemberRole = (typeof memberRoles)[number];

/** The lesser of two roles. */
export function lesserRole(one: MemberRole, other: MemberRole): MemberRole {
  return memberRoles.indexOf(one) < memberRoles.indexOf(other) ? one : other;
}

/** The strongest of them; undefined where there is none. */
export function strongestRole(roles: readonly (MemberRole | undefined)[]): MemberRole | undefined {
  return memberRoles.findLast((role) => roles.includes(role));
}

/** As what somebody acts: the deployment's administrator, one who runs it without reading texts, or a member of the workspace. */
export type Role = "root" | "operator" | MemberRole;

/**
 * What can be allowed in a workspace: reading everything but secrets; reading what is one's own; having keys of one's
 * own; changing everything.
 */
export type Right = "read" | "read-own" | "write-own" | "write";

const everything: readonly Right[] = ["read", "read-own", "write-own", "write"];

/** An operator belongs to no workspace, and reads none. */
const rights: Readonly<Record<Role, readonly Right[]>> = {
  root: everything,
  operator: [],
  owner: everything,
  member: ["read-own", "write-own"],
  viewer: ["read", "read-own"],
};

/** Whether the role has the right. */
export function mayDo(role: Role, right: Right): boolean {
  return rights[role].includes(right);
}
