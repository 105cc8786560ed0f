/** Somebody signed in by the identity provider: who they are here, what they belong to from now on, or why they may not enter. */
import { type MemberRole, strongestRole } from "../../store/roles.ts";
import { type GroupRoles, rolesByGroups, writeGroupRoles } from "./group-roles.ts";
import {
  findInvitation,
  type InvitationFault,
  type InvitationRecord,
  invitationsFor,
  useInvitation,
} from "./invitations.ts";
import { endMembership, memberRolesOf, membershipsOf, roleOf, writeRoles } from "./memberships.ts";
import type { Person } from "./scope.ts";
import { openPersonSession } from "./sessions.ts";
import { findUser, type Identity, personOf, saveUser, usersWithGroups } from "./users.ts";
import { insertWorkspace } from "./workspaces.ts";

/** Who arrived, and what holds for them. */
export interface Arrival {
  identity: Identity;
  /** Whether whoever belongs to no workspace gets one, or has to be invited. */
  signUp: "open" | "invited";
  /** Whether they run the deployment, and may enter in any case. */
  operator: boolean;
  /** Hash of the text of the invitation's link by which they came. */
  invitation: string | null;
  /** The id that a workspace of their own would have. */
  ownWorkspace: string;
  session: {
    /** Hash of the session's id. */
    id: string;
    agent: string;
  };
  /** Workspaces whose objects have revoked their keys already, because their groups do not lead there any more. */
  revoked: string[];
}

/** What became of somebody's place in a workspace. */
export interface MembershipChange {
  workspace: string;
  /** Missing: they were none before. */
  before?: MemberRole;
  /** Missing: they are none any more. */
  after?: MemberRole;
  by: "sign-up" | "invitation" | "groups";
}

/**
 * How an arrival ended. `revoke`: their groups do not lead to these workspaces any more; the workspaces' objects revoke
 * their keys, then the same arrival is tried again. `nobody`: the deployment has no member yet.
 */
export type ArrivalOutcome =
  | { kind: "entered"; person: Person; changes: MembershipChange[] }
  | { kind: "revoke"; person: string; workspaces: string[] }
  | { kind: "refused"; reason: InvitationFault | "uninvited" | "nobody" };

/** Decides and writes; to be run in a transaction. */
export function arrive(sql: SqlStorage, arrival: Arrival, now: number): ArrivalOutcome {
  const invitation = invitationOfLink(sql, arrival, now);
  if (typeof invitation === "string") return { kind: "refused", reason: invitation };
  const lost = lostByGroups(sql, arrival);
  if (lost !== undefined) return lost;
  const refusal = invitation === undefined ? refusalOf(sql, arrival, now) : undefined;
  if (refusal !== undefined) return { kind: "refused", reason: refusal };
  const user = saveUser(sql, arrival.identity, now);
  const changes = [
    ...takeGroups(sql, { user: user.id, groups: arrival.identity.groups, now }),
    ...takeInvitations(sql, { user: user.id, link: invitation, arrival, now }),
  ];
  const chosen = invitation?.workspace ?? null;
  openPersonSession(sql, { ...arrival.session, user: user.id, chosen }, now);
  return { kind: "entered", person: personOf(user), changes };
}

/** The invitation of the link by which they came; undefined without one. */
function invitationOfLink(
  sql: SqlStorage,
  { invitation, identity }: Arrival,
  now: number,
): InvitationRecord | InvitationFault | undefined {
  if (invitation === null) return undefined;
  const user = findUser(sql, identity)?.id ?? null;
  return findInvitation(sql, { hash: invitation, email: identity.email, user, now });
}

/** Workspaces that they would leave, whose keys are still good. */
function lostByGroups(
  sql: SqlStorage,
  { identity, revoked }: Arrival,
): Extract<ArrivalOutcome, { kind: "revoke" }> | undefined {
  const user = findUser(sql, identity);
  if (user === undefined) return undefined;
  const workspaces = lostWorkspaces(sql, user.id, identity.groups).filter(
    (workspace) => !revoked.includes(workspace),
  );
  return workspaces.length === 0 ? undefined : { kind: "revoke", person: user.id, workspaces };
}

/** Workspaces to which only groups brought the user, and these do not. */
export function lostWorkspaces(sql: SqlStorage, user: string, groups: readonly string[]): string[] {
  const granted = rolesByGroups(sql, groups);
  return membershipsOf(sql, user)
    .map(({ workspace }) => workspace)
    .filter(
      (workspace) =>
        !granted.has(workspace) && memberRolesOf(sql, { workspace, user })?.own === undefined,
    );
}

