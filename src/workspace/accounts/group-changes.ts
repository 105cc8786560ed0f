/** How the identity provider's groups change memberships, at a sign-in and when a document changes. */
import { type MemberRole, strongestRole } from "../../store/roles.ts";
import { type GroupRoles, rolesByGroups, writeGroupRoles } from "./tables/group-roles.ts";
import { type MembershipStep, stepBetween } from "./membership-step.ts";
import {
  endMembership,
  type MemberName,
  memberRolesOf,
  membershipsOf,
  roleOf,
  writeRoles,
} from "./tables/memberships.ts";
import { usersWithGroups } from "./tables/users.ts";

/** What became of somebody's place in a workspace. */
export interface MembershipChange {
  workspace: string;
  /** Missing: they were none before. */
  before?: MemberRole;
  /** Missing: they are none any more. */
  after?: MemberRole;
  by: "sign-up" | "invitation" | "groups";
}

interface GroupsTaken {
  user: string;
  groups: readonly string[];
  /** The one workspace that is meant; missing: all. */
  only?: string;
  now: number;
}

/** Gives the user what their groups give, and takes what they gave before. */
export function takeGroups(
  sql: SqlStorage,
  { user, groups, only, now }: GroupsTaken,
): MembershipChange[] {
  const granted = rolesByGroups(sql, groups);
  const places = new Set([
    ...membershipsOf(sql, user).map(({ workspace }) => workspace),
    ...granted.keys(),
  ]);
  const meant = [...places].filter((workspace) => only === undefined || workspace === only);
  return meant.flatMap((workspace) => {
    const member = { workspace, user };
    const { own } = memberRolesOf(sql, member) ?? {};
    const before = roleOf(sql, member);
    const grouped = granted.get(workspace);
    const after = strongestRole([own, grouped]);
    if (after === undefined) endMembership(sql, member);
    else writeRoles(sql, member, { ...(own && { own }), ...(grouped && { grouped }), now });
    return changeOf({ workspace, before, after, by: "groups" });
  });
}

/** What a workspace's document says of groups now. */
export interface GroupRolesChange {
  workspace: string;
  roles: GroupRoles;
  /** Users of whom the workspace's object knows already that they come or go. */
  prepared: string[];
}

/** What it came to. Users to be prepared have not changed yet: the same change is made again when that is done. */
export interface GroupRolesOutcome {
  changes: (MembershipChange & { user: string })[];
  revoke: string[];
  welcome: string[];
}

/** Everybody who is in a group gets what it gives from now on, without a new sign-in; to be run in a transaction. */
export function changeGroupRoles(
  sql: SqlStorage,
  { workspace, roles, prepared }: GroupRolesChange,
  now: number,
): GroupRolesOutcome {
  writeGroupRoles(sql, workspace, roles);
  const outcome: GroupRolesOutcome = { changes: [], revoke: [], welcome: [] };
  for (const { id: user, groups } of usersWithGroups(sql)) {
    const step = stepOf(sql, { workspace, user }, groups);
    if (step === undefined) continue;
    if (step === "change" || prepared.includes(user))
      for (const change of takeGroups(sql, { user, groups, only: workspace, now }))
        outcome.changes.push({ ...change, user });
    else outcome[step].push(user);
  }
  return outcome;
}

/** What these groups make of the user's place in the workspace; undefined: nothing, they are and stay outside. */
function stepOf(
  sql: SqlStorage,
  member: MemberName,
  groups: readonly string[],
): MembershipStep | undefined {
  const grouped = rolesByGroups(sql, groups).get(member.workspace);
  const after = strongestRole([memberRolesOf(sql, member)?.own, grouped]);
  return stepBetween(roleOf(sql, member), after);
}

/** Nothing, where the role that counts is the same. */
export function changeOf({
  workspace,
  before,
  after,
  by,
}: Pick<MembershipChange, "workspace" | "by"> & {
  before: MemberRole | undefined;
  after: MemberRole | undefined;
}): MembershipChange[] {
  if (before === after) return [];
  const roles = { ...(before && { before }), ...(after && { after }) };
  return [{ workspace, by, ...roles }];
}
