/** Persons as far as admission needs them: their limits, and whether they left. Written at once. */
import type { LimitEntry } from "../store/config.ts";
import type { Env } from "../store/env.ts";
import type { KeyRecord } from "../store/snapshot.ts";
import { sameJson } from "../lib/json.ts";
import type { AuditLog } from "./audit-log.ts";
import type { Actor } from "./contract/audit.ts";
import { publishKey, unpublishKey } from "./publish.ts";
import { keyFacts } from "./rules/audit/key-facts.ts";
import type { WorkspaceEvents } from "./events/workspace-events.ts";
import { changedKey } from "./rules/key-terms.ts";
import { dropKey, type PersonState, putKey, type WorkspaceState } from "./rules/state.ts";
import { removeKey, rewriteKey } from "./storage/tables/keys.ts";
import { writePerson } from "./storage/tables/people.ts";
import { forgetRemovedKeys } from "./storage/tables/removed.ts";

/** What changing a person reads and writes. */
export interface PeopleContext {
  ctx: DurableObjectState;
  env: Env;
  state: WorkspaceState;
  audit: AuditLog;
  events: WorkspaceEvents;
}

/** Changes persons with their keys, each time in one transaction. */
export class People {
  readonly #context: PeopleContext;

  constructor(context: PeopleContext) {
    this.#context = context;
  }

  /** Replaces the person's limits. Isolates hear of it with the next request of each of the person's keys. */
  setLimits(person: string, limits: readonly LimitEntry[], by: Actor | undefined): void {
    const { ctx, env, state, audit, events } = this.#context;
    const before = this.#stateOf(person).limits;
    if (sameJson(before, limits)) return;
    const keys = this.#keysOf(person).map((key) => changedKey(key, {}));
    this.#write(person, { ...this.#stateOf(person), limits }, (sql) => {
      for (const key of keys) rewriteKey(sql, key);
      audit.note(by, { action: "limits.changed", target: person, before, after: limits });
    });
    for (const key of keys) {
      putKey(state, key);
      publishKey(ctx, env, { key, state });
    }
    events.changed();
  }

  /** By the person's id; only of those who have some. */
  limits(): Record<string, readonly LimitEntry[]> {
    const limited = [...this.#context.state.people].filter(([, { limits }]) => limits.length > 0);
    return Object.fromEntries(limited.map(([person, { limits }]) => [person, limits]));
  }

  /** Marks the person as gone, and revokes their keys. Ids of the keys. */
  revoke(person: string, by: Actor | undefined): string[] {
    const { ctx, env, state, audit, events } = this.#context;
    const keys = this.#keysOf(person);
    this.#write(person, { ...this.#stateOf(person), left: true }, (sql) => {
      forgetRemovedKeys(sql, (key) => key.person === person);
      for (const key of keys) {
        removeKey(sql, key.id);
        audit.note(by, { action: "key.revoked", target: key.id, before: keyFacts(key) });
        events.tellOfKey("key.revoked", key);
      }
    });
    for (const key of keys) {
      dropKey(state, key);
      unpublishKey(ctx, env, key);
    }
    events.changed();
    return keys.map(({ id }) => id);
  }

  /** Keys can be made for the person again. */
  welcome(person: string): void {
    const known = this.#stateOf(person);
    if (known.left) this.#write(person, { ...known, left: false }, () => undefined);
  }

  #keysOf(person: string): KeyRecord[] {
    return [...this.#context.state.keys.values()].filter((key) => key.person === person);
  }

  #stateOf(person: string): PersonState {
    return this.#context.state.people.get(person) ?? { limits: [], left: false };
  }

  #write(person: string, next: PersonState, also: (sql: SqlStorage) => void): void {
    const { ctx, state } = this.#context;
    ctx.storage.transactionSync(() => {
      writePerson(ctx.storage.sql, person, next);
      also(ctx.storage.sql);
    });
    if (next.left || next.limits.length > 0) state.people.set(person, next);
    else state.people.delete(person);
  }
}
