/**
 * Copies of keys and snapshots in KV, for fast reads far away. They may be late or lost: admission compares
 * generations with the object, which is the truth.
 */
import type { Env } from "../store/env.ts";
import type { KeyRecord, Snapshot } from "../store/snapshot.ts";
import type { KeyTerms } from "./contract/identity.ts";
import { termsOf } from "./rules/key-terms.ts";
import type { WorkspaceState } from "./rules/state.ts";

/** What a key's hash leads to. */
export interface PublishedKey extends KeyTerms {
  workspace: string;
  harness: string;
  id: string;
}

/** Name in KV of a key, by its hash. */
export function keyName(hash: string): string {
  return `key:${hash}`;
}

/** Name in KV of a workspace's snapshot. */
export function snapshotName(workspace: string): string {
  return `snapshot:${workspace}`;
}

/** Copies the snapshot in the background. */
export function publishSnapshot(ctx: DurableObjectState, env: Env, snapshot: Snapshot): void {
  const text = JSON.stringify(snapshot);
  inBackground(ctx, () => env.KV.put(snapshotName(snapshot.workspace), text));
}

/** Copies the key in the background. */
export function publishKey(
  ctx: DurableObjectState,
  env: Env,
  { key, state }: { key: KeyRecord; state: WorkspaceState },
): void {
  const { workspace } = state.snapshot;
  const { harness, id, hash } = key;
  const published: PublishedKey = { workspace, harness, id, ...termsOf(state, key) };
  inBackground(ctx, () => env.KV.put(keyName(hash), JSON.stringify(published)));
}

/** Deletes the key's copy in the background. */
export function unpublishKey(ctx: DurableObjectState, env: Env, key: KeyRecord): void {
  inBackground(ctx, () => env.KV.delete(keyName(key.hash)));
}

function inBackground(ctx: DurableObjectState, write: () => Promise<void>): void {
  ctx.waitUntil(
    write().catch((error: unknown) => {
      console.warn(`a copy in KV could not be written: ${String(error)}`);
    }),
  );
}
