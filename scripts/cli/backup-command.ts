/** `gateway backup` and `gateway restore`: those of a clone, on the state folder of this command. */
import type { Given } from "./command-line.ts";
import { stateFolder } from "./state-folder.ts";

/** Runs one of them with its arguments, on the state folder that is meant. */
export async function runBackupCommand(
  { args, values }: Given,
  work: (args: readonly string[]) => Promise<void>,
): Promise<void> {
  await work(["--state", stateFolder(values["state"]), ...args]);
}
