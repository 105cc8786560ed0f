/** `npm run backup FILE` and `npm run restore FILE`. */
import { runBackup, runRestore } from "./host/backup/backup.ts";
import { backupUsage } from "./host/backup/backup-options.ts";
import { UsageError } from "./host/usage-error.ts";

const [word, ...args] = process.argv.slice(2);
const command = word === "restore" ? "restore" : "backup";

try {
  await (command === "restore" ? runRestore(args) : runBackup(args));
} catch (error) {
  const wrongUsage = error instanceof UsageError;
  console.error(error instanceof Error ? error.message : error);
  if (wrongUsage) console.error(`\n${backupUsage[command]}`);
  process.exitCode = wrongUsage ? 2 : 1;
}
