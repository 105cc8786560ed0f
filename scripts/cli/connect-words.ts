/** The line that connects a client to a gateway that is being started. */
import { existsSync, realpathSync } from "node:fs";
import { stateFolder } from "./state-folder.ts";

/** `npx gateway connect`, with `--state` where the command would not find this state folder by itself. */
export function connectWords(command: string, folder: string): string {
  const usual = stateFolder(undefined);
  const found = existsSync(usual) && realpathSync(usual) === folder;
  return `${command} connect${found ? "" : ` --state '${folder.replaceAll("'", String.raw`'\''`)}'`}`;
}
