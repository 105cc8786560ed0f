/** The workspace's document and keys: written at once, then published. */
import type { Config } from "../store/config.ts";
import type { Env } from "../store/env.ts";
import { keyringOf } from "../store/keyring.ts";
import { renewedConfig } from "../store/secrets.ts";
import type { KeyRecord, Snapshot } from "../store/snapshot.ts";
import { sameJson } from "../lib/json.ts";
import type { AuditLog } from "./audit-log.ts";
import type { Actor } from "./contract/audit.ts";
import { type DocumentChanger, DocumentHistory } from "./document-history.ts";
import type { WorkspaceEvents } from "./events/workspace-events.ts";
import { publishKey, publishSnapshot, unpublishKey } from "./publish.ts";
import { keyFacts } from "./rules/key-facts.ts";
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
  audit: AuditLog;
  events: WorkspaceEvents;
  /** The time zone changed: periods and days begin elsewhere. */
  timezoneChanged: () => void;
}

/** Changes document and keys; what it acknowledges is on the disk, with the event that says who did it. */
export class Configuration {
  readonly history: DocumentHistory;
  readonly #ctx: DurableObjectState;
  readonly #env: Env;
  readonly #state: WorkspaceState;
  readonly #writes: WriteBehind;
  readonly #audit: AuditLog;
  readonly #events: WorkspaceEvents;
  readonly #timezoneChanged: () => void;

  constructor(context: ConfigurationContext) {
    const { ctx, env, state, writes, audit, events, timezoneChanged } = context;
    this.#ctx = ctx;
    this.#env = env;
    this.#state = state;
    this.#writes = writes;
    this.#audit = audit;
    this.history = new DocumentHistory(ctx.storage.sql, audit, state.snapshot);
    this.#events = events;
    this.#timezoneChanged = timezoneChanged;
  }

  /** Replaces the document, unless it changed since `generation`: then the caller reads it anew. */
  put(
    config: Config,
    generation: number,
    changer: DocumentChanger,
  ): { ok: boolean; generation: number } {
    if (generation !== this.#state.snapshot.generation)
      return { ok: false, generation: this.#state.snapshot.generation };
    const next = this.#replace(config, (before, after) => {
      this.history.note(before.config, after, changer);
      for (const key of this.#keysWithout(after.config)) this.#noteRevoked(key, changer.by);
    });
    return { ok: true, generation: next.generation };
  }

  /** `note` is called in the transaction that writes the document. */
  #replace(config: Config, note: (before: Snapshot, after: Snapshot) => void): Snapshot {
    const { snapshot } = this.#state;
    const next = { ...snapshot, config, generation: snapshot.generation + 1 };
    const timezone = this.#state.calendar.timezone;
    this.#writes.flush();
    this.#write(next, () => note(snapshot, next));
    withSnapshot(this.#state, next);
    if (this.#state.calendar.timezone !== timezone) this.#timezoneChanged();
    publishSnapshot(this.#ctx, this.#env, next);
    this.#events.changed();
    return next;
  }

  /** The document, without the keys and counts of harnesses that are gone. */
  #write({ config, generation }: Snapshot, note: () => void): void {
    const { sql } = this.#ctx.storage;
    const gone = this.#keysWithout(config);
    this.#ctx.storage.transactionSync(() => {
      writeStoredDocument(sql, { config, generation });
      for (const key of gone) removeKey(sql, key.id);
      note();
    });
    this.#forgetOutcomesWithout(config);
    for (const key of gone) this.#forget(key);
  }

  /** Keys whose harness the document does not have. */
  #keysWithout(config: Config): KeyRecord[] {
    const kept = harnessIds(config);
    return [...this.#state.keys.values()].filter(({ harness }) => !kept.has(harness));
  }

  #forgetOutcomesWithout(config: Config): void {
    const kept = harnessIds(config);
    const gone = [...this.#state.outcomes.keys()].filter((harness) => !kept.has(harness));
    if (gone.length === 0) return;
    for (const harness of gone) this.#state.outcomes.delete(harness);
    this.#writes.changed({ live: true });
    this.#writes.flush();
  }

