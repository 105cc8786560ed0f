/** Members of a workspace: who they are, their roles and limits, and their leaving. */
import * as z from "zod";
import { lowerCaseAscii } from "../../../lib/ascii.ts";
import { type LimitEntry, limitsSchema } from "../../../store/config.ts";
import { oidcOf } from "../../../store/oidc-settings.ts";
import { modeOf } from "../../../store/env.ts";
import { mayDo, memberRoles } from "../../../store/roles.ts";
import type { MemberRecord } from "../../../workspace/accounts/tables/memberships.ts";
import { askDirectory } from "../../shared/credentials/access.ts";
import { tellAudit } from "../../shared/audit.ts";
import { listQuerySchema, listSchema, pageOfList } from "../../shared/list-page.ts";
import { defineRoute } from "../../shared/define-route.ts";
import { forbidden, notFound } from "../../shared/errors.ts";
import { membersAllowed } from "../../shared/membership/members-allowed.ts";
import {
  conflict,
  giveRole,
  leaveWorkspace,
  welcomePerson,
} from "../../shared/membership/memberships.ts";
import { type AdminScope, askNewMethod, askWorkspace } from "../../shared/scope.ts";
import {
  createdInvitationSchema,
  type CreatedInvitation,
  createInvitation,
  newInvitationSchema,
} from "./invitations.ts";

const memberViewSchema = z.strictObject({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  role: z.enum(memberRoles),
  limits: limitsSchema.optional(),
  joined_at: z.string(),
  last_seen_at: z.string(),
});
/** A member as they are shown. */
export type MemberView = z.infer<typeof memberViewSchema>;

const memberChangeSchema = z.strictObject({
  role: z.enum(memberRoles).optional(),
  /** Take the place of those before; an empty list: none. */
  limits: limitsSchema.optional(),
});
/** What may be changed of a member. */
export type MemberChange = z.infer<typeof memberChangeSchema>;

const newMemberSchema = newInvitationSchema.required({ email: true });
type NewMember = z.infer<typeof newMemberSchema>;

const addedMemberSchema = z.strictObject({
  /** Null: they are invited. */
  member: memberViewSchema.nullable(),
  /** Null: they belong to the workspace at once. */
  invitation: createdInvitationSchema.nullable(),
});
type AddedMember = z.infer<typeof addedMemberSchema>;

/** Everybody in the workspace, in the order in which they joined; a member sees themselves alone. */
export async function listMembers(scope: AdminScope): Promise<MemberView[]> {
  const { env, workspace, caller } = scope;
  const only = caller.role === "member" ? (caller.person ?? "") : undefined;
  const [members, limits] = await Promise.all([
    askDirectory(env, (directory) => directory.members(workspace, only)),
    askNewMethod<PersonLimits>(
      scope,
      (stub) => stub.personLimits(),
      async () => ({}),
    ),
  ]);
  return members.map((member) => memberView(member, limits[member.id]));
}

/** By the person's id; only of those who have some. */
type PersonLimits = Readonly<Record<string, readonly LimitEntry[]>>;

function memberView(
  { id, email, name, role, joined, seen }: MemberRecord,
  limits: readonly LimitEntry[] | undefined,
): MemberView {
  return {
    id,
    email,
    name,
    role,
    ...(limits !== undefined && { limits: [...limits] }),
    joined_at: new Date(joined).toISOString(),
    last_seen_at: new Date(seen).toISOString(),
  };
}

/**
 * Adds somebody by their e-mail address. Whom a team's own gateway knows belongs to the workspace at once. Everybody
 * else is invited, and so is everybody in cloud mode: there nobody is told who else has signed in, and nobody is put
 * into the workspace of a stranger.
 */
export async function addMember(
  scope: AdminScope,
  asked: NewMember,
  origin: string,
): Promise<AddedMember> {
  const member = modeOf(scope.env) === "cloud" ? undefined : await addKnown(scope, asked);
  if (member !== undefined) return { member, invitation: null };
  const invitation: CreatedInvitation = await createInvitation(scope, asked, origin);
  return { member: null, invitation };
}

