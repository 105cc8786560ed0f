/** The workspace's document with its generation, and its monthly quota. */
import type { Config } from "../../../store/config.ts";
import { readMeta, writeMeta } from "./meta.ts";

/** The document as it was written last. */
export interface StoredDocument {
  config: Config;
  generation: number;
}

/** Undefined in a new workspace. */
export function readStoredDocument(sql: SqlStorage): StoredDocument | undefined {
  const config = readMeta(sql, "document");
  if (config === undefined) return undefined;
  // Only validated documents are written.
  return { config: config as Config, generation: Number(readMeta(sql, "generation")) };
}

/** Replaces the document. */
export function writeStoredDocument(sql: SqlStorage, { config, generation }: StoredDocument): void {
  writeMeta(sql, "document", config);
  writeMeta(sql, "generation", generation);
}

/** Requests a month; null: no quota. */
export function readQuota(sql: SqlStorage): number | null {
  const quota = readMeta(sql, "quota");
  return typeof quota === "number" ? quota : null;
}

/** Requests a month; null: no quota. */
export function writeQuota(sql: SqlStorage, monthlyRequests: number | null): void {
  writeMeta(sql, "quota", monthlyRequests);
}
