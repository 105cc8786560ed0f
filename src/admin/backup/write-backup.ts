/** Writes a backup: records read page by page, sealed as they come, no faster than somebody takes them. */
import { base64 } from "../../lib/ids.ts";
import { BackupSealer } from "../../store/backup/format.ts";
import { checkedPassphrase } from "../../store/backup/passphrase.ts";
import { type BackupHeader, type BackupRecord, writeFrame } from "../../store/backup/records.ts";
import { keyringOf } from "../../store/keyring.ts";
import type { WorkspaceRecord } from "../../workspace/accounts/tables/workspaces.ts";
import type { BackupBegin, BackupPage, PageAsked } from "../../workspace/backup/read-tables.ts";
import type { TablePage, TableQuestion } from "../../workspace/storage/sql/table-pages.ts";
import { isDeletedWorkspaceError } from "../../workspace/storage/tables/erasure-mark.ts";
import { askDirectory } from "../shared/credentials/access.ts";
import { tellAudit } from "../shared/audit.ts";
import { askWorkspace } from "../shared/scope.ts";
import { version } from "../shared/health/version.ts";
import { type BackupCaller, meansDeployment, workspacesMeant } from "./backup-scope.ts";
import { passTurns } from "./pass-pace.ts";

/** A workspace that is being written. */
interface WrittenWorkspace {
  readonly record: WorkspaceRecord;
  readonly begin: BackupBegin;
}

/** What records are read with. */
interface Writing {
  readonly caller: BackupCaller;
  /** What credentials are sealed with in the file, base64. */
  readonly credentialKey: string;
  readonly workspaces: readonly WrittenWorkspace[];
}

/** The file as it is written. Throws a 400 that names `passphrase`; a fault later breaks the stream off. */
export async function backupStream(
  caller: BackupCaller,
  given: unknown,
): Promise<ReadableStream<Uint8Array>> {
  const passphrase = checkedPassphrase(given);
  const { env } = caller.scope;
  const ring = await keyringOf(env.ENCRYPTION_KEY);
  const sealer = await BackupSealer.begin(passphrase, ring, passTurns(caller.scope.workspace));
  const writing: Writing = {
    caller,
    credentialKey: base64(crypto.getRandomValues(new Uint8Array(32))),
    workspaces: await beginAll(caller),
  };
  for (const { record } of writing.workspaces)
    await tellAudit(
      { env, workspace: record.id },
      { actor: caller.scope.caller.actor, action: "backup.made", target: record.id },
    );
  return pulled(sealedBytes(sealer, recordsOf(writing)));
}

/** `gateway-backup-2026-11-22.backup`, by the day of UTC. */
export function backupName(workspace: string | undefined, now: number): string {
  const day = new Date(now).toISOString().slice(0, 10);
  const of = workspace === undefined ? "" : `-${workspace.replace(/[^\w.-]/g, "_")}`;
  return `gateway-backup${of}-${day}.backup`;
}

async function beginAll(caller: BackupCaller): Promise<WrittenWorkspace[]> {
  const { env } = caller.scope;
  const begun: WrittenWorkspace[] = [];
  for (const record of await workspacesMeant(caller)) {
    try {
      const begin = await askWorkspace({ env, workspace: record.id }, (stub) => stub.beginBackup());
      begun.push({ record, begin });
    } catch (error) {
      // It is being deleted at this moment.
      if (!isDeletedWorkspaceError(error)) throw error;
    }
  }
  return begun;
}

async function* recordsOf(writing: Writing): AsyncGenerator<BackupRecord> {
  const { caller, workspaces } = writing;
  const whole = meansDeployment(caller);
  yield headerOf(writing, whole);
  let rows = 0;
  const counted = (record: BackupRecord): BackupRecord => {
    if (record.type === "rows") rows += record.rows.length;
    return record;
  };
  if (whole) for await (const record of directoryRecords(caller)) yield counted(record);
  for (const workspace of workspaces)
    for await (const record of workspaceRecords(writing, workspace)) yield counted(record);
  yield { type: "end", rows };
}

function headerOf({ caller, credentialKey, workspaces }: Writing, whole: boolean): BackupHeader {
  const isRoot = caller.access.kind === "deployment";
  return {
    type: "header",
    gateway: version,
    created: new Date().toISOString(),
    scope: whole ? "deployment" : "workspace",
    workspaces: workspaces.map(({ record, begin }) => ({
      id: record.id,
      name: record.name,
      schema: begin.schema,
    })),
    credential_key: credentialKey,
    // Whoever has the administrator's token has it already; an owner of a workspace must never.
    ...(isRoot && { encryption_keys: caller.scope.env.ENCRYPTION_KEY }),
  };
}

async function* directoryRecords({ scope: { env } }: BackupCaller): AsyncGenerator<BackupRecord> {
  for (const table of await askDirectory(env, (directory) => directory.backupTables())) {
    let after: (string | number)[] | null = null;
    do {
      const question: TableQuestion = { table, after };
      const page: TablePage = await askDirectory(env, (stub) => stub.backupPage(question));
      yield { type: "rows", of: "directory", table, columns: page.columns, rows: page.rows };
      after = page.next;
    } while (after !== null);
  }
}

/** How often moving tables are read again at most. */
const mostAgain = 5;

async function* workspaceRecords(
  writing: Writing,
  { record: { id }, begin }: WrittenWorkspace,
): AsyncGenerator<BackupRecord> {
  const of = `workspace:${id}`;
  for (const table of begin.lasting)
    yield* tableRecords(writing, { id, table, begin }, () => undefined);
  let marks = begin.marks;
  for (let times = 0; times < mostAgain; times += 1) {
    if (times > 0) yield { type: "again", of, tables: begin.moving };
    const seen = new Set<string>([marks]);
    const note = (now: string): void => void seen.add((marks = now));
    for (const table of begin.moving) yield* tableRecords(writing, { id, table, begin }, note);
    if (seen.size === 1) return;
  }
  throw new Error(`the sums of ${id} changed too often to be backed up`);
}

async function* tableRecords(
  { caller, credentialKey }: Writing,
  { id, table, begin }: { id: string; table: string; begin: BackupBegin },
  note: (marks: string) => void,
): AsyncGenerator<BackupRecord> {
  const place = { env: caller.scope.env, workspace: id };
  const bound = table === "requests" ? { upTo: begin.newest } : {};
  let after: (string | number)[] | null = null;
  do {
    const asked: PageAsked = { table, after, credentialKey, ...bound };
    const page: BackupPage = await askWorkspace(place, (stub) => stub.backupPage(asked));
    note(page.marks);
    const { columns, rows } = page;
    if (rows.length > 0) yield { type: "rows", of: `workspace:${id}`, table, columns, rows };
    after = page.next;
  } while (after !== null);
}

async function* sealedBytes(
  sealer: BackupSealer,
  records: AsyncIterable<BackupRecord>,
): AsyncGenerator<Uint8Array> {
  yield sealer.head;
  for await (const record of records) yield* sealer.add(await writeFrame(JSON.stringify(record)));
  yield await sealer.end();
}

function pulled(pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await pieces.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
