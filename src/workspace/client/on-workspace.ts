/** Calls of a workspace's object that find booked what ended in this isolate before. */
import { bookEnded } from "./ended-requests.ts";
import { callWorkspace, type WorkspaceBindings, type WorkspaceStub } from "../remote.ts";

/** Calls the object: who asks after an answer finds its row. Throws M501 where too many workspaces are in use. */
export async function onWorkspace<Answer>(
  env: WorkspaceBindings,
  workspace: string,
  call: (stub: WorkspaceStub) => Promise<Answer>,
): Promise<Answer> {
  await bookEnded(env, workspace);
  return await callWorkspace(env, workspace, call);
}
