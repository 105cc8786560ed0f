/** Runs `gateway <command>`, for the package and for a clone. */
import { runBackup, runRestore } from "../host/backup/backup.ts";
import type { BackupStart } from "../host/backup/backup-gateway.ts";
import { isOldNode, oldNode } from "../host/node-version.ts";
import { printable } from "../host/printable.ts";
import { causeOf } from "../host/running/test-request.ts";
import { UsageError } from "../host/usage-error.ts";
import { runBackupCommand } from "./backup-command.ts";
import { readCommandLine, type Given } from "./command-line.ts";
import { commandNamed } from "./commands.ts";
import { runConnect } from "./connect/connect-command.ts";
import { runDisconnect } from "./connect/disconnect-command.ts";
import { runDoctor } from "./doctor/doctor-command.ts";
import { commandHelp, generalHelp, usageLine } from "./help.ts";

/** What differs between the package and a clone. */
export interface Installation {
  readonly version: string;
  /** `gateway start`; it goes on. */
  start(given: Given): Promise<void>;
  /** How a gateway is started for the time of a backup. */
  readonly starting: BackupStart;
}

/** Runs it to its end, or until it only goes on serving; sets the exit code. */
export async function runGateway(
  args: readonly string[],
  installation: Installation,
): Promise<void> {
  try {
    const code = await run(args, installation);
    if (typeof code === "number") process.exitCode = code;
  } catch (error) {
    process.exit(explain(error));
  }
}

/** The exit code, or nothing where it goes on or is well. */
async function run(
  args: readonly string[],
  { version, start, starting }: Installation,
): Promise<number | void> {
  const line = readCommandLine(args);
  if (line.kind === "version") return console.log(version);
  if (line.kind === "help")
    return console.log(line.command === undefined ? generalHelp() : commandHelp(line.command));
  const runs: Readonly<Record<string, (given: Given) => Promise<number | void>>> = {
    start,
    connect: runConnect,
    disconnect: runDisconnect,
    doctor: runDoctor,
    backup: (given) => runBackupCommand(given, (all) => runBackup(all, starting)),
    restore: (given) => runBackupCommand(given, (all) => runRestore(all, starting)),
  };
  if (isOldNode(process.versions.node) && line.command.name !== "doctor")
    throw new Error(oldNode());
  try {
    return await runs[line.command.name]?.(line.given);
  } catch (error) {
    if (!(error instanceof UsageError) || error.command !== undefined) throw error;
    throw new UsageError(error.message, line.command.name);
  }
}

function explain(error: unknown): number {
  if (!(error instanceof UsageError)) {
    console.error(printable(causeOf(error)));
    return 1;
  }
  const command = error.command === undefined ? undefined : commandNamed(error.command);
  console.error(printable(`gateway: ${error.message}`));
  console.error(command === undefined ? generalHelp() : usageLine(command));
  return 2;
}
