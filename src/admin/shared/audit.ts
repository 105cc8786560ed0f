/** Events of a workspace's audit log for what lives in the directory: members, invitations, tokens, sign-ins. */
import type { Env } from "../../store/env.ts";
import type { AuditEvent } from "../../workspace/contract/audit.ts";
import { askWorkspace } from "./scope.ts";

/** Objects of the version before keep no audit log. */
interface Auditing {
  audit?(event: AuditEvent): Promise<unknown>;
}

/** Writes the event into the workspace's audit log. */
export async function tellAudit(
  scope: { readonly env: Env; readonly workspace: string },
  event: AuditEvent,
): Promise<void> {
  try {
    await askWorkspace(scope, async (stub) => {
      // A remote object has every method until it is called.
      const auditing = stub as unknown as Auditing;
      await auditing.audit?.(event);
    });
  } catch (error) {
    if (!String(error).includes("does not implement")) throw error;
  }
}
