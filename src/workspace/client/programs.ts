/** Ending what people signed in on their machines. */
import type { Env } from "../../store/env.ts";
import { onWorkspace } from "./on-workspace.ts";
import { calling, directoryStub } from "../remote.ts";

/** Every program that the person signed in is signed out, and its keys are revoked at once. */
export async function endProgramsOf(env: Env, person: string): Promise<void> {
  const ended = await calling(
    () => directoryStub(env),
    (directory) => directory.endPrograms({ person }),
  );
  for (const { id, workspace } of ended)
    await onWorkspace(env, workspace, (stub) => stub.endSignInKeys(id));
}
