/** The versions of the workspace's document: one more with every change, and its event. */
import type { Config } from "../store/config.ts";
import type { Keyring } from "../store/keyring.ts";
import { renewedConfig } from "../store/secrets.ts";
import type { Snapshot } from "../store/snapshot.ts";
import type { AuditLog } from "./audit-log.ts";
import type {
  Actor,
  ChangeWay,
  DocumentChange,
  DocumentChanges,
  DocumentVersion,
} from "./contract/audit.ts";
import { systemActor } from "./rules/audit/audit-event.ts";
import { documentChanges } from "./rules/audit/document-changes.ts";
import {
  readVersionDocument,
  readVersions,
  rewriteVersion,
  versionNumbers,
  writeVersion,
} from "./storage/tables/versions.ts";

/** A change of the document: who made it and how, and the version that was put back, if one was. */
export interface DocumentChanger {
  by: Actor | undefined;
  way?: ChangeWay;
  restored?: number;
}

/** Keeps versions and writes them to the audit log. */
export class DocumentHistory {
  readonly #sql: SqlStorage;
  readonly #audit: AuditLog;

  /** A workspace without versions gets its first: the document as it is. */
  constructor(sql: SqlStorage, audit: AuditLog, { generation, config }: Snapshot) {
    this.#sql = sql;
    this.#audit = audit;
    if (versionNumbers(sql).length > 0) return;
    this.#write({ n: generation, actor: systemActor, changes: [], more: 0 }, config);
  }

  /** To be called inside the transaction that writes the document; a change that changed nothing leaves no trace. */
  note(before: Config, { generation: n, config }: Snapshot, changer: DocumentChanger): void {
    const found = documentChanges(before, config);
    if (found.changes.length === 0) return;
    const { by, way, restored } = changer;
    const how = { ...(way !== undefined && { way }), ...(restored !== undefined && { restored }) };
    this.#write({ n, actor: by ?? systemActor, ...how, ...found }, config);
    this.#audit.note(by, {
      action: restored === undefined ? "config.changed" : "config.restored",
      target: String(n),
      before: sideOf(found, "before"),
      after: {
        ...sideOf(found, "after"),
        ...(restored !== undefined && { restored_version: restored }),
        ...(found.more > 0 && { more_changes: found.more }),
      },
    });
  }

  /** Newest first. */
  list(limit: number): DocumentVersion[] {
    return readVersions(this.#sql, limit);
  }

  /** As stored, secrets sealed; undefined when there is no such version. */
  document(n: number): Config | undefined {
    return readVersionDocument(this.#sql, n);
  }

  /** Seals every secret of every version with the newest encryption key, one version after the other. */
  async renewSecrets(workspace: string, ring: Keyring): Promise<void> {
    for (const n of versionNumbers(this.#sql)) {
      const config = readVersionDocument(this.#sql, n);
      const renewed = config && (await renewedConfig(config, { workspace, ring }));
      if (renewed !== undefined) rewriteVersion(this.#sql, n, renewed);
    }
  }

  #write(version: Omit<DocumentVersion, "time">, config: Config): void {
    writeVersion(this.#sql, { ...version, time: new Date().toISOString() }, config);
  }
}

/** Values by path. */
function sideOf({ changes }: DocumentChanges, side: "before" | "after"): Record<string, unknown> {
  const entries = changes.filter((change) => side in change);
  return Object.fromEntries(entries.map((change: DocumentChange) => [change.path, change[side]]));
}
