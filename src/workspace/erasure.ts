/**
 * The end of a workspace. Its keys are refused from the first moment; copies in KV, its part of the directory and its own
 * storage follow at once. What is interrupted goes on at the next call, or by an alarm.
 */
import type { Actor } from "./contract/audit.ts";
import type { Env } from "../store/env.ts";
import { modelListsPrefix } from "../store/kv-names.ts";
import { settledPublishing, unpublishKeys, unpublishSnapshot } from "./publish.ts";
import { defaultWorkspace } from "./accounts/tables/workspaces.ts";
import { calling, directoryStub, onAdmittingWorkspace } from "./remote.ts";
import { systemActor } from "./rules/audit/audit-event.ts";
import type { WorkspaceState } from "./rules/state.ts";
import { beginErasure, endErasure, erasureActor } from "./storage/tables/erasure-mark.ts";
import { readKeys, removeKey } from "./storage/tables/keys.ts";

/** Milliseconds until a deletion that was interrupted is tried again. */
const retry = 60_000;
/** Keys whose copies are removed together: an invocation may call KV a thousand times. */
const keysOfSlice = 400;

/** What is deleted. */
export interface ErasureContext {
  ctx: DurableObjectState;
  env: Env;
  state: WorkspaceState;
}

/** Deletes all of the workspace but the note that it was deleted. Safe to call again. */
export async function eraseWorkspace(
  context: ErasureContext,
  by: Actor | undefined,
): Promise<void> {
  const { ctx, env, state } = context;
  const { workspace } = state.snapshot;
  const { storage } = ctx;
  beginErasure(storage.sql, by);
  state.keys.clear();
  state.harnesses.clear();
  await storage.setAlarm(Date.now() + retry);
  await settledPublishing(ctx);
  await removeCopies(context);
  await tellDefaultWorkspace(context);
  await calling(
    () => directoryStub(env),
    (directory) => directory.remove(workspace),
  );
  await storage.deleteAll();
  await storage.deleteAlarm();
  endErasure(storage.sql);
  await storage.sync();
}

/** The workspace's own audit log goes with it. An hour's repetitions of an interrupted deletion are one event. */
async function tellDefaultWorkspace({ ctx, env, state }: ErasureContext): Promise<void> {
  const actor = erasureActor(ctx.storage.sql) ?? systemActor;
  const event = { actor, action: "workspace.deleted", target: state.snapshot.workspace };
  await onAdmittingWorkspace(env, defaultWorkspace, (stub) => stub.auditHourly(event));
}

async function removeCopies({ ctx, env, state }: ErasureContext): Promise<void> {
  const { sql } = ctx.storage;
  const { workspace } = state.snapshot;
  for (let keys = readKeys(sql); keys.length > 0; keys = keys.slice(keysOfSlice)) {
    const slice = keys.slice(0, keysOfSlice);
    await unpublishKeys(env, slice);
    for (const { id } of slice) removeKey(sql, id);
  }
  const { keys: lists } = await env.KV.list({ prefix: modelListsPrefix(workspace) });
  await Promise.all(lists.map(({ name }) => env.KV.delete(name)));
  // The last one: on one machine the store then leaves no byte of what was removed.
  await unpublishSnapshot(env, workspace);
}
