/** Restores a backup: reads the file to its end into staged tables, and only then lets them take the place of the present ones. */
import type { ByteReader } from "../../lib/bytes.ts";
import { newId } from "../../lib/ids.ts";
import { invalid, Problem, problemCodes } from "../../core/problem.ts";
import { BackupOpener, damagedBackup } from "../../store/backup/format.ts";
import { checkedPassphrase } from "../../store/backup/passphrase.ts";
import {
  type BackupHeader,
  type BackupRecord,
  type BackupRows,
  FrameReader,
} from "../../store/backup/records.ts";
import { keyringOf } from "../../store/keyring.ts";
import type { RestoreReport, RestoreTerms } from "../../workspace/contract/restore.ts";
import { isDeletedWorkspaceError } from "../../workspace/storage/tables/erasure-mark.ts";
import { workspaceMigrations } from "../../workspace/storage/migrations.ts";
import { askDirectory } from "../shared/credentials/access.ts";
import { askWorkspace } from "../shared/scope.ts";
import { type BackupCaller, meansDeployment } from "./backup-scope.ts";
import { passTurns } from "./pass-pace.ts";

/** What a restore did. */
export interface RestoreOutcome {
  /** When the backup was made; ISO 8601 UTC. */
  created: string;
  /** Version of the gateway that made it. */
  gateway: string;
  scope: BackupHeader["scope"];
  workspaces: (RestoreReport & { id: string })[];
  /** Workspaces of the file that were deleted here: they stay deleted. */
  skipped: string[];
  /** Workspaces of this deployment that the file does not have: they stay as they are. */
  untouched: string[];
}

/** A restore under way. */
interface Restoring {
  readonly id: string;
  readonly caller: BackupCaller;
  readonly header: BackupHeader;
  readonly terms: RestoreTerms;
  /** Ids of those that are filled. */
  readonly workspaces: readonly string[];
  readonly skipped: readonly string[];
}

/** The oldest schema that wrote backups. */
const oldestSchema = 9;

/** Throws a 400 that names `file` or `passphrase`, 403, and 409 while another restore is under way; nothing changed then. */
export async function restoreFrom(
  reader: ByteReader,
  given: unknown,
  caller: BackupCaller,
): Promise<RestoreOutcome> {
  const passphrase = checkedPassphrase(given);
  const ring = await keyringOf(caller.scope.env.ENCRYPTION_KEY);
  const turn = passTurns(caller.scope.workspace);
  const opener = await BackupOpener.begin(reader, { passphrase, ring, turn });
  const frames = new FrameReader(() => trustedPart(opener, caller));
  const header = await readHeader(frames);
  checkMeant(header, caller);
  const restoring = await begin(header, caller);
  try {
    await fill(restoring, frames);
    return await decide(restoring);
  } catch (error) {
    await giveUp(restoring);
    throw readable(error);
  }
}

/**
 * An owner may bring back what this deployment wrote, and nothing that somebody else made up: that is found out before
 * anything of it is read, unpacked or kept.
 */
async function trustedPart(
  opener: BackupOpener,
  { access }: BackupCaller,
): Promise<Uint8Array | undefined> {
  const part = await opener.next();
  if (trustOf(access) === "owner" && !opener.isVouchedFor) throw foreignFile();
  return part;
}

function trustOf({ kind }: BackupCaller["access"]): RestoreTerms["trust"] {
  return kind === "deployment" ? "administrator" : "owner";
}

async function readHeader(frames: FrameReader): Promise<BackupHeader> {
  const header = await frames.read();
  if (header?.type !== "header") throw damagedBackup("is not a backup file");
  for (const { schema } of header.workspaces) {
    if (schema > workspaceMigrations.length)
      throw damagedBackup(
        `was written by a newer version of the gateway (${header.gateway}); restore it with that version`,
      );
    if (schema < oldestSchema) throw damagedBackup("is from a version without backups");
  }
  return header;
}

