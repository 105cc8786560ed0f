/** Tells a workspace's audit log of what its own object does not see. */
import { defaultWorkspace } from "../../workspace/accounts/tables/workspaces.ts";
import type { Actor, AuditEvent } from "../../workspace/contract/audit.ts";
import { Memory } from "../../workspace/memory.ts";
import { type AdminScope, askNewMethod } from "./scope.ts";

type WorkspacePlace = Pick<AdminScope, "env" | "workspace">;

/** Adds an event of a change that was made outside the workspace's object. An object of the version before keeps none. */
export async function tellAudit(place: WorkspacePlace, event: AuditEvent): Promise<void> {
  await askNewMethod(
    place,
    (stub) => stub.audit(event),
    async () => undefined,
  );
}

/** Milliseconds for which one event of the same entry is enough. */
const hour = 3600_000;
/** Epoch ms of the last event, by workspace, actor and what was read. */
const entered = new Memory<number>(2000);

/**
 * Whoever belongs to no workspace and reads in one other than `default` leaves an event there, one an hour for each kind
 * of reading. What they change is an event by itself. Awaited before the answer: there is no reading without the event.
 */
export async function tellEntry(
  place: WorkspacePlace,
  { actor, reading }: { actor: Actor; reading: string },
): Promise<void> {
  const isForeign = actor.type === "root" || actor.type === "operator";
  if (!isForeign || place.workspace === defaultWorkspace) return;
  const name = [place.workspace, actor.type, actor.id, reading].join(" ");
  if ((entered.get(name) ?? 0) > Date.now() - hour) return;
  const event = { actor, action: "workspace.entered", target: reading };
  await askNewMethod(
    place,
    (stub) => stub.auditHourly(event),
    async () => undefined,
  );
  entered.set(name, Date.now());
}
