/** Somebody signed in by the identity provider: who they are here, what they belong to from now on, or why they may not enter. */
import { strongestRole } from "../../store/roles.ts";
import { changeOf, type MembershipChange, takeGroups } from "./group-changes.ts";
import { rolesByGroups } from "./tables/group-roles.ts";
import {
  findInvitation,
  type InvitationFault,
  type InvitationRecord,
  invitationsFor,
  useInvitation,
} from "./tables/invitations.ts";
import { useLogin } from "./tables/logins.ts";
import { type MembershipStep, stepBetween } from "./membership-step.ts";
import {
  countMembers,
  memberRolesOf,
  membershipsOf,
  roleOf,
  writeRoles,
} from "./tables/memberships.ts";
import type { Person } from "./tables/scope.ts";
import { openPersonSession } from "./tables/sessions.ts";
import { findUser, type Identity, personOf, saveUser } from "./tables/users.ts";
import { findWorkspace, insertWorkspace } from "./tables/workspaces.ts";

/** Who arrived, and what holds for them. */
export interface Arrival {
  identity: Identity;
  /** Whether whoever belongs to no workspace gets one, or has to be invited. */
  signUp: "open" | "invited";
  /** Whether they run the deployment, and may enter in any case. */
  operator: boolean;
  /** Hash of the text of the invitation's link by which they came. */
  invitation: string | null;
  /** Hash of the state of their sign-in, which opens one session. */
  login: string;
  /** The id that a workspace of their own would have, and the name of its plan; null: none. */
  ownWorkspace: string;
  ownPlan: string | null;
  session: {
    /** Hash of the session's id. */
    id: string;
    agent: string;
  };
  /** Workspaces whose objects know already that they come or go, or what plan they have. */
  prepared: string[];
}

/** When, and how many people the plan of that name allows; null: any number. */
export interface ArrivalTerms {
  now: number;
  mostMembers: (plan: string | null) => number | null;
}

/**
 * What the objects of workspaces do before memberships change, so that a crash in between leaves nobody with keys who
 * left, and nobody locked out who came: they revoke the keys of those who go, and welcome those who come.
 */
export interface Preparation {
  person: string;
  revoke: string[];
  welcome: string[];
  /** Whether a workspace of their own will be made: its object is told its plan, so that none is without bounds. */
  needsWorkspace: boolean;
}

/**
 * How an arrival ended. `prepare`: nothing changed yet; the same arrival is tried again when that is done. `nobody`: the
 * deployment has no member yet. `replayed`: the sign-in has opened a session before.
 */
export type ArrivalOutcome =
  | { kind: "entered"; person: Person; changes: MembershipChange[] }
  | ({ kind: "prepare" } & Preparation)
  | { kind: "refused"; reason: InvitationFault | "uninvited" | "nobody" | "replayed" };

/** Decides and writes; to be run in a transaction. */
export function arrive(sql: SqlStorage, arrival: Arrival, terms: ArrivalTerms): ArrivalOutcome {
  const { now } = terms;
  const invitation = invitationOfLink(sql, arrival, terms);
  if (typeof invitation === "string") return { kind: "refused", reason: invitation };
  const preparation = preparationFor(sql, { arrival, invitation, now });
  if (preparation !== undefined) return { kind: "prepare", ...preparation };
  const refusal = invitation === undefined ? refusalOf(sql, arrival, now) : undefined;
  if (refusal !== undefined) return { kind: "refused", reason: refusal };
  if (!useLogin(sql, { hash: arrival.login, session: arrival.session.id }, now))
    return { kind: "refused", reason: "replayed" };
  const user = saveUser(sql, arrival.identity, now);
  const changes = [
    ...takeGroups(sql, { user: user.id, groups: arrival.identity.groups, now }),
    ...takeInvitations(sql, { user: user.id, link: invitation, arrival, terms }),
  ];
  const chosen = invitation?.workspace ?? null;
  openPersonSession(sql, { ...arrival.session, user: user.id, chosen }, now);
  return { kind: "entered", person: personOf(user), changes };
}

/** The invitation of the link by which they came; undefined without one. */
function invitationOfLink(
  sql: SqlStorage,
  { invitation, identity }: Arrival,
  terms: ArrivalTerms,
): InvitationRecord | InvitationFault | undefined {
  if (invitation === null) return undefined;
  const user = findUser(sql, identity)?.id ?? null;
  const { email } = identity;
  const found = findInvitation(sql, { hash: invitation, email, user, now: terms.now });
  if (typeof found === "string") return found;
  return hasRoom(sql, { workspace: found.workspace, user }, terms) ? found : "full";
}

/** Whether they belong to the workspace already, or its plan of today allows one more: it may have had a larger one. */
function hasRoom(
  sql: SqlStorage,
  { workspace, user }: { workspace: string; user: string | null },
  { mostMembers }: ArrivalTerms,
): boolean {
  if (user !== null && roleOf(sql, { workspace, user }) !== undefined) return true;
  const most = mostMembers(findWorkspace(sql, workspace)?.plan ?? null);
  return most === null || countMembers(sql, workspace) < most;
}

/** An arrival with the invitation of its link. */
interface Coming {
  readonly arrival: Arrival;
  readonly invitation: InvitationRecord | undefined;
  readonly now: number;
}

