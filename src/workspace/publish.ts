/**
 * Copies of keys and snapshots in KV, for fast reads far away. They may be late or lost: admission compares
 * generations with the object, which is the truth.
 */
import type { Env } from "../store/env.ts";
import { snapshotName } from "../store/kv-names.ts";
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

/** Removes the copies of keys. Throws where KV does. */
export async function unpublishKeys(env: Env, keys: readonly KeyRecord[]): Promise<void> {
  await Promise.all(keys.map(({ hash }) => env.KV.delete(keyName(hash))));
}

/** Removes the copy of the snapshot. Throws where KV does. */
export async function unpublishSnapshot(env: Env, workspace: string): Promise<void> {
  await env.KV.delete(snapshotName(workspace));
}

/** Keys that are copied together. */
const keysAtOnce = 200;

/** Copies everything, and removes the copies of keys that are gone, by their hashes. */
export async function publishAll(
  ctx: DurableObjectState,
  env: Env,
  { state, gone }: { state: WorkspaceState; gone: readonly string[] },
): Promise<void> {
  const keys = [...state.keys.values()];
  for (let from = 0; from < Math.max(keys.length, gone.length); from += keysAtOnce) {
    for (const key of keys.slice(from, from + keysAtOnce)) publishKey(ctx, env, { key, state });
    for (const hash of gone.slice(from, from + keysAtOnce))
      inBackground(ctx, () => env.KV.delete(keyName(hash)));
    await settledPublishing(ctx);
  }
  publishSnapshot(ctx, env, state.snapshot);
  await settledPublishing(ctx);
}

/** Done when nothing is being copied any more: a copy that came late would outlive its workspace. */
export async function settledPublishing(ctx: DurableObjectState): Promise<void> {
  const writes: Iterable<Promise<void>> = underWay.get(ctx) ?? [];
  await Promise.all(writes);
}

const underWay = new WeakMap<DurableObjectState, Set<Promise<void>>>();

function inBackground(ctx: DurableObjectState, write: () => Promise<void>): void {
  const writes = underWay.get(ctx) ?? new Set();
  underWay.set(ctx, writes);
  const writing = write()
    .catch((error: unknown) => {
      console.warn(`a copy in KV could not be written: ${String(error)}`);
    })
    .finally(() => writes.delete(writing));
  writes.add(writing);
  ctx.waitUntil(writing);
}
