/** The versions of the document that the workspace's object keeps. */
import type { DocumentVersion } from "../../../workspace/contract/audit.ts";
import { type AdminScope, askNewMethod } from "../scope.ts";

/** Newest first; the newest is in force. */
export async function lastVersions(scope: AdminScope, limit: number): Promise<DocumentVersion[]> {
  return await askNewMethod(
    scope,
    (stub) => stub.versions(limit),
    async () => [],
  );
}
