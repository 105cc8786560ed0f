/**
 * A restore, as the workspace's object sees it. Rows of the file gather in staged tables; when all of them are there, and
 * the deployment's directory has noted that it is so, they take the place of the present ones in one transaction. Whatever
 * is interrupted before that leaves the workspace as it was, and after it is finished by the next start of the object.
 */
import type { Config } from "../../store/config.ts";
import type { Env } from "../../store/env.ts";
import type { KeyRecord } from "../../store/snapshot.ts";
import type { Actor, AuditEvent } from "../contract/audit.ts";
import { chainedHash, firstHash } from "../rules/audit/audit-chain.ts";
import type { MonthCount } from "../rules/month.ts";
import { documentChanges } from "../rules/audit/document-changes.ts";
import type { PersonState } from "../rules/state.ts";
import { auditEventOf, readAuditHead } from "../storage/tables/audit.ts";
import { readPlan, type StoredPlan, writePlan } from "../storage/tables/plan.ts";
import {
  readQuota,
  readStoredDocument,
  type StoredDocument,
  writeQuota,
  writeStoredDocument,
} from "../storage/tables/document.ts";
import { readKeys, removeKey } from "../storage/tables/keys.ts";
import { readLive, type SavedLive, writeSavedLive } from "../storage/tables/live.ts";
import { writeMeta } from "../storage/tables/meta.ts";
import { hasTable, type Migration } from "../storage/sql/schema-version.ts";
import { readingPace, sliceRows } from "../storage/sql/slices.ts";
import {
  addStaged,
  dropStaged,
  emptyStaged,
  replaceTables,
  stagedName,
  stageTables,
  UnfitRowsError,
} from "../storage/sql/staged-tables.ts";
import { readPeople, writePerson } from "../storage/tables/people.ts";
import { forgetRemovedKeys } from "../storage/tables/removed.ts";
import { writeVersion } from "../storage/tables/versions.ts";
import { resealedRows, ringForFile } from "./resealed-rows.ts";
import type {
  RestoreReport,
  RestoreRows,
  RestoreTerms,
  WorkspaceCounts,
} from "../contract/restore.ts";

/** Stands for the process in which the saved requests ran: none that runs now. */
const goneProcess = "before the restore";

/** What the object notes of a restore; `swapped`: copies in KV are still to be renewed. */
interface RestoreNote {
  id: string;
  schema: number;
  stage: "filling" | "ready" | "swapped";
  terms?: RestoreTerms;
  report?: RestoreReport;
  /** Hashes of keys that are gone. */
  gone?: string[];
}

/** What restoring a workspace needs. */
export interface WorkspaceRestoreContext {
  readonly storage: DurableObjectStorage;
  readonly env: Env;
  readonly workspace: string;
  readonly migrations: readonly Migration[];
  /** Adds to the audit log, within the transaction of the change. */
  readonly note: (by: Actor, deed: Omit<AuditEvent, "actor">) => void;
}

/** Fills staged tables, and puts them in place. */
export class WorkspaceRestore {
  readonly #context: WorkspaceRestoreContext;
  readonly #sql: SqlStorage;

  constructor(context: WorkspaceRestoreContext) {
    this.#context = context;
    this.#sql = context.storage.sql;
  }

