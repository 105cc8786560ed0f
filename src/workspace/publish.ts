/**
 * Copies of keys and snapshots in KV, for fast reads far away. They may be late or lost: admission compares
 * generations with the object, which is the truth.
 */
import type { Env } from "../store/env.ts";
import type { KeyRecord, Snapshot } from "../store/snapshot.ts";

/** What a key's hash leads to. */
export interface PublishedKey {
  workspace: string;
  harness: string;
  id: string;
  /** ISO 8601 UTC. */
  expires_at: string | null;
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

/** Copies the key, and the snapshot that knows its harness. */
export function publishKey(
  ctx: DurableObjectState,
  env: Env,
  { key, snapshot }: { key: KeyRecord; snapshot: Snapshot },
): void {
  const published: PublishedKey = {
    workspace: snapshot.workspace,
    harness: key.harness,
    id: key.id,
    expires_at: key.expires_at,
  };
  inBackground(ctx, () => env.KV.put(keyName(key.hash), JSON.stringify(published)));
  publishSnapshot(ctx, env, snapshot);
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
