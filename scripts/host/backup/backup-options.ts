/** The command lines of `backup` and `restore`. */
import { parseArgs } from "node:util";
import { defaultState } from "../options.ts";
import { UsageError } from "../usage-error.ts";

/** What both commands are told. */
export interface BackupOptions {
  readonly file: string;
  /** The state folder of the gateway that is meant. */
  readonly state: string;
  /** A gateway somewhere else: its address, where the setting ADMIN_TOKEN holds its token. */
  readonly url: string | undefined;
  /** One workspace; undefined: the whole deployment. */
  readonly workspace: string | undefined;
  /** The file whose first line is the passphrase. */
  readonly passphraseFile: string | undefined;
  /** Writes over a file that is there. */
  readonly force: boolean;
  /** Replaces without asking. */
  readonly yes: boolean;
  /** Reads the file to its end and changes nothing. */
  readonly check: boolean;
}

const common = `  --state FOLDER           the gateway's folder (default .state)
  --url ADDRESS            address of another gateway; its admin token is read from ADMIN_TOKEN
  --workspace ID           one workspace, not the whole deployment
  --passphrase-file FILE   a file whose first line is the passphrase
  --help                   show this help

The passphrase is read from GATEWAY_PASSPHRASE, from the file, or asked for.`;

/** What `--help` prints. */
export const backupUsage = {
  backup: `usage: npm run backup -- FILE [options]

Backs up everything to one file, encrypted with a passphrase.

  --force                  overwrite FILE if it exists
${common}`,
  restore: `usage: npm run restore -- FILE [options]

Replaces everything in the gateway by the backup. A damaged file changes nothing.

  --yes                    replace without asking
  --check                  only check the file and show what it contains
${common}`,
} as const;

/** One of the two commands. */
export type BackupCommand = keyof typeof backupUsage;

/** Throws a `UsageError`. Undefined when only help is wanted. */
export function readBackupOptions(
  command: BackupCommand,
  args: readonly string[],
): BackupOptions | undefined {
  const { values, positionals } = parsed(command, args);
  if (values.help) return undefined;
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new UsageError("name one file", command);
  return {
    file,
    state: values.state,
    url: values.url,
    workspace: values.workspace,
    passphraseFile: values["passphrase-file"],
    force: values.force,
    yes: values.yes,
    check: values.check,
  };
}

function parsed(command: BackupCommand, args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        state: { type: "string", default: process.env["GATEWAY_STATE"] ?? defaultState },
        url: { type: "string" },
        workspace: { type: "string" },
        "passphrase-file": { type: "string" },
        force: { type: "boolean", default: false },
        yes: { type: "boolean", default: false },
        check: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
  } catch (error) {
    // Node's own words name the option.
    const [problem = ""] = (error instanceof Error ? error.message : String(error)).split(/\. /);
    throw new UsageError(problem, command);
  }
}
