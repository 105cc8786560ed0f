/** Joining and leaving, across the directory and the workspaces' objects, in the order that a crash cannot harm. */
import { Problem, problemCodes } from "../../../core/problem.ts";
import type { Config } from "../../../store/config.ts";
import type { Env } from "../../../store/env.ts";
import type { MemberRole } from "../../../store/roles.ts";
import type { MembershipChange } from "../../../workspace/accounts/group-changes.ts";
import type { GroupRoles } from "../../../workspace/accounts/tables/group-roles.ts";
import { mayHaveKeys, stepBetween } from "../../../workspace/accounts/membership-step.ts";
import type { MemberName, MemberRefusal } from "../../../workspace/accounts/tables/memberships.ts";
import type { Actor, AuditEvent } from "../../../workspace/contract/audit.ts";
import { askDirectory } from "../credentials/access.ts";
import { tellAudit } from "../audit.ts";
import { notFound } from "../errors.ts";
import { type AdminScope, askWorkspace } from "../scope.ts";

/** How often a change is made anew when others change the same at the same time. */
export const mostMembershipTries = 5;

/** The workspace's object revokes the person's keys at once, and makes none for them until they are welcome again. */
export async function revokePerson(
  env: Env,
  { workspace, user }: MemberName,
  by: Actor,
): Promise<void> {
  await askWorkspace({ env, workspace }, (stub) => stub.revokePerson(user, by));
}

/** The workspace's object makes keys for the person from now on. */
export async function welcomePerson(
  env: Env,
  { workspace, user }: MemberName,
  by: Actor,
): Promise<void> {
  await askWorkspace({ env, workspace }, (stub) => stub.welcomePerson(user, by));
}

/** The person leaves the workspace; 404 when they are no member, 409 when nobody else owns it. */
export async function leaveWorkspace(scope: AdminScope, user: string): Promise<void> {
  const { env, workspace } = scope;
  const by = scope.caller.actor;
  const member = { workspace, user };
  const [before] = await askDirectory(env, (directory) => directory.members(workspace, user));
  const refusal = await askDirectory(env, (directory) => directory.beginLeaving(member));
  if (refusal !== undefined) throw memberProblem(refusal, user);
  await revokePerson(env, member, by);
  await askDirectory(env, (directory) => directory.endMembership(member));
  // Once more: until now a sign-in could welcome them, and they could make a key.
  await revokePerson(env, member, by);
  await tellAudit(scope, {
    actor: by,
    action: "member.left",
    target: user,
    ...(before && { before: { email: before.email, role: before.role } }),
  });
}

/**
 * Gives a member another role; what they were before. 404 when they are no member, 409 when nobody else owns the
 * workspace or groups give more. Who becomes a viewer loses their keys, in the order of leaving.
 */
export async function giveRole(
  scope: AdminScope,
  user: string,
  role: MemberRole,
): Promise<MemberRole> {
  const { env, workspace } = scope;
  const member = { workspace, user };
  const by = scope.caller.actor;
  const [known] = await askDirectory(env, (directory) => directory.members(workspace, user));
  const step = known && stepBetween(known.role, role);
  if (step === "revoke") {
    if (mayHaveKeys(known?.grouped)) throw memberProblem("groups", user);
    const refusal = await askDirectory(env, (directory) => directory.beginLeaving(member));
    if (refusal !== undefined) throw memberProblem(refusal, user);
    await revokePerson(env, member, by);
  }
  if (step === "welcome") await welcomePerson(env, member, by);
  const outcome = await askDirectory(env, (directory) => directory.changeRole(member, role));
  if ("refused" in outcome) throw memberProblem(outcome.refused, user);
  // Once more: until now they could be welcomed again.
  if (step === "revoke") await revokePerson(env, member, by);
  return outcome.before;
}

/** The refusal as callers of the admin API get it. */
export function memberProblem(refusal: MemberRefusal, user: string): Problem {
  switch (refusal) {
    case "unknown":
      return notFound(`There is no member ${JSON.stringify(user)}`);
    case "last-owner":
      return conflict("This workspace has no other owner: make somebody else an owner first.");
    case "groups":
      return conflict(
        "The person's groups give them a stronger role: change the groups of the document or of the identity provider.",
      );
    default:
      return refusal satisfies never;
  }
}

/** 409 for what contradicts the present state. */
export function conflict(message: string): Problem {
  return new Problem(problemCodes.invalidRequest, message, { status: 409, code: "conflict" });
}

/** A document took the place of another: what it says of groups is in force from now on. */
export async function groupsSaved(
  scope: AdminScope,
  { groups: before }: Pick<Config, "groups">,
  { groups: after }: Pick<Config, "groups">,
): Promise<void> {
  // Written again where nothing changed: the save before may have ended in between.
  if (before !== undefined || after !== undefined) await saveGroupRoles(scope, after ?? {});
}

/** Everybody who is in one of the groups gets the role that it gives. */
async function saveGroupRoles(
  { env, workspace, caller }: AdminScope,
  roles: GroupRoles,
): Promise<void> {
  const by = caller.actor;
  const prepared: string[] = [];
  for (let tries = 0; tries < mostMembershipTries; tries += 1) {
    const change = { workspace, roles, prepared };
    const outcome = await askDirectory(env, (directory) => directory.changeGroupRoles(change));
    for (const { user, ...changed } of outcome.changes)
      await tellAudit({ env, workspace }, membershipEvent({ user, changed, actor: by }));
    for (const user of outcome.revoke) await revokePerson(env, { workspace, user }, by);
    for (const user of outcome.welcome) await welcomePerson(env, { workspace, user }, by);
    const waiting = [...outcome.revoke, ...outcome.welcome];
    if (waiting.length === 0) return;
    prepared.push(...waiting);
  }
  throw conflict("Members are being changed by somebody else. Save again.");
}

/** What the audit log says of it. */
export function membershipEvent({
  user,
  email,
  changed: { before, after, by },
  actor,
}: {
  user: string;
  email?: string;
  changed: MembershipChange;
  actor: Actor;
}): AuditEvent {
  const action =
    before === undefined ? "member.joined" : after === undefined ? "member.left" : "member.changed";
  return {
    actor,
    action,
    target: user,
    ...(before && { before: { role: before } }),
    ...(after && { after: { role: after, by, ...(email !== undefined && { email }) } }),
  };
}
