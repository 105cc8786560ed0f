/**
 * Who holds a key, and by which document its requests are planned: from the isolate's memory, from KV, or from
 * the workspace's object. Admission compares with the object's truth, so that a memory may be old without harm.
 */
import { problemCodes } from "../../core/problem.ts";
import type { Env } from "../../store/env.ts";
import { keyringOf } from "../../store/keyring.ts";
import { hashKey, keyPrefix, readKey } from "../../store/keys.ts";
import { snapshotName } from "../../store/kv-names.ts";
import type { Snapshot } from "../../store/snapshot.ts";
import type { Standing } from "../contract/address.ts";
import type { StaleAnswer } from "../contract/admission.ts";
import type { IdentifyAnswer, KeyTerms } from "../contract/identity.ts";
import { Memory } from "../memory.ts";
import { keyName, type PublishedKey } from "../publish.ts";
import { onWorkspace } from "./on-workspace.ts";
import { SnapshotMemory } from "./snapshot-memory.ts";
import { isDeletedWorkspaceError } from "../storage/tables/erasure-mark.ts";

/** Who calls, and the document by which the call is planned. The same object while nothing of it changes. */
export interface Holder {
  readonly workspace: string;
  readonly harness: string;
  readonly keyId: string;
  readonly keyHash: string;
  /** What the key may do besides, as it is known here. */
  readonly terms: KeyTerms;
  readonly snapshot: Snapshot;
}

/** Why a key is not good: M003 it is no key of a gateway, M004 it has expired, M005 it is unknown or revoked. */
export type KeyFaultCode = "M003" | "M004" | "M005";

interface RememberedKey {
  hash: string;
  key: PublishedKey;
}

/** Keys that an isolate remembers, about 700 bytes each: one of which it knows nothing costs a read of KV. */
const mostKeys = 20_000;
/** Hashes of keys that were found good, by the key's text. */
const knownHashes = new Memory<string>(mostKeys);
/** By the key's hash. */
const knownKeys = new Memory<PublishedKey>(mostKeys);
/**
 * Hashes of keys that were made here and are not good: revoked, expired, or never handed out. They are asked about
 * anew each time, because an expiry may be changed.
 */
const refusedKeys = new Memory<true>(5000);
/** Sixteen million characters of documents; of usual length, those of some thousand workspaces. */
const knownSnapshots = new SnapshotMemory(16_000_000);

/** The newest document that is known of the workspace. */
export function rememberSnapshot(snapshot: Snapshot): void {
  knownSnapshots.set(snapshot);
}

/** The holder, read again because admission found the known one old. */
export function renewedHolder(holder: Holder, { snapshot, key }: StaleAnswer): Holder {
  rememberSnapshot(snapshot);
  if (key === undefined) return { ...holder, snapshot };
  const renewed = { ...holder, snapshot, terms: key };
  knownKeys.set(holder.keyHash, publishedOf(renewed));
  return renewed;
}

/** The workspace's object refused this key, whatever is remembered of it. */
export function distrustKey(hash: string): void {
  refusedKeys.set(hash, true);
}

/** In which window of its address a request with this key is counted, before the key is looked up. */
export async function standingOf(env: Env, keyText: string): Promise<Standing> {
  const known = knownHashes.get(keyText);
  if (known !== undefined) return isRefused(known) ? "stranger" : "keyed";
  const made = await readKey(keyText, await keyringOf(env.ENCRYPTION_KEY));
  if (made?.proven !== true) return "stranger";
  return isRefused(await hashKey(keyText)) ? "stranger" : "keyed";
}

function isRefused(hash: string): boolean {
  return refusedKeys.get(hash) !== undefined;
}

/** The holder of a key that was found good and of which nothing is missing here: no call, no promise. */
export function knownHolder(keyText: string): Holder | undefined {
  const known = remembered(keyText);
  if (known === undefined || isRefused(known.hash) || hasExpired(known.key)) return undefined;
  const snapshot = knownSnapshots.get(known.key.workspace);
  return snapshot && madeHolder(known, snapshot);
}

