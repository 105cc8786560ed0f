/** The workspace's document and keys: written at once, then published. */
import type { Config } from "../store/config.ts";
import type { Env } from "../store/env.ts";
import { keyringOf } from "../store/keyring.ts";
import { renewedConfig } from "../store/secrets.ts";
import type { KeyRecord, Snapshot } from "../store/snapshot.ts";
import { publishKey, publishSnapshot, unpublishKey } from "./publish.ts";
import { type KeyChange, changedKey } from "./rules/key-terms.ts";
import { keysReplacedBy, signInOfKey } from "./rules/sign-in-keys.ts";
import { dropKey, putKey, withSnapshot, type WorkspaceState } from "./rules/state.ts";
import { writeStoredDocument } from "./storage/document.ts";
import { removeKey, rewriteKey, writeKey } from "./storage/keys.ts";
import type { WriteBehind } from "./storage/write-behind.ts";

/** What changing a workspace reads and writes. */
export interface ConfigurationContext {
  ctx: DurableObjectState;
  env: Env;
  state: WorkspaceState;
  writes: WriteBehind;
  /** The time zone changed: periods and days begin elsewhere. */
  timezoneChanged: () => void;
}

/** Changes document and keys; what it acknowledges is on the disk. */
export class Configuration {
  readonly #ctx: DurableObjectState;
  readonly #env: Env;
  readonly #state: WorkspaceState;
  readonly #writes: WriteBehind;
  readonly #timezoneChanged: () => void;

  constructor({ ctx, env, state, writes, timezoneChanged }: ConfigurationContext) {
    this.#ctx = ctx;
    this.#env = env;
    this.#state = state;
    this.#writes = writes;
    this.#timezoneChanged = timezoneChanged;
  }

  /** Replaces the document, unless it changed since `generation`: then the caller reads it anew. */
  put(config: Config, generation: number): { ok: boolean; generation: number } {
    const { snapshot } = this.#state;
    if (generation !== snapshot.generation) return { ok: false, generation: snapshot.generation };
    const next = { ...snapshot, config, generation: generation + 1 };
    const timezone = this.#state.calendar.timezone;
    this.#writes.flush();
    this.#write(next);
    withSnapshot(this.#state, next);
    if (this.#state.calendar.timezone !== timezone) this.#timezoneChanged();
    publishSnapshot(this.#ctx, this.#env, next);
    return { ok: true, generation: next.generation };
  }

  /** The document, without the keys and counts of harnesses that are gone. */
  #write({ config, generation }: Snapshot): void {
    const { sql } = this.#ctx.storage;
    const kept = new Set((config.harnesses ?? []).map(({ id }) => id));
    const gone = [...this.#state.keys.values()].filter(({ harness }) => !kept.has(harness));
    this.#ctx.storage.transactionSync(() => {
      writeStoredDocument(sql, { config, generation });
      for (const key of gone) removeKey(sql, key.id);
    });
    for (const harness of this.#state.outcomes.keys())
      if (!kept.has(harness)) this.forgetOutcomes(harness);
    for (const key of gone) this.#forget(key);
  }

  /** Seals every secret with the newest encryption key, those too that are stored in the clear. */
  async renewSecrets(): Promise<void> {
    const { workspace, config, generation } = this.#state.snapshot;
    const ring = await keyringOf(this.#env.ENCRYPTION_KEY);
    const renewed = await renewedConfig(config, { workspace, ring });
    if (renewed !== undefined) this.put(renewed, generation);
  }

  /** False: there is no such harness. `left`: the key's person left the workspace. */
  createKey(key: KeyRecord): boolean | "left" {
    const { harnesses, people } = this.#state;
    if (!harnesses.has(key.harness)) return false;
    if (key.person !== undefined && people.get(key.person)?.left === true) return "left";
    writeKey(this.#ctx.storage.sql, key);
    putKey(this.#state, key);
    publishKey(this.#ctx, this.#env, { key, state: this.#state });
    publishSnapshot(this.#ctx, this.#env, this.#state.snapshot);
    return true;
  }

  /**
   * The key of a program's sign-in: the one that stands there where the same was made before, whose time it keeps. Older
   * ones of that sign-in go, and every sign-in's that expired. Undefined where `createKey` would make none.
   */
  createSignInKey(key: KeyRecord): KeyRecord | undefined {
    const known = this.#state.keys.get(key.hash);
    if (known !== undefined) return known;
    if (this.createKey(key) !== true) return undefined;
    this.#drop(keysReplacedBy(key, this.#state.keys.values(), Date.parse(key.created_at)));
    return key;
  }

  /** That sign-in's keys are revoked. */
  endSignInKeys(signIn: string): void {
    this.#drop([...this.#state.keys.values()].filter(({ id }) => signInOfKey(id) === signIn));
  }

  #drop(keys: readonly KeyRecord[]): void {
    this.#ctx.storage.transactionSync(() => {
      for (const { id } of keys) removeKey(this.#ctx.storage.sql, id);
    });
    for (const key of keys) this.#forget(key);
  }

  /** The key as it is now; undefined when the harness has no such key. Admission tells isolates that know the old one. */
  changeKey({ harness, id }: { harness: string; id: string }, change: KeyChange) {
    const known = this.#keyOf(harness, id);
    if (known === undefined) return undefined;
    const changed = changedKey(known, change);
    rewriteKey(this.#ctx.storage.sql, changed);
    putKey(this.#state, changed);
    publishKey(this.#ctx, this.#env, { key: changed, state: this.#state });
    return this.#withLastUse(changed);
  }

  /** Oldest first; undefined when there is no such harness. */
  listKeys(harness: string): KeyRecord[] | undefined {
    if (!this.#state.harnesses.has(harness)) return undefined;
    const keys = [...this.#state.keys.values()].filter((key) => key.harness === harness);
    return keys.map((key) => this.#withLastUse(key));
  }

  #withLastUse(key: KeyRecord): KeyRecord {
    const used = this.#writes.lastUse(key.id);
    return used === undefined ? key : { ...key, last_used_at: new Date(used).toISOString() };
  }

  /** False: the harness has no such key. */
  deleteKey(harness: string, id: string): boolean {
    const key = this.#keyOf(harness, id);
    if (key === undefined) return false;
    removeKey(this.#ctx.storage.sql, id);
    this.#forget(key);
    return true;
  }

  /** Gone from the disk before it is acknowledged. */
  forgetOutcomes(harness: string): void {
    this.#state.outcomes.delete(harness);
    this.#writes.changed({ live: true });
    this.#writes.flush();
  }

  #keyOf(harness: string, id: string): KeyRecord | undefined {
    const key = this.#state.keysById.get(id);
    return key?.harness === harness ? key : undefined;
  }

  #forget(key: KeyRecord): void {
    dropKey(this.#state, key);
    unpublishKey(this.#ctx, this.#env, key);
  }
}