/** What is still to be done before the arrival; somebody new was never known to any workspace. */
function preparationFor(sql: SqlStorage, coming: Coming): Preparation | undefined {
  const { identity, prepared } = coming.arrival;
  const user = findUser(sql, identity);
  const needsWorkspace = needsOwnWorkspace(sql, { ...coming, user });
  if (user === undefined)
    return needsWorkspace ? { person: "", revoke: [], welcome: [], needsWorkspace } : undefined;
  const invited = openInvitations(sql, coming);
  const steps = stepsFor(sql, { user: user.id, groups: identity.groups, invited });
  const places = (wanted: MembershipStep): string[] =>
    [...steps.keys()].filter((id) => steps.get(id) === wanted && !prepared.includes(id));
  const [revoke, welcome] = [places("revoke"), places("welcome")];
  return revoke.length + welcome.length === 0 && !needsWorkspace
    ? undefined
    : { person: user.id, revoke, welcome, needsWorkspace };
}

/** Those that they have not used: by the link they came with, and to their address. */
function openInvitations(
  sql: SqlStorage,
  { arrival: { identity }, invitation, now }: Coming,
): InvitationRecord[] {
  return [
    ...invitationsFor(sql, identity.email, now),
    ...(invitation !== undefined && !isUsed(sql, invitation.id) ? [invitation] : []),
  ];
}

/** By workspace: what groups and invitations make of the user's place there. */
function stepsFor(
  sql: SqlStorage,
  {
    user,
    groups,
    invited,
  }: { user: string; groups: readonly string[]; invited: readonly InvitationRecord[] },
): Map<string, MembershipStep | undefined> {
  const granted = rolesByGroups(sql, groups);
  const places = new Set([
    ...membershipsOf(sql, user).map(({ workspace }) => workspace),
    ...granted.keys(),
    ...invited.map(({ workspace }) => workspace),
  ]);
  return new Map(
    [...places].map((workspace) => {
      const member = { workspace, user };
      const roles = invited.filter((one) => one.workspace === workspace).map(({ role }) => role);
      const own = memberRolesOf(sql, member)?.own;
      const after = strongestRole([own, granted.get(workspace), ...roles]);
      return [workspace, stepBetween(roleOf(sql, member), after)];
    }),
  );
}

/** What happened since somebody used it stands, though they open its link again. */
function isUsed(sql: SqlStorage, id: string): boolean {
  const [row] = sql.exec("SELECT user FROM invitations WHERE id = ?", id).toArray();
  return row !== undefined && row["user"] !== null;
}

/** Whether they get a workspace of their own whose object does not know its plan yet. */
function needsOwnWorkspace(
  sql: SqlStorage,
  { arrival, invitation, user }: Coming & { readonly user: { readonly id: string } | undefined },
): boolean {
  const { identity, signUp, prepared, ownWorkspace } = arrival;
  if (signUp !== "open" || invitation !== undefined || prepared.includes(ownWorkspace))
    return false;
  if (rolesByGroups(sql, identity.groups).size > 0) return false;
  return user === undefined || membershipsOf(sql, user.id).length === 0;
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

interface Invited {
  user: string;
  /** By whose link they came. */
  link: InvitationRecord | undefined;
  arrival: Arrival;
  terms: ArrivalTerms;
}

/**
 * Where sign-up is open, an invitation that somebody merely addressed to them does not spare them a workspace of their
 * own: strangers could otherwise make theirs the first that a new user sees. An invitation to a full workspace stays open.
 */
function takeInvitations(
  sql: SqlStorage,
  { user, link, arrival, terms }: Invited,
): MembershipChange[] {
  const { now } = terms;
  const changes = link === undefined ? [] : accept(sql, { user, invitation: link, now });
  const isToldPlan = arrival.prepared.includes(arrival.ownWorkspace);
  if (arrival.signUp === "open" && isToldPlan && membershipsOf(sql, user).length === 0)
    changes.push(makeOwnWorkspace(sql, { user, arrival, now }));
  for (const invitation of invitationsFor(sql, arrival.identity.email, now))
    if (hasRoom(sql, { workspace: invitation.workspace, user }, terms))
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
  if (isUsed(sql, id)) return [];
  useInvitation(sql, id, user);
  const own = strongestRole([roles.own, role]);
  writeRoles(sql, member, { ...roles, ...(own && { own }), now });
  return changeOf({ workspace, before, after: roleOf(sql, member), by: "invitation" });
}

/** A workspace of their own, called after them. */
function makeOwnWorkspace(
  sql: SqlStorage,
  { user, arrival, now }: Pick<Invited, "user" | "arrival"> & { now: number },
): MembershipChange {
  const { ownWorkspace: id, ownPlan: plan, identity } = arrival;
  const name = `${identity.name === "" ? identity.email : identity.name}'s workspace`.slice(0, 200);
  const created_at = new Date(now).toISOString();
  insertWorkspace(
    sql,
    { id, name, monthly_requests: null, plan, plan_change: 0, created_at },
    null,
  );
  // Before any that an invitation leads to in the same moment.
  writeRoles(sql, { workspace: id, user }, { own: "owner", now: now - 1 });
  return { workspace: id, after: "owner", by: "sign-up" };
}
