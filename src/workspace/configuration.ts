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
import { keyFacts } from "./rules/audit/key-facts.ts";
import { type KeyChange, changedKey } from "./rules/key-terms.ts";
import { hasRoomForKey } from "./rules/key-count.ts";
import { keysReplacedBy, signInOfKey } from "./rules/sign-in-keys.ts";
import { dropKey, putKey, withSnapshot, type WorkspaceState } from "./rules/state.ts";
import { writeStoredDocument } from "./storage/tables/document.ts";
import { removeKey, rewriteKey, setKeyAside, writeKey } from "./storage/tables/keys.ts";
import {
  type Belongings,
  dropRestored,
  forgetOldRemoved,
  forgetRemovedKeys,
  readRemovedAfter,
  writeRemoved,
} from "./storage/tables/removed.ts";
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

/** Which keys are looked for. */
export interface KeySearch {
  readonly text: string;
  /** How many are wanted at most. */
  readonly most: number;
  /** Id of the person whose keys alone are wanted. */
  readonly person?: string;
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
    const lost = this.#belongingsWithout(config);
    const back = this.#belongingsBack(config, changer.restored);
    if (back.keys.length === 0 && sameJson(config, this.#state.snapshot.config))
      return { ok: true, generation };
    const next = this.#replace(config, (before, after) => {
      this.history.note(before.config, after, changer);
      this.#exchange(lost, back, after.generation);
      for (const key of lost.keys) this.#noteRevoked(key, changer.by);
      for (const key of back.keys) this.#noteRestored(key, changer.by);
    });
    this.#follow(lost, back);
    return { ok: true, generation: next.generation };
  }

  /** Keys that would stop working with that document, and those that restoring version `restored` would bring back. */
  keysTouched(
    config: Config,
    restored: number | undefined,
  ): { stopping: KeyRecord[]; returning: KeyRecord[] } {
    return {
      stopping: [...this.#belongingsWithout(config).keys],
      returning: [...this.#belongingsBack(config, restored).keys],
    };
  }

  /** What belongs to harnesses that the document does not have. */
  #belongingsWithout(config: Config): Belongings {
    const kept = harnessIds(config);
    const { keys, outcomes } = this.#state;
    return {
      keys: [...keys.values()]
        .filter(({ harness }) => !kept.has(harness))
        .map((key) => this.#withLastUse(key)),
      outcomes: Array.from(outcomes, ([harness, learned]) => ({
        harness,
        outcomes: learned,
      })).filter(({ harness }) => !kept.has(harness)),
    };
  }

  /** What went with harnesses that restoring a version brings back. */
  #belongingsBack(config: Config, restored: number | undefined): Belongings {
    if (restored === undefined) return { keys: [], outcomes: [] };
    const { keys, keysById, people, outcomes } = this.#state;
    const removed = readRemovedAfter(this.#ctx.storage.sql, restored);
    const present = harnessIds(config);
    const hasLeft = (person: string | undefined): boolean =>
      person !== undefined && people.get(person)?.left === true;
    return {
      keys: removed.keys.filter(
        ({ harness, hash, id, person }) =>
          present.has(harness) && !keys.has(hash) && !keysById.has(id) && !hasLeft(person),
      ),
      outcomes: removed.outcomes.filter(
        ({ harness }) => present.has(harness) && !outcomes.has(harness),
      ),
    };
  }

  /** In the transaction that writes the document. */
  #exchange(lost: Belongings, back: Belongings, version: number): void {
    const { sql } = this.#ctx.storage;
    for (const { id } of lost.keys) setKeyAside(sql, id);
    writeRemoved(sql, lost, version);
    for (const key of back.keys) writeKey(sql, key);
    dropRestored(sql, back);
    forgetOldRemoved(sql);
  }

  /** The same in memory. */
  #follow(lost: Belongings, back: Belongings): void {
    const { outcomes } = this.#state;
    for (const key of lost.keys) this.#forget(key);
    for (const key of back.keys) {
      putKey(this.#state, key);
      publishKey(this.#ctx, this.#env, { key, state: this.#state });
    }
    if (back.keys.length > 0) this.#events.changed();
    if (lost.outcomes.length + back.outcomes.length === 0) return;
    for (const { harness } of lost.outcomes) outcomes.delete(harness);
    for (const { harness, outcomes: learned } of back.outcomes) outcomes.set(harness, learned);
    this.#writes.changed({ live: true });
    this.#writes.flush();
  }

  /** `note` is called in the transaction that writes the document. */
  #replace(config: Config, note: (before: Snapshot, after: Snapshot) => void): Snapshot {
    const { snapshot } = this.#state;
    const next = { ...snapshot, config, generation: snapshot.generation + 1 };
    const timezone = this.#state.calendar.timezone;
    this.#writes.flush();
    this.#ctx.storage.transactionSync(() => {
      writeStoredDocument(this.#ctx.storage.sql, { config, generation: next.generation });
      note(snapshot, next);
    });
    withSnapshot(this.#state, next);
    if (this.#state.calendar.timezone !== timezone) this.#timezoneChanged();
    publishSnapshot(this.#ctx, this.#env, next);
    this.#events.changed();
    return next;
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

  /** False: there is no such harness. `left`: the key's person left the workspace. `full`: there are too many keys. */
  createKey(key: KeyRecord, by: Actor | undefined): boolean | "left" | "full" {
    const { harnesses, keys } = this.#state;
    if (harnesses.has(key.harness) && !hasRoomForKey(keys.values(), key)) return "full";
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
    const isIts = ({ id }: KeyRecord): boolean => signInOfKey(id) === signIn;
    forgetRemovedKeys(this.#ctx.storage.sql, isIts);
    this.#drop([...this.#state.keys.values()].filter(isIts));
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

  /** Keys by a part of their names, in any letter case; optionally of one person. */
  findKeys({ text, most, person }: KeySearch): KeyRecord[] {
    const wanted = text.toLowerCase();
    const isFound = ({ name, person: owner }: KeyRecord): boolean =>
      name.toLowerCase().includes(wanted) && (person === undefined || owner === person);
    return [...this.#state.keys.values()].filter(isFound).slice(0, most);
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

  #noteRestored(key: KeyRecord, by: Actor | undefined): void {
    this.#audit.note(by, { action: "key.restored", target: key.id, after: keyFacts(key) });
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
