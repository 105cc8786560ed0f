/** The commands `backup` and `restore`. */
import { existsSync, renameSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { type BackupContents, readBackupFile } from "./backup-file.ts";
import { type BackupGateway, type BackupStart, gatewayFor } from "./backup-gateway.ts";
import {
  type BackupCommand,
  type BackupOptions,
  backupUsage,
  readBackupOptions,
} from "./backup-options.ts";
import { confirmed, readPassphrase } from "./backup-passphrase.ts";
import { download, type Transfer, upload } from "./backup-transfer.ts";
import { printable } from "../printable.ts";

/** Makes a backup as the arguments say. Throws, in words for the user. `starting`: how a gateway is started, if one must be. */
export async function runBackup(args: readonly string[], starting?: BackupStart): Promise<void> {
  const options = optionsOr(args, "backup");
  if (options === undefined) return;
  const { file } = options;
  if (!existsSync(path.dirname(file)))
    throw new Error(`${path.dirname(file)} does not exist: create the folder first`);
  if (isFolder(file)) throw new Error(`${file} is a folder: name a file in it`);
  if (existsSync(file) && !options.force)
    throw new Error(`${file} exists: name another file, or overwrite it with --force`);
  const passphrase = await readPassphrase(options.passphraseFile, { twice: true });
  const part = `${file}.${process.pid}.part`;
  const remove = (): void => rmSync(part, { force: true });
  process.once("exit", remove);
  await withGateway(options, { make: false, starting }, async (gateway) => {
    const progress = progressOf("backed up");
    await download({ gateway, workspace: options.workspace, passphrase, progress }, part);
  });
  const contents = await readBackupFile(part, passphrase);
  renameSync(part, file);
  console.log(`${file}: ${sizeText(statSync(file).size)}, written and verified.`);
  console.log(printable(contentsText(contents)));
}

/** Restores a backup as the arguments say. Throws, in words for the user. */
export async function runRestore(args: readonly string[], starting?: BackupStart): Promise<void> {
  const options = optionsOr(args, "restore");
  if (options === undefined) return;
  const { file } = options;
  if (!existsSync(file)) throw new Error(`${file} does not exist`);
  if (isFolder(file)) throw new Error(`${file} is a folder: name a backup file`);
  const passphrase = await readPassphrase(options.passphraseFile, { twice: false });
  const contents = await readBackupFile(file, passphrase);
  console.log(printable(contentsText(contents)));
  if (options.check) return console.log(`${file} is complete.`);
  if (process.stdin.isTTY && !options.yes && !(await confirmed(question(contents))))
    throw new Error("stopped: nothing was replaced");
  await withGateway(options, { make: true, starting }, async (gateway) => {
    const progress = progressOf("sent");
    const transfer: Transfer = { gateway, workspace: options.workspace, passphrase, progress };
    console.log(printable(outcomeText(await upload(transfer, file))));
  });
}

function isFolder(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
}

function optionsOr(args: readonly string[], command: BackupCommand): BackupOptions | undefined {
  const options = readBackupOptions(command, args);
  if (options === undefined) console.log(backupUsage[command]);
  return options;
}

async function withGateway(
  options: BackupOptions,
  { make, starting }: { make: boolean; starting: BackupStart | undefined },
  work: (gateway: BackupGateway) => Promise<void>,
): Promise<void> {
  const gateway = await gatewayFor(options, { make, ...(starting !== undefined && { starting }) });
  const onSignal = (): void => void gateway.close().then(() => process.exit(130));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, onSignal);
  try {
    await work(gateway);
  } finally {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, onSignal);
    await gateway.close();
  }
}

const megabyte = 1_000_000;

/** A line a ten megabytes, written over on a terminal. */
function progressOf(word: string): (bytes: number) => void {
  let told = 0;
  return (bytes) => {
    if (bytes - told < 10 * megabyte) return;
    told = bytes;
    process.stderr.write(`${word} ${sizeText(bytes)}${process.stderr.isTTY ? "\r" : "\n"}`);
  };
}

function sizeText(bytes: number): string {
  if (bytes < megabyte) return `${Math.ceil(bytes / 1000)} KB`;
  return `${(bytes / megabyte).toFixed(1)} MB`;
}

function contentsText({ header, rows }: BackupContents): string {
  const ids = header.workspaces.map(({ id }) => id);
  const of =
    header.scope === "deployment"
      ? `the whole deployment (workspaces: ${ids.join(", ")})`
      : `the workspace ${ids.join(", ")}`;
  const count = (table: string): number => rows.get(table) ?? 0;
  return `Created ${header.created} by version ${header.gateway}: ${of}; ${count("keys")} keys, ${count("requests")} requests in the log.`;
}

function question({ header }: BackupContents): string {
  const ids = header.workspaces.map(({ id }) => id).join(", ");
  return `Replace configuration, credentials, keys, log and usage of ${ids}?`;
}

interface Outcome {
  workspaces: {
    id: string;
    before: { keys: number; requests: number };
    after: { generation: number; keys: number; requests: number };
  }[];
  skipped: string[];
  untouched: string[];
}

/** The answer of `POST /api/restore` in sentences. */
function outcomeText(answer: unknown): string {
  // Answered by a gateway of this project.
  const { workspaces, skipped, untouched } = answer as Outcome;
  return [
    ...workspaces.map(
      ({ id, before, after }) =>
        `Restored ${id}: ${after.keys} keys (before: ${before.keys}), ${after.requests} requests in the log (before: ${before.requests}). The previous configuration is version ${after.generation - 1} in History.`,
    ),
    ...skipped.map((id) => `Skipped ${id}: it was deleted here.`),
    ...untouched.map((id) => `Left ${id} unchanged: it is not in the backup.`),
  ].join("\n");
}
