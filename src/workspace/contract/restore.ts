/** The contract of a restore between the reader of the file and the objects whose tables it fills. */
import type { Actor } from "./audit.ts";
import type { StoredValue } from "../../store/backup/records.ts";

/** Rows for a workspace, or the directory, that waits to be restored. */
export interface RestoreRows {
  table: string;
  columns: string[];
  rows: StoredValue[][];
}

/** How far a restore of the deployment is, as its directory says. */
export type RestoreStage = "running" | "decided" | "unknown";

/** How a workspace is restored. */
export interface RestoreTerms {
  by: Actor;
  /** When the backup was made; ISO 8601 UTC. */
  created: string;
  /**
   * `administrator`: everything is as the file says. `owner`: the audit log, the plan and this month's requests stay, for
   * they are kept to look at what owners do.
   */
  trust: "administrator" | "owner";
  /** Whether the file has the directory's part too: then the plan is what it says there. */
  whole: boolean;
}

/** What a workspace holds, counted. */
export interface WorkspaceCounts {
  /** Of the document. */
  generation: number;
  providers: number;
  harnesses: number;
  keys: number;
  requests: number;
  audit_events: number;
}

/** What a restore would do to a workspace, or did. */
export interface RestoreReport {
  before: WorkspaceCounts;
  after: WorkspaceCounts;
  /** What becomes of the audit log; `broken` where the file's does not follow from its first event on. */
  audit: "kept" | "replaced" | "broken";
}