  /** Seals every secret with the newest encryption key, those too that are stored in the clear. */
  async renewSecrets(): Promise<void> {
    const { workspace, config } = this.#state.snapshot;
    const ring = await keyringOf(this.#env.ENCRYPTION_KEY);
    await this.#events.webhooks.renewSecrets(ring);
    // The document comes last: while it is not renewed, the next start does it all again.
    await this.history.renewSecrets(workspace, ring);
    const renewed = await renewedConfig(config, { workspace, ring });
    if (renewed !== undefined) this.#replace(renewed, () => undefined);
  }

  /** False: there is no such harness. `left`: the key's person left the workspace. */
  createKey(key: KeyRecord, by: Actor | undefined): boolean | "left" {
    return this.#addKey(key, () => {
      this.#audit.note(by, { action: "key.created", target: key.id, after: keyFacts(key) });
      this.#events.tellOfKey("key.created", key);
    });
  }

  #addKey(key: KeyRecord, note: () => void): boolean | "left" {
    const { harnesses, people } = this.#state;
    if (!harnesses.has(key.harness)) return false;
    if (key.person !== undefined && people.get(key.person)?.left === true) return "left";
    this.#ctx.storage.transactionSync(() => {
      writeKey(this.#ctx.storage.sql, key);
      note();
    });
    putKey(this.#state, key);
    publishKey(this.#ctx, this.#env, { key, state: this.#state });
    publishSnapshot(this.#ctx, this.#env, this.#state.snapshot);
    this.#events.changed();
    return true;
  }

  /**
   * The key of a program's sign-in: the one that stands there where the same was made before, whose time it keeps. Older
   * ones of that sign-in go, and every sign-in's that expired. Undefined where `createKey` would make none. The audit log
   * has the sign-in and its end; the keys that follow each other every hour are in neither log.
   */
  createSignInKey(key: KeyRecord): KeyRecord | undefined {
    const known = this.#state.keys.get(key.hash);
    if (known !== undefined) return known;
    if (this.#addKey(key, () => undefined) !== true) return undefined;
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
  changeKey(
    { harness, id }: { harness: string; id: string },
    change: KeyChange,
    by: Actor | undefined,
  ): KeyRecord | undefined {
    const known = this.#keyOf(harness, id);
    if (known === undefined) return undefined;
    const changed = changedKey(known, change);
    const [before, after] = [keyFacts(known), keyFacts(changed)];
    if (sameJson(before, after)) return this.#withLastUse(known);
    this.#ctx.storage.transactionSync(() => {
      rewriteKey(this.#ctx.storage.sql, changed);
      this.#audit.note(by, { action: "key.changed", target: id, before, after });
    });
    putKey(this.#state, changed);
    publishKey(this.#ctx, this.#env, { key: changed, state: this.#state });
    this.#events.changed();
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
  deleteKey(harness: string, id: string, by: Actor | undefined): boolean {
    const key = this.#keyOf(harness, id);
    if (key === undefined) return false;
    this.#ctx.storage.transactionSync(() => {
      removeKey(this.#ctx.storage.sql, id);
      this.#noteRevoked(key, by);
    });
    this.#forget(key);
    this.#events.changed();
    return true;
  }

  /** Gone from the disk before it is acknowledged. */
  forgetOutcomes(harness: string, by: Actor | undefined): void {
    const before = this.#state.outcomes.get(harness);
    if (before === undefined) return;
    this.#ctx.storage.transactionSync(() => {
      this.#audit.note(by, { action: "learning.reset", target: harness, before });
      this.#state.outcomes.delete(harness);
      this.#writes.changed({ live: true });
      this.#writes.flush();
    });
  }

  #noteRevoked(key: KeyRecord, by: Actor | undefined): void {
    this.#audit.note(by, { action: "key.revoked", target: key.id, before: keyFacts(key) });
    this.#events.tellOfKey("key.revoked", key);
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

function harnessIds(config: Config): ReadonlySet<string> {
  return new Set((config.harnesses ?? []).map(({ id }) => id));
}
