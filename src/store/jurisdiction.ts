/** Where the law keeps a workspace's data: its id says it, so that every call reaches the right object. */

/** The jurisdictions that a workspace can be bound to. */
export const jurisdictions = ["eu", "us"] as const;
/** One of them. */
export type Jurisdiction = (typeof jurisdictions)[number];

/** How ids of new workspaces of the jurisdiction begin: `ws_eu_`, and `ws_` without one. */
export function workspaceIdPrefix(jurisdiction: Jurisdiction | null): string {
  return jurisdiction === null ? "ws_" : `ws_${jurisdiction}_`;
}

/** The jurisdiction that the id names; null where it names none. */
export function jurisdictionOf(workspace: string): Jurisdiction | null {
  const found = jurisdictions.find((name) => workspace.startsWith(workspaceIdPrefix(name)));
  return found ?? null;
}
