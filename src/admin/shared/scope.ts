/** The workspace that an administrator acts on, and the calls to its object. */
import type { Env } from "../../store/env.ts";
import type { Snapshot } from "../../store/snapshot.ts";
import type { AdminCaller } from "./caller.ts";
import type { ChangeWay } from "../../workspace/contract/audit.ts";
import { onWorkspace } from "../../workspace/client/on-workspace.ts";
import { lacksMethod, type WorkspaceStub } from "../../workspace/remote.ts";

/** One workspace, who acts in it, and the bindings through which it is reached. */
export interface AdminScope {
  readonly env: Env;
  /** The workspace's id. */
  readonly workspace: string;
  readonly caller: AdminCaller;
  /** How the caller's changes of the document reach it; the admin API unless set. */
  readonly way?: ChangeWay;
  /** The generation that the caller saw: what others changed since is not overwritten unseen. */
  readonly seen?: number;
}

/** Calls the workspace's object; once more when it was restarted under the call. Throws M501. */
export function askWorkspace<Answer>(
  { env, workspace }: Pick<AdminScope, "env" | "workspace">,
  call: (stub: WorkspaceStub) => Promise<Answer>,
): Promise<Answer> {
  return onWorkspace(env, workspace, call);
}

/**
 * Calls a method that objects of the version before do not have, which a roll-out meets for minutes: those are asked
 * as `before` says.
 */
export async function askNewMethod<Answer>(
  scope: Pick<AdminScope, "env" | "workspace">,
  call: (stub: WorkspaceStub) => Promise<Answer>,
  before: (stub: WorkspaceStub) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await askWorkspace(scope, call);
  } catch (error) {
    if (!lacksMethod(error)) throw error;
    return await askWorkspace(scope, before);
  }
}

/** The snapshot as the object holds it, secrets sealed. */
export function readSnapshot(scope: AdminScope): Promise<Snapshot> {
  return askWorkspace(scope, (stub) => stub.snapshot());
}
