/** The names of models that were counted separately today, as one value. */
import type { ModelNames } from "../../rules/sums/model-names.ts";
import { readMeta, writeMeta } from "./meta.ts";

/** None in a new workspace. */
export function readModelNames(sql: SqlStorage): ModelNames {
  // Written by writeModelNames alone.
  const saved = readMeta(sql, "names") as { day: number; names: string[] } | undefined;
  return { day: saved?.day ?? 0, names: new Set(saved?.names) };
}

/** Replaces them. */
export function writeModelNames(sql: SqlStorage, { day, names }: ModelNames): void {
  writeMeta(sql, "names", { day, names: [...names] });
}
