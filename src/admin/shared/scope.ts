/** The workspace that an administrator acts on, and the calls to its object. */
import type { Env } from "../../store/env.ts";
import type { Snapshot } from "../../store/snapshot.ts";
import { onWorkspace, type WorkspaceStub } from "../../workspace/remote.ts";

/** One workspace with the bindings through which it is reached. */
export interface AdminScope {
  readonly env: Env;
  /** The workspace's id. */
  readonly workspace: string;
}

/** Calls the workspace's object; once more when it was restarted under the call. Throws M501. */
export function askWorkspace<Answer>(
  { env, workspace }: AdminScope,
  call: (stub: WorkspaceStub) => Promise<Answer>,
): Promise<Answer> {
  return onWorkspace(env, workspace, call);
}

/** The snapshot as the object holds it, secrets sealed. */
export function readSnapshot(scope: AdminScope): Promise<Snapshot> {
  return askWorkspace(scope, (stub) => stub.snapshot());
}
