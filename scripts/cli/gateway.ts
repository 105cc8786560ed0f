/** The packaged command: `gateway <command>`. */
import path from "node:path";
import { fileURLToPath } from "node:url";
import { settingsFilesOf } from "../host/state/admin-token.ts";
import { runGateway } from "./run-gateway.ts";
import { startPackage } from "./start-package.ts";

declare const __VERSION__: string;

await runGateway(process.argv.slice(2), {
  version: __VERSION__,
  start: startPackage,
  starting: {
    command: [process.execPath, path.resolve(fileURLToPath(import.meta.url)), "start"],
    settingsFiles: settingsFilesOf,
  },
});