/** The key's holder. Throws if it can't be looked up: such a call must not pass. */
export async function identifyHolder(env: Env, keyText: string): Promise<Holder | KeyFaultCode> {
  const known = remembered(keyText);
  if (known !== undefined && !isRefused(known.hash)) return await holderOf(env, known);
  if (!keyText.startsWith(keyPrefix) || keyText.length === keyPrefix.length)
    return problemCodes.malformedKey;
  const made = await readKey(keyText, await keyringOf(env.ENCRYPTION_KEY));
  if (made === undefined) return problemCodes.unknownKey;
  const hash = await hashKey(keyText);
  if (!isRefused(hash)) {
    const key = await published<PublishedKey>(env, keyName(hash));
    if (key !== undefined && key.workspace === made.workspace) {
      remember(keyText, { hash, key });
      return await holderOf(env, { hash, key });
    }
  }
  // An object is only asked for a workspace that exists: a forged name must not bring one into being.
  if (!made.proven) return problemCodes.unknownKey;
  const holder = await askHolder(env, { workspace: made.workspace, keyHash: hash });
  if (typeof holder === "object") remember(keyText, { hash, key: publishedOf(holder) });
  return holder;
}

function remembered(keyText: string): RememberedKey | undefined {
  const hash = knownHashes.get(keyText);
  const key = hash === undefined ? undefined : knownKeys.get(hash);
  return hash === undefined || key === undefined ? undefined : { hash, key };
}

function remember(keyText: string, { hash, key }: RememberedKey): void {
  knownHashes.set(keyText, hash);
  knownKeys.set(hash, key);
}

/** The holder as the object knows it. */
export async function askHolder(
  env: Env,
  { workspace, keyHash }: Pick<Holder, "workspace" | "keyHash">,
): Promise<Holder | "M004" | "M005"> {
  const found = await onWorkspace(env, workspace, (stub) => stub.identify(keyHash)).catch(
    unknownWhereDeleted,
  );
  if ("refusal" in found) {
    distrustKey(keyHash);
    return found.refusal;
  }
  refusedKeys.delete(keyHash);
  const { snapshot, key } = found;
  rememberSnapshot(snapshot);
  const { id: keyId, harness, expires_at } = key;
  const { terms = { expires_at } } = found;
  const holder = { workspace, harness, keyId, keyHash, terms, snapshot };
  if (knownKeys.get(keyHash) !== undefined) knownKeys.set(keyHash, publishedOf(holder));
  return holder;
}

/** No key of a deleted workspace is known. */
function unknownWhereDeleted(error: unknown): IdentifyAnswer {
  if (!isDeletedWorkspaceError(error)) throw error;
  return { refusal: problemCodes.unknownKey };
}

async function holderOf(env: Env, known: RememberedKey): Promise<Holder | "M004" | "M005"> {
  const { hash: keyHash, key } = known;
  const { workspace } = key;
  if (hasExpired(key)) {
    distrustKey(keyHash);
    return problemCodes.expiredKey;
  }
  const snapshot = knownSnapshots.get(workspace) ?? (await publishedSnapshot(env, workspace));
  const holder = snapshot && madeHolder(known, snapshot);
  return holder ?? (await askHolder(env, { workspace, keyHash }));
}

function hasExpired({ expires_at }: PublishedKey): boolean {
  return expires_at !== null && Date.parse(expires_at) <= Date.now();
}

/** The last one of each key: what follows from a holder is remembered by it. */
const madeHolders = new WeakMap<PublishedKey, Holder>();

/** Undefined for a key of a harness that the document does not have yet: such a key is newer than that document. */
function madeHolder({ hash: keyHash, key }: RememberedKey, snapshot: Snapshot): Holder | undefined {
  const made = madeHolders.get(key);
  if (made?.snapshot === snapshot) return made;
  const { workspace, harness, id: keyId, ...terms } = key;
  if (snapshot.config.harnesses?.some(({ id }) => id === harness) !== true) return undefined;
  const holder = { workspace, harness, keyId, keyHash, terms, snapshot };
  madeHolders.set(key, holder);
  return holder;
}

function publishedOf({ workspace, harness, keyId: id, terms }: Holder): PublishedKey {
  return { workspace, harness, id, ...terms };
}

async function publishedSnapshot(env: Env, workspace: string): Promise<Snapshot | undefined> {
  const snapshot = await published<Snapshot>(env, snapshotName(workspace));
  if (snapshot !== undefined) rememberSnapshot(snapshot);
  return snapshot;
}

/** A copy in KV, or undefined if there is none or KV fails: the object always knows. */
async function published<T>(env: Env, name: string): Promise<T | undefined> {
  try {
    // Only the workspace's object writes here, in this shape.
    return (await env.KV.get<T>(name, "json")) ?? undefined;
  } catch (error) {
    console.warn(`a copy in KV could not be read: ${String(error)}`);
    return undefined;
  }
}
