/** Calls the objects whose instances ended because the disk failed: only a call lets the next one try again. */
import { storageFault } from "../storage/storage-fault.ts";
import { unwritten } from "../storage/unwritten.ts";
import { onAdmittingWorkspace, type WorkspaceBindings } from "../remote.ts";

/** Any request does it, behind its answer; once a second at most. */
export function wakeStranded(
  env: WorkspaceBindings,
  waitUntil: (work: Promise<unknown>) => void,
): void {
  for (const workspace of unwritten.stranded())
    waitUntil(
      onAdmittingWorkspace(env, workspace, (stub) => stub.generation()).catch((error: unknown) => {
        if (storageFault(error) !== undefined) unwritten.noteUnopened(workspace);
        else console.error(`a workspace could not be woken: ${String(error)}`);
      }),
    );
}
