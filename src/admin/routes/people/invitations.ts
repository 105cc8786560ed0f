/** Invitations into a workspace: a link that one person can use once. */
import * as z from "zod";
import { invalid } from "../../../core/problem.ts";
import { lowerCaseAscii } from "../../../lib/ascii.ts";
import { base64url, newId } from "../../../lib/ids.ts";
import { hashKey } from "../../../store/keys.ts";
import { oidcOf } from "../../../store/oidc-settings.ts";
import { memberRoles } from "../../../store/roles.ts";
import type { InvitationRecord } from "../../../workspace/accounts/tables/invitations.ts";
import { askDirectory } from "../../shared/credentials/access.ts";
import { tellAudit } from "../../shared/audit.ts";
import { defineRoute } from "../../shared/define-route.ts";
import { notFound } from "../../shared/errors.ts";
import { membersAllowed } from "../../shared/membership/members-allowed.ts";
import { conflict } from "../../shared/membership/memberships.ts";
import { listQuerySchema, listSchema, pageOfList } from "../../shared/list-page.ts";
import type { AdminScope } from "../../shared/scope.ts";

/** Seconds. */
const week = 7 * 86_400;
const longest = 30 * 86_400;

/** What may be said of an invitation that is to be made. */
export const newInvitationSchema = z.strictObject({
  role: z.enum(memberRoles),
  /** Only somebody with this verified address may use it; missing: whoever has the link. */
  email: z.email().max(320).optional(),
  /** Seconds; a week unless set. */
  expires_in: z.number().int().min(60).max(longest).optional(),
});
type NewInvitation = z.infer<typeof newInvitationSchema>;

/** A new invitation. */
export const createdInvitationSchema = z.strictObject({
  id: z.string(),
  /** The link, shown this once. */
  url: z.string(),
  expires_at: z.string(),
});
/** A new invitation. */
export type CreatedInvitation = z.infer<typeof createdInvitationSchema>;

const invitationViewSchema = z.strictObject({
  id: z.string(),
  role: z.enum(memberRoles),
  email: z.string().nullable(),
  created_at: z.string(),
  expires_at: z.string(),
});
/** An invitation as it is shown: without its link. */
export type InvitationView = z.infer<typeof invitationViewSchema>;

/** Makes an invitation whose link leads to `origin`; 400 where nobody could use it, 409 where there is no room. */
export async function createInvitation(
  scope: AdminScope,
  { role, email, expires_in: seconds = week }: NewInvitation,
  origin: string,
): Promise<CreatedInvitation> {
  const address = email === undefined ? null : lowerCaseAscii(email);
  checkUsable(scope, address);
  const { env, workspace, caller } = scope;
  const text = base64url(crypto.getRandomValues(new Uint8Array(32)));
  const created = Date.now();
  const record: InvitationRecord = {
    id: newId("inv_"),
    workspace,
    role,
    email: address,
    created,
    expires: created + seconds * 1e3,
  };
  const hash = await hashKey(text);
  const inviter = caller.actor.email ?? null;
  const most = await membersAllowed(env, workspace);
  const made = await askDirectory(env, (directory) =>
    directory.invite({ ...record, hash, inviter, most }),
  );
  if (!made) throw conflict("The workspace has as many people as its plan allows.");
  const { id, expires_at } = invitationView(record);
  const after = { role, email: address, expires_at };
  await tellAudit(scope, { actor: caller.actor, action: "member.invited", target: id, after });
  return { id, url: `${origin}/auth/login?invitation=${text}`, expires_at };
}

function checkUsable({ env }: AdminScope, email: string | null): void {
  const settings = oidcOf(env);
  if (settings === null) {
    throw conflict(
      "Invitations need an identity provider. Set OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.",
    );
  }
  const domain = email?.slice(email.indexOf("@") + 1);
  if (domain !== undefined && settings.domains?.has(domain) === false)
    throw invalid("email", "addresses of this domain can't sign in");
}

/** Those that can be used, oldest first. */
export async function listInvitations({ env, workspace }: AdminScope): Promise<InvitationView[]> {
  const found = await askDirectory(env, (directory) => directory.invitations(workspace));
  return found.map(invitationView);
}

function invitationView({ id, role, email, created, expires }: InvitationRecord): InvitationView {
  const created_at = new Date(created).toISOString();
  return { id, role, email, created_at, expires_at: new Date(expires).toISOString() };
}

/** Takes the invitation back; 404 when there is no open one of that id. */
export async function revokeInvitation(scope: AdminScope, id: string): Promise<void> {
  const { env, workspace, caller } = scope;
  const revoked = await askDirectory(env, (directory) => directory.revokeInvitation(workspace, id));
  if (revoked === undefined) throw notFound(`There is no invitation ${JSON.stringify(id)}`);
  const before = { role: revoked.role, email: revoked.email };
  const action = "invitation.revoked";
  await tellAudit(scope, { actor: caller.actor, action, target: id, before });
}

/** The routes of invitations. */
export const adminInvitationRoutes = [
  defineRoute(
    {
      method: "GET",
      path: "/api/invitations",
      summary: "Invitations that can still be used",
      access: "write",
      query: listQuerySchema,
      status: 200,
      answer: listSchema(invitationViewSchema),
    },
    async ({ query }, { scope }) => pageOfList(await listInvitations(scope), query),
  ),
  defineRoute(
    {
      method: "POST",
      path: "/api/invitations",
      summary: "Invite one person; the link is shown only once",
      access: "write",
      body: { schema: newInvitationSchema },
      status: 201,
      answer: createdInvitationSchema,
    },
    ({ body }, { scope, origin }) => createInvitation(scope, body, origin),
  ),
  defineRoute(
    {
      method: "DELETE",
      path: "/api/invitations/{id}",
      summary: "Revoke an invitation",
      access: "write",
      status: 204,
    },
    ({ params }, { scope }) => revokeInvitation(scope, params.id),
  ),
] as const;
