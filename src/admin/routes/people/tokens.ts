/** Access tokens of the admin API: of one workspace, with a role and an end. */
import * as z from "zod";
import { invalid, type Problem } from "../../../core/problem.ts";
import { newId } from "../../../lib/ids.ts";
import { makeAdminToken } from "../../../store/admin-tokens.ts";
import { keyringOf } from "../../../store/keyring.ts";
import { hashKey } from "../../../store/keys.ts";
import { lesserRole, mayDo, type MemberRole, memberRoles } from "../../../store/roles.ts";
import {
  mostTokens,
  type TokenOwner,
  type TokenRecord,
} from "../../../workspace/accounts/tables/access-tokens.ts";
import { askDirectory } from "../../shared/credentials/access.ts";
import { tellAudit } from "../../shared/audit.ts";
import type { AdminCaller } from "../../shared/caller.ts";
import { defineRoute } from "../../shared/define-route.ts";
import { forbidden, notFound, tooMany } from "../../shared/errors.ts";
import { listQuerySchema, listSchema, pageOfList } from "../../shared/list-page.ts";
import type { AdminScope } from "../../shared/scope.ts";

const newTokenSchema = z.strictObject({
  name: z.string().min(1).max(200),
  role: z.enum(memberRoles),
  expires_at: z.iso.datetime({ offset: true }).nullable().optional(),
});
/** What may be said of a token that is to be made. */
export type NewToken = z.infer<typeof newTokenSchema>;

const createdTokenSchema = z.strictObject({
  id: z.string(),
  /** The text, shown this once. */
  token: z.string(),
});
type CreatedToken = z.infer<typeof createdTokenSchema>;

const tokenViewSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  role: z.enum(memberRoles),
  last4: z.string(),
  /** Id of the person whose it is; null: nobody's in particular. */
  person: z.string().nullable(),
  created_at: z.string(),
  expires_at: z.string().nullable(),
  last_used_at: z.string().nullable(),
});
/** A token as it is shown: without its text. */
export type TokenView = z.infer<typeof tokenViewSchema>;

/** Makes a token of the caller's; 403 for a role above theirs, 400 for an end that is over or after their token's. */
export async function createToken(
  scope: AdminScope,
  { name, role, expires_at: ends }: NewToken,
): Promise<CreatedToken> {
  const { env, workspace, caller } = scope;
  if (lesserRole(role, memberRoleOf(caller)) !== role) throw forbidden();
  const created = Date.now();
  const expires = typeof ends === "string" ? Date.parse(ends) : null;
  await checkEnd(scope, expires, created);
  const text = await makeAdminToken(await keyringOf(env.ENCRYPTION_KEY));
  const record: Omit<TokenRecord, "used"> = {
    id: newId("tok_"),
    workspace,
    role,
    user: caller.person ?? null,
    name,
    last4: text.slice(-4),
    created,
    expires,
  };
  const hash = await hashKey(text);
  const added = await askDirectory(env, (directory) => directory.createToken({ ...record, hash }));
  if (added === "full")
    throw tooMany(`At most ${mostTokens} access tokens are possible. Revoke some first.`);
  const { id } = record;
  const after = { name, role, expires_at: timeOf(expires) };
  await tellAudit(scope, { actor: caller.actor, action: "token.created", target: id, after });
  return { id, token: text };
}

/** The deployment's administrator is an owner everywhere. */
function memberRoleOf({ role }: AdminCaller): MemberRole {
  return memberRoles.find((name) => name === role) ?? (role === "root" ? "owner" : "viewer");
}

/** A token that makes another one does not outlive itself that way. */
async function checkEnd(
  { env, workspace, caller }: AdminScope,
  expires: number | null,
  now: number,
): Promise<void> {
  if (expires !== null && expires <= now) throw invalid("expires_at", "is in the past");
  if (caller.actor.type !== "token") return;
  const tokens = await askDirectory(env, (directory) => directory.tokens({ workspace }));
  const end = tokens.find(({ id }) => id === caller.actor.id)?.expires ?? null;
  if (end !== null && (expires === null || expires > end))
    throw invalid("expires_at", "must not be after the expiry of the token that you use");
}

/** Those of the caller, oldest first; an owner sees everybody's, a token none that may do more than itself. */
export async function listTokens(scope: AdminScope): Promise<TokenView[]> {
  const found = await askDirectory(scope.env, (directory) =>
    directory.tokens(reachOfCaller(scope)),
  );
  return found.filter((token) => isInReach(scope, token)).map(tokenView);
}

/** Revokes a token at once; 404 when the caller reaches none of that id. */
export async function deleteToken(scope: AdminScope, id: string): Promise<void> {
  const owner = reachOfCaller(scope);
  if (!(await listTokens(scope)).some((token) => token.id === id)) throw noToken(id);
  const deleted = await askDirectory(scope.env, (directory) => directory.deleteToken(owner, id));
  if (deleted === undefined) throw noToken(id);
  const before = { name: deleted.name, role: deleted.role };
  const { actor } = scope.caller;
  await tellAudit(scope, { actor, action: "token.revoked", target: id, before });
}

function noToken(id: string): Problem {
  return notFound(`There is no token ${JSON.stringify(id)}`);
}

/** A token reaches itself and those that may do no more than it: a lesser one of an owner is no way to the others. */
function isInReach({ caller }: AdminScope, token: TokenRecord): boolean {
  const { actor } = caller;
  if (actor.type !== "token" || actor.id === token.id) return true;
  return lesserRole(token.role, memberRoleOf(caller)) === token.role;
}

/** Whose tokens the caller may see and revoke. */
function reachOfCaller({ workspace, caller }: AdminScope): TokenOwner {
  if (mayDo(caller.role, "write")) return { workspace };
  // Somebody without an id of a person has none.
  return { workspace, user: caller.person ?? "" };
}

function tokenView(token: TokenRecord): TokenView {
  const { id, name, role, last4, user, created, expires, used } = token;
  return {
    id,
    name,
    role,
    last4,
    person: user,
    created_at: new Date(created).toISOString(),
    expires_at: timeOf(expires),
    last_used_at: timeOf(used),
  };
}

function timeOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

/** The routes of access tokens. A token reaches no further than its maker, so that everybody may have some. */
export const adminTokenRoutes = [
  defineRoute(
    {
      method: "GET",
      path: "/api/tokens",
      summary: "Your access tokens of the workspace; owners see everybody's",
      access: "read-own",
      query: listQuerySchema,
      status: 200,
      answer: listSchema(tokenViewSchema),
    },
    async ({ query }, { scope }) => pageOfList(await listTokens(scope), query),
  ),
  defineRoute(
    {
      method: "POST",
      path: "/api/tokens",
      summary: "Create an access token; it is shown only once",
      access: "read-own",
      body: { schema: newTokenSchema },
      status: 201,
      answer: createdTokenSchema,
    },
    ({ body }, { scope }) => createToken(scope, body),
  ),
  defineRoute(
    {
      method: "DELETE",
      path: "/api/tokens/{id}",
      summary: "Revoke an access token",
      access: "read-own",
      status: 204,
    },
    ({ params }, { scope }) => deleteToken(scope, params.id),
  ),
] as const;