/** What is restored follows from the file: a workspace's goes back to the workspace that it was made of. */
function checkMeant(header: BackupHeader, caller: BackupCaller): void {
  if (meansDeployment(caller)) return;
  const { workspace } = caller.scope;
  const isOfIt = header.workspaces.some(({ id }) => id === workspace);
  if (header.scope === "workspace" && isOfIt && header.workspaces.length === 1) return;
  if (header.scope === "deployment")
    throw new Problem(
      problemCodes.invalidRequest,
      "file: is a backup of a whole deployment: only its administrator can restore it, without naming a workspace",
      { status: 403, code: "forbidden" },
    );
  throw damagedBackup(
    `is a backup of the workspace ${header.workspaces[0]?.id ?? ""}, not of ${workspace}: keys belong to their workspace`,
  );
}

function foreignFile(): Problem {
  return new Problem(
    problemCodes.invalidRequest,
    "file: was not made by this deployment, so only its administrator can restore it",
    { status: 403, code: "forbidden" },
  );
}

async function begin(header: BackupHeader, caller: BackupCaller): Promise<Restoring> {
  const { env } = caller.scope;
  const id = newId("restore_");
  const { there, deleted } = await placesOf(header, caller);
  const terms: RestoreTerms = {
    by: caller.scope.caller.actor,
    created: header.created,
    trust: trustOf(caller.access),
    whole: header.scope === "deployment",
  };
  const { trust, whole } = terms;
  const began = await askDirectory(env, (directory) =>
    directory.beginRestore({ id, workspaces: there, trust, whole }),
  );
  if (!began) throw alreadyRestoring();
  const restoring = { id, caller, header, terms, workspaces: there, skipped: deleted };
  try {
    for (const { id: workspace, schema } of header.workspaces)
      if (there.includes(workspace))
        await askWorkspace({ env, workspace }, (stub) => stub.beginRestore(id, schema));
  } catch (error) {
    await giveUp(restoring);
    throw error;
  }
  return restoring;
}

function alreadyRestoring(): Problem {
  return new Problem(
    problemCodes.invalidRequest,
    "Another restore is running. Try again when it has finished.",
    { status: 409, code: "restore_under_way" },
  );
}

/** Which workspaces can be filled. Asking their objects tells which of them were deleted. */
async function placesOf(header: BackupHeader, { scope: { env } }: BackupCaller) {
  const there: string[] = [];
  const deleted: string[] = [];
  for (const { id } of header.workspaces)
    try {
      await askWorkspace({ env, workspace: id }, (stub) => stub.eventSeq());
      there.push(id);
    } catch (error) {
      if (!isDeletedWorkspaceError(error)) throw error;
      deleted.push(id);
    }
  if (there.length === 0) throw damagedBackup("contains only workspaces that were deleted here");
  return { there, deleted };
}

/** Milliseconds between two words that the restore is still under way. */
const betweenTouches = 5000;

/** Reads all records. Throws a 400 where the file does not come to its end. */
async function fill(restoring: Restoring, frames: FrameReader): Promise<void> {
  const { id, caller } = restoring;
  let rows = 0;
  let touched = Date.now();
  for (;;) {
    const record = await frames.read();
    if (record === undefined) throw damagedBackup("was cut off");
    if (record.type === "end") {
      if (record.rows !== rows) throw damagedBackup("is incomplete");
      break;
    }
    rows += await take(restoring, record);
    if (Date.now() - touched < betweenTouches) continue;
    touched = Date.now();
    const goesOn = await askDirectory(caller.scope.env, (directory) => directory.touchRestore(id));
    if (!goesOn) throw alreadyRestoring();
  }
  if ((await frames.read()) !== undefined) throw damagedBackup("has data after its end");
}

