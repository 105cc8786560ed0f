/** Whether a change would overwrite what somebody else changed after its maker had looked. */
import type { Config } from "../../../store/config.ts";
import type { Snapshot } from "../../../store/snapshot.ts";
import type { DocumentVersion } from "../../../workspace/contract/audit.ts";
import { documentChanges } from "../../../workspace/rules/audit/document-changes.ts";
import { configConflict } from "../errors.ts";
import type { AdminScope } from "../scope.ts";
import { lastVersions } from "./versions.ts";

/** Versions that are compared: someone who missed more is told of all of them. */
const mostVersions = 20;

/** Throws 409 where `next` changes a setting that was changed since `scope.seen`. */
export async function checkSeen(scope: AdminScope, stored: Snapshot, next: Config): Promise<void> {
  const { seen } = scope;
  if (seen === undefined || seen >= stored.generation) return;
  const missed = (await lastVersions(scope, mostVersions)).filter(({ n }) => n > seen);
  const own = documentChanges(stored.config, next).changes.map(({ path }) => path);
  const both = own.filter((path) => missed.some((version) => changes(version, path)));
  const [newest] = missed;
  if (newest === undefined || both.length === 0) return;
  throw configConflict(conflictText(newest, both));
}

function changes({ changes: found, more }: DocumentVersion, path: string): boolean {
  return more > 0 || found.some((one) => isWithin(one.path, path) || isWithin(path, one.path));
}

/** Whether `path` is that place or inside it. */
function isWithin(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}.`) || path.startsWith(`${place}[`);
}

function conflictText({ actor }: DocumentVersion, paths: readonly string[]): string {
  const who = actor.email ?? "Somebody else";
  const more = paths.length > 3 ? ` and ${paths.length - 3} more` : "";
  return `${who} changed ${paths.slice(0, 3).join(", ")}${more} while this page was open. Nothing was saved. Save again to replace that change, or reload the page to see it.`;
}
