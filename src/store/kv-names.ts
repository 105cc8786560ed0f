/** Names of what is kept in KV. */

/** Of a workspace's snapshot. */
export function snapshotName(workspace: string): string {
  return snapshotPrefix + workspace;
}

/** How names of snapshots begin. One is removed only with its workspace. */
export const snapshotPrefix = "snapshot:";

/** Of nothing: read to learn whether KV answers. */
export const readinessName = "readiness";

/** How names of the model lists begin that were read for a workspace. */
export function modelListsPrefix(workspace: string): string {
  return `models:${workspace}:`;
}