/** How many rows it was. */
async function take(restoring: Restoring, record: BackupRecord): Promise<number> {
  const { id, caller, skipped } = restoring;
  const { env } = caller.scope;
  if (record.type === "header" || record.type === "end")
    throw damagedBackup("contains more than one header");
  if (record.of === "directory") return await takeForDirectory(restoring, record);
  const workspace = record.of.slice("workspace:".length);
  if (skipped.includes(workspace)) return record.type === "rows" ? record.rows.length : 0;
  if (!restoring.workspaces.includes(workspace))
    throw damagedBackup("contains rows of an unknown workspace");
  if (record.type === "again") {
    await askWorkspace({ env, workspace }, (stub) => stub.restoreAgain(id, record.tables));
    return 0;
  }
  const { credential_key: key } = restoring.header;
  await askWorkspace({ env, workspace }, (stub) => stub.addRestoreRows(id, rowsOf(record), key));
  return record.rows.length;
}

async function takeForDirectory(
  { id, caller, terms }: Restoring,
  record: Extract<BackupRecord, { of: string }>,
): Promise<number> {
  if (!terms.whole) throw damagedBackup("contains rows of an unknown workspace");
  const { env } = caller.scope;
  if (record.type === "again") {
    await askDirectory(env, (directory) => directory.restoreAgain(id, record.tables));
    return 0;
  }
  await askDirectory(env, (directory) => directory.addRestoreRows(id, rowsOf(record)));
  return record.rows.length;
}

function rowsOf({ table, columns, rows }: BackupRows) {
  return { table, columns, rows };
}

/** Everything is there. The directory's word is the moment from which the restore counts. */
async function decide(restoring: Restoring): Promise<RestoreOutcome> {
  const { id, caller, header, terms, workspaces, skipped } = restoring;
  const { env } = caller.scope;
  const reports = [];
  for (const workspace of workspaces) {
    const report = await askWorkspace({ env, workspace }, (stub) => stub.readyRestore(id, terms));
    reports.push({ id: workspace, ...report });
  }
  await makeMissing(restoring);
  const decided = await askDirectory(env, (directory) => directory.decideRestore(id, terms.whole));
  if (!decided) throw alreadyRestoring();
  for (const workspace of workspaces) {
    await askWorkspace({ env, workspace }, (stub) => stub.commitRestore(id));
    await askDirectory(env, (directory) => directory.endRestore(id, workspace));
  }
  const all = await askDirectory(env, (directory) => directory.list());
  const untouched = all.map((one) => one.id).filter((one) => !workspaces.includes(one));
  const { created, gateway, scope } = header;
  return { created, gateway, scope, workspaces: reports, skipped: [...skipped], untouched };
}

/** A workspace that this deployment does not have comes with its file, where the administrator restores it. */
async function makeMissing({ caller, header, terms, workspaces }: Restoring): Promise<void> {
  if (terms.whole) return;
  const { env } = caller.scope;
  for (const { id, name } of header.workspaces) {
    const found = await askDirectory(env, (directory) => directory.find(id));
    if (found !== undefined || !workspaces.includes(id)) continue;
    const created_at = new Date().toISOString();
    const record = { id, name, monthly_requests: null, plan: null, plan_change: 0, created_at };
    await askDirectory(env, (directory) => directory.create(record, null));
  }
}

/** Only the decision is left, which continues without it. */
async function giveUp({ id, caller, workspaces }: Restoring): Promise<void> {
  const { env } = caller.scope;
  const stage = await askDirectory(env, (directory) => directory.restoreStage(id));
  if (stage === "decided") return;
  await askDirectory(env, (directory) => directory.endRestore(id));
  for (const workspace of workspaces)
    await askWorkspace({ env, workspace }, (stub) => stub.dropRestore(id)).catch(() => undefined);
}

/** What an object says of rows that do not fit is the file's fault. */
function readable(error: unknown): unknown {
  if (error instanceof Problem) return error;
  const words = error instanceof Error ? error.message : String(error);
  const unfit =
    /UnfitRowsError: (.*)|^((?:there is no such table|rows of|a row of|its document|this restore) .*)/s.exec(
      words,
    );
  if (unfit === null) return error;
  return invalid("file", `cannot be restored: ${(unfit[1] ?? unfit[2] ?? "").slice(0, 300)}`);
}