/** Undefined where nobody of that address ever signed in. */
async function addKnown(
  scope: AdminScope,
  { email, role }: NewMember,
): Promise<MemberView | undefined> {
  const { env, workspace, caller } = scope;
  const settings = oidcOf(env);
  if (settings === null) return undefined;
  const identity = { issuer: settings.issuer.href, email: lowerCaseAscii(email) };
  const user = (await askDirectory(env, (directory) => directory.personByEmail(identity)))?.id;
  if (user === undefined) return undefined;
  const most = await membersAllowed(env, workspace);
  await welcomePerson(env, { workspace, user }, caller.actor);
  const added = await askDirectory(env, (directory) =>
    directory.addMember({ workspace, user, role, most }),
  );
  if (added === "unknown") return undefined;
  if (added === "full") throw conflict("The workspace has as many people as its plan allows.");
  const { member, before } = added;
  await tellAudit(scope, {
    actor: caller.actor,
    action: before === undefined ? "member.joined" : "member.changed",
    target: user,
    ...(before && { before: { role: before } }),
    after: { role: member.role, email: member.email },
  });
  return memberView(member, undefined);
}

/** Changes role and limits; 404 when there is no such member, 409 when nobody would own the workspace any more. */
export async function changeMember(
  scope: AdminScope,
  id: string,
  { role, limits }: MemberChange,
): Promise<MemberView> {
  if (role !== undefined) await changeRole(scope, id, role);
  // Before limits are written: those of nobody would never go.
  const member = await memberOf(scope, id);
  if (limits === undefined) return member;
  await askWorkspace(scope, (stub) => stub.setPersonLimits(id, limits, scope.caller.actor));
  return { ...member, limits };
}

async function memberOf(scope: AdminScope, id: string): Promise<MemberView> {
  const found = (await listMembers(scope)).find((member) => member.id === id);
  if (found === undefined) throw notFound(`There is no member ${JSON.stringify(id)}`);
  return found;
}

async function changeRole(
  scope: AdminScope,
  user: string,
  role: MemberView["role"],
): Promise<void> {
  const before = await giveRole(scope, user, role);
  if (before === role) return;
  const { caller } = scope;
  const roles = { before: { role: before }, after: { role } };
  await tellAudit(scope, { actor: caller.actor, action: "member.changed", target: user, ...roles });
}

/**
 * An owner removes anybody, everybody else themselves: their keys end at once. 409 when nobody else owns the workspace.
 * A token does not make its person leave, unless it may remove anybody.
 */
export async function removeMember(scope: AdminScope, id: string): Promise<void> {
  const { role, person, actor } = scope.caller;
  const leaves = id === person && actor.type === "user";
  if (!leaves && !mayDo(role, "write")) throw forbidden();
  await leaveWorkspace(scope, id);
}

/** The routes of members. */
export const adminMemberRoutes = [
  defineRoute(
    {
      method: "GET",
      path: "/api/members",
      summary: "The workspace's members; members see only themselves",
      access: "read-own",
      query: listQuerySchema,
      status: 200,
      answer: listSchema(memberViewSchema),
    },
    async ({ query }, { scope }) => pageOfList(await listMembers(scope), query),
  ),
  defineRoute(
    {
      method: "POST",
      path: "/api/members",
      summary:
        "Add a person by e-mail address: immediately if a self-hosted gateway knows them, otherwise by invitation",
      access: "write",
      body: { schema: newMemberSchema },
      status: 201,
      answer: addedMemberSchema,
    },
    ({ body }, { scope, origin }) => addMember(scope, body, origin),
  ),
  defineRoute(
    {
      method: "PATCH",
      path: "/api/members/{id}",
      summary: "Change a member's role and limits",
      access: "write",
      body: { schema: memberChangeSchema },
      status: 200,
      answer: memberViewSchema,
    },
    ({ params, body }, { scope }) => changeMember(scope, params.id, body),
  ),
  defineRoute(
    {
      method: "DELETE",
      path: "/api/members/{id}",
      summary: "Remove a member, or leave: the person's keys and tokens stop working immediately",
      access: "read-own",
      status: 204,
    },
    ({ params }, { scope }) => removeMember(scope, params.id),
  ),
] as const;
