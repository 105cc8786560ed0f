/** Tells audit logs of sessions that begin and end. */
import { defaultWorkspace } from "../../workspace/accounts/tables/workspaces.ts";
import type { AuditEvent } from "../../workspace/contract/audit.ts";
import type { Env } from "../../store/env.ts";
import type { AdminAccess } from "./credentials/access.ts";
import { tellAudit } from "./audit.ts";
import { actorOf } from "./caller.ts";

/** Workspaces of one person whose audit logs are written into. */
const mostNoted = 50;

/** What became of sessions: `target` is the one that ended, `all`, or where somebody signed in. */
export interface SessionEvent extends Pick<AuditEvent, "target"> {
  action: "session.opened" | "session.ended";
}

/** Adds the event to the audit log of every workspace that the credential reaches; the deployment's own is `default`. */
export async function tellSession(
  env: Env,
  access: AdminAccess,
  event: SessionEvent,
): Promise<void> {
  const told = { actor: actorOf(access), ...event };
  const workspaces = workspacesToTell(access).slice(0, mostNoted);
  await Promise.all(workspaces.map((workspace) => tellAudit({ env, workspace }, told)));
}

function workspacesToTell(access: AdminAccess): readonly string[] {
  switch (access.kind) {
    case "deployment":
      return [defaultWorkspace];
    case "workspace":
    case "token":
      return [access.workspace];
    case "person":
      return access.memberships.map(({ workspace }) => workspace);
    default:
      return access satisfies never;
  }
}
