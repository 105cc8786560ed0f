/** PROVISIONAL until the admin API has these. */
import { base64url, newId } from "../../lib/ids.ts";
import { hashKey } from "../../store/keys.ts";
import { makeAdminToken } from "../../store/admin-tokens.ts";
import { keyringOf } from "../../store/keyring.ts";
import type { LimitEntry } from "../../store/config.ts";
import type { MemberRole } from "../../store/roles.ts";
import { askDirectory } from "../../admin/shared/access.ts";
import { leaveWorkspace, memberProblem } from "../../admin/shared/memberships.ts";
import { type AdminScope, askWorkspace } from "../../admin/shared/scope.ts";
import type { SessionOwner } from "../../workspace/accounts/sessions.ts";
import type { Env } from "../../store/env.ts";

export interface MemberView {
  id: string;
  email: string;
  name: string;
  role: MemberRole;
  limits?: readonly LimitEntry[];
  joined_at: string;
  last_seen_at: string;
}
export interface InvitationView {
  id: string;
  role: MemberRole;
  email: string | null;
  expires_at: string;
}
export interface TokenView {
  id: string;
  name: string;
  role: MemberRole;
  last4: string;
  expires_at: string | null;
  last_used_at: string | null;
}
export interface SessionView {
  id: string;
  agent: string;
  created_at: string;
  last_used_at: string;
}
const iso = (time: number) => new Date(time).toISOString();

export async function listMembers(scope: AdminScope): Promise<MemberView[]> {
  const [members, limits] = await Promise.all([
    askDirectory(scope.env, (directory) => directory.members(scope.workspace)),
    askWorkspace(scope, async (stub) => await stub.personLimits()),
  ]);
  return members.map(({ id, email, name, role, joined, seen }) => ({
    id,
    email,
    name,
    role,
    limits: limits[id] ?? [],
    joined_at: iso(joined),
    last_seen_at: iso(seen),
  }));
}
export async function changeMember(
  scope: AdminScope,
  user: string,
  { role, limits }: { role?: MemberRole; limits?: LimitEntry[] },
): Promise<void> {
  const { workspace } = scope;
  if (role !== undefined) {
    const outcome = await askDirectory(scope.env, (directory) =>
      directory.changeRole({ workspace, user }, role),
    );
    if ("refused" in outcome) throw memberProblem(outcome.refused, user);
  }
  if (limits !== undefined)
    await askWorkspace(scope, (stub) => stub.setPersonLimits(user, limits, scope.caller.actor));
}
export const removeMember = leaveWorkspace;
export async function listInvitations(scope: AdminScope): Promise<InvitationView[]> {
  const found = await askDirectory(scope.env, (d) => d.invitations(scope.workspace));
  return found.map(({ id, role, email, expires }) => ({
    id,
    role,
    email,
    expires_at: iso(expires),
  }));
}
export async function createInvitation(
  scope: AdminScope,
  { role, email, expires_in }: { role: MemberRole; email?: string; expires_in: number },
  origin: string,
): Promise<{ url: string }> {
  const text = base64url(crypto.getRandomValues(new Uint8Array(24)));
  const hash = await hashKey(text);
  const now = Date.now();
  await askDirectory(scope.env, (d) =>
    d.invite({
      id: newId("inv_"),
      workspace: scope.workspace,
      role,
      email: email ?? null,
      created: now,
      expires: now + expires_in * 1000,
      hash,
      most: null,
    }),
  );
  return { url: `${origin}/auth/login?invitation=${text}` };
}
export async function revokeInvitation(scope: AdminScope, id: string): Promise<void> {
  await askDirectory(scope.env, (d) => d.revokeInvitation(scope.workspace, id));
}
export async function listTokens(scope: AdminScope, user: string): Promise<TokenView[]> {
  const found = await askDirectory(scope.env, (d) =>
    d.tokens({ workspace: scope.workspace, user }),
  );
  return found.map(({ id, name, role, last4, expires, used }) => ({
    id,
    name,
    role,
    last4,
    expires_at: expires === null ? null : iso(expires),
    last_used_at: used === null ? null : iso(used),
  }));
}
export async function createToken(
  scope: AdminScope,
  { name, role, expires_at }: { name: string; role: MemberRole; expires_at: string | null },
): Promise<{ token: string }> {
  const token = await makeAdminToken(await keyringOf(scope.env.ENCRYPTION_KEY));
  const hash = await hashKey(token);
  await askDirectory(scope.env, (d) =>
    d.createToken({
      id: newId("tok_"),
      workspace: scope.workspace,
      role,
      user: scope.caller.person ?? null,
      name,
      last4: token.slice(-4),
      created: Date.now(),
      expires: expires_at === null ? null : Date.parse(expires_at),
      hash,
    }),
  );
  return { token };
}
export async function deleteToken(scope: AdminScope, user: string, id: string): Promise<void> {
  await askDirectory(scope.env, (d) => d.deleteToken({ workspace: scope.workspace, user }, id));
}
export async function listSessions(env: Env, owner: SessionOwner): Promise<SessionView[]> {
  const found = await askDirectory(env, (d) => d.sessions(owner));
  return found.map(({ handle, agent, created, used }) => ({
    id: handle,
    agent,
    created_at: iso(created),
    last_used_at: iso(used),
  }));
}
