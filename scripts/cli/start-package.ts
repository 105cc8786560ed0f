/** `gateway start` of the package. */
import path from "node:path";
import { startGateway } from "../start.ts";
import type { Given } from "./command-line.ts";
import { commandName } from "./command-name.ts";
import { connectWords } from "./connect-words.ts";
import { copyModules } from "./prebuilt.ts";
import { stateFolder } from "./state-folder.ts";

/** Starts the gateway from the package's own modules; it runs until it is told to end. */
export async function startPackage({ args, values }: Given): Promise<void> {
  await startGateway(["--state", stateFolder(values["state"]), ...args], {
    modules: (folder) => Promise.resolve(copyModules(folder)),
    // In the state folder: a file of that name in the folder where it is started may be another program's.
    devVars: (folder) => path.join(folder, ".dev.vars"),
    startWords: `${commandName()} start`,
    connectWords: (folder) => connectWords(commandName(), folder),
  });
}
