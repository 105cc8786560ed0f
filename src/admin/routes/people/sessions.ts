/** Sessions of the dashboard: one's own are listed and ended. */
import * as z from "zod";
import type { Env } from "../../../store/env.ts";
import type { SessionOwner, SessionRecord } from "../../../workspace/accounts/tables/sessions.ts";
import { endProgramsOf } from "../../../workspace/client/programs.ts";
import { type AdminAccess, askDirectory } from "../../shared/credentials/access.ts";
import { actorOf } from "../../shared/caller.ts";
import { defineRoute } from "../../shared/define-route.ts";
import { forbidden, notFound } from "../../shared/errors.ts";
import { listQuerySchema, listSchema, pageOfList } from "../../shared/list-page.ts";
import { tellSession } from "../../shared/session-events.ts";
import { signOutEverywhere } from "./account.ts";

const sessionViewSchema = z.strictObject({
  id: z.string(),
  /** The browser, as it names itself. */
  agent: z.string(),
  created_at: z.string(),
  last_used_at: z.string(),
});
/** A session as it is shown. */
export type SessionView = z.infer<typeof sessionViewSchema>;

/** The caller's, newest first. */
export async function listSessions(env: Env, access: AdminAccess): Promise<SessionView[]> {
  const owner = sessionsOf(access);
  if (owner === undefined) return [];
  const found = await askDirectory(env, (directory) => directory.sessions(owner));
  return found.map(sessionView);
}

function sessionView({ handle, agent, created, used }: SessionRecord): SessionView {
  const [created_at, last_used_at] = [created, used].map((at) => new Date(at).toISOString());
  return { id: handle, agent, created_at: created_at ?? "", last_used_at: last_used_at ?? "" };
}

/** Ends one of the caller's sessions; 404 when they have none of that id. */
export async function endOwnSession(env: Env, access: AdminAccess, id: string): Promise<void> {
  const owner = sessionsOf(access);
  if (owner === undefined || access.kind === "token") throw forbidden();
  const ended = await askDirectory(env, (directory) => directory.closeOwnSession(owner, id));
  if (!ended) throw notFound(`There is no session ${JSON.stringify(id)}`);
  await tellSession(env, access, { action: "session.ended", target: id });
}

/** Ends all of them, but for `keep`; a token does not sign its person out. */
export async function endAllSessions(
  env: Env,
  access: AdminAccess,
  keep: string | null,
): Promise<void> {
  switch (access.kind) {
    case "deployment":
    case "workspace":
      return await signOutEverywhere(env, access, { by: actorOf(access), keep });
    case "person":
      await signOutPerson(env, access.person.id, keep);
      return await tellSession(env, access, { action: "session.ended", target: "all" });
    case "token":
      throw forbidden();
    default:
      return access satisfies never;
  }
}

/** Everything by which the person is signed in ends, programs on their machines too. */
async function signOutPerson(env: Env, person: string, keep: string | null): Promise<void> {
  await endProgramsOf(env, person);
  const owner = { kind: "person", person } as const;
  await askDirectory(env, (directory) => directory.closeSessions(owner, keep));
}

/** Undefined for a token that is nobody's in particular. */
function sessionsOf(access: AdminAccess): SessionOwner | undefined {
  if (access.kind === "deployment" || access.kind === "workspace") return access;
  const { person } = access;
  return person && { kind: "person", person: person.id };
}

/** The routes of sessions. */
export const adminSessionRoutes = [
  defineRoute(
    {
      method: "GET",
      path: "/api/sessions",
      summary: "Your dashboard sessions",
      access: "identified",
      query: listQuerySchema,
      status: 200,
      answer: listSchema(sessionViewSchema),
    },
    async ({ query }, { env, access }) => pageOfList(await listSessions(env, access), query),
  ),
  defineRoute(
    {
      method: "DELETE",
      path: "/api/sessions",
      summary: "Sign out everywhere",
      access: "identified",
      status: 204,
    },
    (_input, { env, access }) => endAllSessions(env, access, null),
  ),
  defineRoute(
    {
      method: "DELETE",
      path: "/api/sessions/{id}",
      summary: "End one of your sessions",
      access: "identified",
      status: 204,
    },
    ({ params }, { env, access }) => endOwnSession(env, access, params.id),
  ),
] as const;