  /** Undefined where nothing is being restored. */
  get note(): Readonly<RestoreNote> | undefined {
    if (!hasTable(this.#sql, "restoring")) return undefined;
    const [row] = this.#sql.exec("SELECT note FROM restoring WHERE one = 1").toArray();
    // Written by #write alone.
    return row === undefined ? undefined : (JSON.parse(String(row["note"])) as RestoreNote);
  }

  /** Makes empty tables of that version; what was staged before is gone. */
  begin(id: string, schema: number): void {
    const { storage, migrations } = this.#context;
    stageTables(storage, migrations, schema);
    this.#write({ id, schema, stage: "filling" });
  }

  /** Adds rows, with their credentials sealed for this deployment. `credentialKey`: of the file. */
  async add(id: string, rows: RestoreRows, credentialKey: string): Promise<void> {
    this.#noteOf(id, "filling");
    const ring = await ringForFile(credentialKey, this.#context.env.ENCRYPTION_KEY);
    const resealed = await resealedRows(rows, { workspace: this.#context.workspace, ring });
    this.#context.storage.transactionSync(() => addStaged(this.#sql, resealed));
  }

  /** Forgets what was added to these tables. */
  again(id: string, tables: readonly string[]): void {
    this.#noteOf(id, "filling");
    emptyStaged(this.#sql, tables);
  }

  /** All rows are there: checks them, and says what the restore will do. Throws UnfitRowsError. */
  async ready(id: string, terms: RestoreTerms): Promise<RestoreReport> {
    const note = this.#noteOf(id, "filling");
    const document = await this.#stagedDocument();
    const chain = await this.#auditChain();
    const audit = this.#auditFate(terms, chain);
    const before = this.counts();
    const generation = Math.max(before.generation, document.generation) + 2;
    const after = { ...this.#stagedCounts(terms), generation, ...sizes(document.config) };
    const events = audit === "kept" ? before.audit_events : after.audit_events;
    const report = { before, after: { ...after, audit_events: events + 1 }, audit };
    this.#write({ ...note, stage: "ready", terms, report });
    return report;
  }

  /** Puts the staged tables in place. Nothing may wait to be written. Safe to call again. */
  commit(id: string): RestoreReport | undefined {
    const { note } = this;
    if (note?.id !== id || note.stage === "filling") return undefined;
    if (note.stage === "ready") this.#context.storage.transactionSync(() => this.#replace(note));
    return note.report;
  }

  /** Nothing is restored. */
  drop(id: string): void {
    const { note } = this;
    if (note?.id !== id || note.stage === "swapped") return;
    this.#context.storage.transactionSync(() => {
      dropStaged(this.#sql);
      this.#end();
    });
  }

  /** Copies in KV are as the tables say. */
  settled(): void {
    this.#end();
  }

  /** What the workspace holds now. */
  counts(): WorkspaceCounts {
    const document = readStoredDocument(this.#sql);
    return {
      generation: document?.generation ?? 0,
      ...sizes(document?.config ?? {}),
      keys: this.#count('"keys"'),
      requests: this.#count('"requests"'),
      audit_events: this.#count('"audit"'),
    };
  }

  #replace(note: RestoreNote): void {
    const { storage, migrations, workspace } = this.#context;
    const { terms, report } = note;
    if (terms === undefined || report === undefined) return;
    const sql = this.#sql;
    const before = this.#present();
    const keep = new Set(report.audit === "kept" ? ["audit"] : []);
    replaceTables({ storage, migrations, version: note.schema, keep });
    writeMeta(sql, "workspace", workspace);
    this.#keepAccounts(before, terms);
    if (!terms.whole) this.#keepAway(before.people);
    this.#putDocument(before.document, terms);
    this.#tell(note);
    const kept = new Set(readKeys(sql).map(({ hash }) => hash));
    const gone = before.hashes.filter((hash) => !kept.has(hash));
    this.#write({ ...note, stage: "swapped", gone });
  }

  #present(): PresentAccounts {
    const sql = this.#sql;
    return {
      document: readStoredDocument(sql),
      live: readLive(sql),
      plan: readPlan(sql),
      quota: readQuota(sql),
      people: readPeople(sql),
      hashes: readKeys(sql).map(({ hash }) => hash),
    };
  }

  /** Requests that ran when the backup was made are over; an owner's restore gives no requests of this month back. */
  #keepAccounts({ live, plan, quota }: PresentAccounts, terms: RestoreTerms): void {
    const sql = this.#sql;
    const restored = readLive(sql);
    const isOwner = terms.trust === "owner";
    const month = isOwner ? greaterMonth(restored?.month, live?.month) : restored?.month;
    if (restored !== undefined) {
      const { month: _month, ...rest } = restored;
      writeSavedLive(sql, { ...rest, ...(month !== undefined && { month }), boot: goneProcess });
    }
    if (terms.whole) return;
    writePlan(sql, plan);
    writeQuota(sql, quota);
  }

  /**
   * Who is a member is the directory's to say, which stays as it is: whoever left since the backup comes back by no file,
   * nor do their keys, and whoever came back since stays.
   */
  #keepAway(people: PresentAccounts["people"]): void {
    const sql = this.#sql;
    const restored = readPeople(sql);
    for (const id of new Set([...people.keys(), ...restored.keys()])) {
      const left = people.get(id)?.left === true;
      writePerson(sql, id, { limits: restored.get(id)?.limits ?? [], left });
    }
    const isAway = ({ person }: KeyRecord) =>
      person !== undefined && people.get(person)?.left === true;
    for (const { id } of readKeys(sql).filter(isAway)) removeKey(sql, id);
    forgetRemovedKeys(sql, isAway);
  }

  /** The document that is replaced stays as a version of its own, so that it can be brought back. */
  #putDocument(before: StoredDocument | undefined, { by }: RestoreTerms): void {
    const sql = this.#sql;
    const restored = readStoredDocument(sql);
    if (restored === undefined) return;
    const { config } = restored;
    const n = Math.max(before?.generation ?? 0, restored.generation) + 2;
    const time = new Date().toISOString();
    sql.exec("DELETE FROM versions WHERE n >= ?", n - 1);
    if (before !== undefined) {
      const changes = documentChanges(config, before.config);
      writeVersion(
        sql,
        { n: n - 1, time, actor: by, way: "before-backup", ...changes },
        before.config,
      );
      const back = documentChanges(before.config, config);
      writeVersion(sql, { n, time, actor: by, way: "backup", ...back }, config);
    }
    writeStoredDocument(sql, { config, generation: n });
  }

  #tell({ terms, report }: RestoreNote): void {
    if (terms === undefined || report === undefined) return;
    this.#context.note(terms.by, {
      action: "backup.restored",
      target: terms.created,
      before: { ...report.before },
      after: { ...report.after, audit: report.audit },
    });
  }

  /**
   * The document's shape is checked: everything else reads it as one that was. Its schema is loaded on demand, because
   * a request needs none.
   */
  async #stagedDocument(): Promise<{ config: Config; generation: number }> {
    const { configSchema } = await import("../../store/config.ts");
    const document = this.#stagedMeta("document");
    const generation = Number(this.#stagedMeta("generation"));
    const parsed = configSchema.safeParse(document);
    if (!parsed.success || !Number.isSafeInteger(generation))
      throw new UnfitRowsError("its document is not one that this version knows");
    return { config: document as Config, generation };
  }

  #stagedMeta(name: string): unknown {
    const query = `SELECT value FROM ${stagedName("meta")} WHERE name = ?`;
    const [row] = this.#sql.exec(query, name).toArray();
    return row === undefined ? undefined : JSON.parse(String(row["value"]));
  }

  #stagedCounts({ whole }: RestoreTerms) {
    const away = "person IN (SELECT id FROM people WHERE has_left = 1)";
    const keys = stagedName("keys");
    return {
      keys: this.#count(whole ? keys : `${keys} WHERE person IS NULL OR NOT ${away}`),
      requests: this.#count(stagedName("requests")),
      audit_events: this.#count(stagedName("audit")),
    };
  }

  #count(table: string): number {
    return Number(this.#sql.exec(`SELECT COUNT(*) AS count FROM ${table}`).one()["count"]);
  }

  /**
   * Owners cannot replace what tells of them. Neither does anybody need to, where the present log goes on from the file's:
   * then it is longer and right.
   */
  #auditFate({ trust }: RestoreTerms, { head, whole }: AuditChain): RestoreReport["audit"] {
    if (trust === "owner" || this.#goesOnFrom(head)) return "kept";
    return whole ? "replaced" : "broken";
  }

  #goesOnFrom({ seq, hash }: AuditChain["head"]): boolean {
    if (seq === 0) return readAuditHead(this.#sql).seq > 0;
    const [row] = this.#sql.exec("SELECT hash FROM audit WHERE seq = ?", seq).toArray();
    return row?.["hash"] === hash;
  }

  /** Follows the staged log from its first event on, in slices. */
  async #auditChain(): Promise<AuditChain> {
    const query = `SELECT * FROM ${stagedName("audit")} WHERE seq > ? AND seq <= ? ORDER BY seq`;
    const last = Number(
      this.#sql.exec(`SELECT COALESCE(MAX(seq), 0) AS seq FROM ${stagedName("audit")}`).one()[
        "seq"
      ],
    );
    let head = { seq: 0, hash: firstHash };
    for (let from = 0; from < last; from += sliceRows / 10) {
      for (const row of this.#sql.exec(query, from, from + sliceRows / 10).toArray()) {
        const { seq, hash, ...event } = auditEventOf(row);
        const follows = seq === head.seq + 1 && chainedHash(head.hash, event) === hash;
        if (!follows) return { head, whole: false };
        head = { seq, hash };
      }
      await readingPace.turn(this.#context.workspace);
    }
    return { head, whole: true };
  }

  #noteOf(id: string, stage: RestoreNote["stage"]): RestoreNote {
    const { note } = this;
    if (note?.id !== id || note.stage !== stage)
      throw new UnfitRowsError("this restore is not under way any more");
    return note;
  }

  #write(note: RestoreNote): void {
    this.#sql.exec(
      "CREATE TABLE IF NOT EXISTS restoring (one INTEGER PRIMARY KEY CHECK (one = 1), note TEXT NOT NULL)",
    );
    this.#sql.exec(
      "INSERT OR REPLACE INTO restoring (one, note) VALUES (1, ?)",
      JSON.stringify(note),
    );
  }

  #end(): void {
    this.#sql.exec("DROP TABLE IF EXISTS restoring");
  }
}

/** What a restore keeps from before, or reports. */
interface PresentAccounts {
  readonly document: StoredDocument | undefined;
  readonly live: SavedLive | undefined;
  readonly plan: StoredPlan;
  readonly quota: number | null;
  readonly people: ReadonlyMap<string, PersonState>;
  /** Of keys. */
  readonly hashes: readonly string[];
}

interface AuditChain {
  /** The last event up to which all follow each other. */
  readonly head: { readonly seq: number; readonly hash: string };
  readonly whole: boolean;
}

function sizes({ providers = [], harnesses = [] }: Config) {
  return { providers: providers.length, harnesses: harnesses.length };
}

function greaterMonth(
  one: MonthCount | undefined,
  other: MonthCount | undefined,
): MonthCount | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  if (one.start !== other.start) return one.start > other.start ? one : other;
  return one.requests > other.requests ? one : other;
}
