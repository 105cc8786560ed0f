/** `npm run gateway -- <command>`: the packaged command, from the sources of a clone. */
import { runGateway } from "./cli/run-gateway.ts";
import { npmStarting } from "./host/backup/backup-gateway.ts";
import { packageVersion } from "./host/paths.ts";
import { startClone } from "./start.ts";

await runGateway(process.argv.slice(2), {
  version: packageVersion(),
  start: ({ args }) => startClone([...args]),
  starting: npmStarting,
});
