/** Who calls, as what, and where else they belong. */
import * as z from "zod";
import type { Env } from "../../../store/env.ts";
import { memberRoles } from "../../../store/roles.ts";
import type { Person } from "../../../workspace/accounts/tables/scope.ts";
import { type AdminAccess, askDirectory } from "../../shared/credentials/access.ts";
import { callerIn, operates } from "../../shared/caller.ts";
import { defineRoute } from "../../shared/define-route.ts";

const role = z.enum(["root", "operator", ...memberRoles]);

const meSchema = z.strictObject({
  /** Null for a token that is nobody's in particular. */
  user: z.strictObject({ id: z.string(), email: z.string(), name: z.string() }).nullable(),
  /** The one that calls act on; null for somebody who belongs to none. */
  workspace: z.string().nullable(),
  role: role.nullable(),
  workspaces: z.array(z.strictObject({ id: z.string(), name: z.string(), role })),
});
type Me = z.infer<typeof meSchema>;

async function readMe(env: Env, access: AdminAccess, named: string | undefined): Promise<Me> {
  const user = access.kind === "person" || access.kind === "token" ? userOf(access.person) : null;
  const workspaces = access.kind === "person" ? access.memberships.map(placeOf) : [];
  if (access.kind === "person" && workspaces.length === 0 && named === undefined) {
    return { user, workspace: null, role: operates(env, access) ? "operator" : null, workspaces };
  }
  const { workspace, caller } = await callerIn(env, access, named);
  if (access.kind === "person") return { user, workspace, role: caller.role, workspaces };
  const found = await askDirectory(env, (directory) => directory.find(workspace));
  const place = { id: workspace, name: found?.name ?? "", role: caller.role };
  return { user, workspace, role: caller.role, workspaces: [place] };
}

function userOf(person: Person | undefined): Me["user"] {
  return person === undefined ? null : { id: person.id, email: person.email, name: person.name };
}

function placeOf(membership: Extract<AdminAccess, { kind: "person" }>["memberships"][number]) {
  return { id: membership.workspace, name: membership.name, role: membership.role };
}

/** The route of the caller. */
export const adminMeRoutes = [
  defineRoute(
    {
      method: "GET",
      path: "/api/me",
      summary: "The caller, their role and their workspaces",
      access: "identified",
      status: 200,
      answer: meSchema,
    },
    (_input, { env, access, named }) => readMe(env, access, named),
  ),
] as const;