/** Why whoever has no invitation's link may not enter. */
function refusalOf(
  sql: SqlStorage,
  { identity, signUp, operator }: Arrival,
  now: number,
): "uninvited" | "nobody" | undefined {
  if (signUp === "open" || operator) return undefined;
  if (findUser(sql, identity) !== undefined) return undefined;
  if (invitationsFor(sql, identity.email, now).length > 0) return undefined;
  if (rolesByGroups(sql, identity.groups).size > 0) return undefined;
  const [anybody] = sql.exec("SELECT 1 FROM memberships LIMIT 1").toArray();
  return anybody === undefined ? "nobody" : "uninvited";
}

/** Gives the user what their groups give, and takes what they gave before. */
export function takeGroups(
  sql: SqlStorage,
  { user, groups, now }: { user: string; groups: readonly string[]; now: number },
): MembershipChange[] {
  const granted = rolesByGroups(sql, groups);
  const places = new Set([
    ...membershipsOf(sql, user).map(({ workspace }) => workspace),
    ...granted.keys(),
  ]);
  return [...places].flatMap((workspace) => {
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
  /** Users whose keys the workspace's object has revoked already. */
  revoked: string[];
}

/**
 * What it came to. `revoke`: users whose groups do not lead here any more; the workspace's object revokes their keys,
 * then the same change is made again.
 */
export interface GroupRolesOutcome {
  changes: (MembershipChange & { user: string })[];
  revoke: string[];
}

/** Everybody who is in a group gets what it gives from now on, without a new sign-in; to be run in a transaction. */
export function changeGroupRoles(
  sql: SqlStorage,
  { workspace, roles, revoked }: GroupRolesChange,
  now: number,
): GroupRolesOutcome {
  writeGroupRoles(sql, workspace, roles);
  const outcome: GroupRolesOutcome = { changes: [], revoke: [] };
  for (const { id: user, groups } of usersWithGroups(sql)) {
    const lost = lostWorkspaces(sql, user, groups).includes(workspace);
    if (lost && !revoked.includes(user)) outcome.revoke.push(user);
    else
      for (const change of takeGroups(sql, { user, groups, now }))
        outcome.changes.push({ ...change, user });
  }
  return outcome;
}

interface Invited {
  user: string;
  /** By whose link they came. */
  link: InvitationRecord | undefined;
  arrival: Arrival;
  now: number;
}

/**
 * Where sign-up is open, an invitation that somebody merely addressed to them does not spare them a workspace of their
 * own: strangers could otherwise make theirs the first that a new user sees.
 */
function takeInvitations(
  sql: SqlStorage,
  { user, link, arrival, now }: Invited,
): MembershipChange[] {
  const changes = link === undefined ? [] : accept(sql, { user, invitation: link, now });
  if (arrival.signUp === "open" && membershipsOf(sql, user).length === 0)
    changes.push(foundWorkspace(sql, { user, arrival, now }));
  for (const invitation of invitationsFor(sql, arrival.identity.email, now))
    changes.push(...accept(sql, { user, invitation, now }));
  return changes;
}

function accept(
  sql: SqlStorage,
  { user, invitation, now }: { user: string; invitation: InvitationRecord; now: number },
): MembershipChange[] {
  const { id, workspace, role } = invitation;
  const member = { workspace, user };
  const roles = memberRolesOf(sql, member) ?? {};
  const before = roleOf(sql, member);
  const [known] = sql.exec("SELECT user FROM invitations WHERE id = ?", id).toArray();
  // The same link, opened twice by the same person: what happened since then stands.
  if (known?.["user"] === user) return [];
  useInvitation(sql, id, user);
  const own = strongestRole([roles.own, role]);
  writeRoles(sql, member, { ...roles, ...(own && { own }), now });
  return changeOf({ workspace, before, after: roleOf(sql, member), by: "invitation" });
}

/** A workspace of their own, after whose name it is called. */
function foundWorkspace(
  sql: SqlStorage,
  { user, arrival, now }: Pick<Invited, "user" | "arrival" | "now">,
): MembershipChange {
  const { ownWorkspace: id, identity } = arrival;
  const name = `${identity.name === "" ? identity.email : identity.name}'s workspace`.slice(0, 200);
  const record = { id, name, monthly_requests: null, created_at: new Date(now).toISOString() };
  insertWorkspace(sql, record, null);
  // Before any that an invitation leads to in the same moment.
  writeRoles(sql, { workspace: id, user }, { own: "owner", now: now - 1 });
  return { workspace: id, after: "owner", by: "sign-up" };
}

function changeOf({
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
