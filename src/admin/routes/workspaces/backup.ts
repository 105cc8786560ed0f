/** Backups: one sealed file of a workspace, or of the whole deployment, and bringing it back. */
import * as z from "zod";
import { invalid } from "../../../core/problem.ts";
import { byteReader, type ByteReader } from "../../../lib/bytes.ts";
import { timedReader, TooSlow, type TimedReader } from "../../../lib/timed-read.ts";
import { backupType, damagedBackup } from "../../../store/backup/format.ts";
import { type BackupCaller, meansDeployment } from "../../backup/backup-scope.ts";
import { restoreFrom, type RestoreOutcome } from "../../backup/restore-backup.ts";
import { backupName, backupStream } from "../../backup/write-backup.ts";
import { defineRoute } from "../../shared/define-route.ts";

const countsSchema = z.strictObject({
  generation: z.number(),
  providers: z.number(),
  harnesses: z.number(),
  keys: z.number(),
  requests: z.number(),
  audit_events: z.number(),
});
const outcomeSchema = z.strictObject({
  created: z.string(),
  gateway: z.string(),
  scope: z.enum(["deployment", "workspace"]),
  workspaces: z.array(
    z.strictObject({
      id: z.string(),
      before: countsSchema,
      after: countsSchema,
      audit: z.enum(["kept", "replaced", "broken"]),
    }),
  ),
  skipped: z.array(z.string()),
  untouched: z.array(z.string()),
});

/** Milliseconds without a byte; files may be as long as they are. */
const patience = { idle: 60_000, total: Infinity };

/** The backup as an answer that is saved as a file. Throws a 400 that names `passphrase`. */
export async function backupResponse(caller: BackupCaller, passphrase: unknown): Promise<Response> {
  const stream = await backupStream(caller, passphrase);
  const of = meansDeployment(caller) ? undefined : caller.scope.workspace;
  return new Response(stream, {
    headers: {
      "Content-Type": backupType,
      "Content-Disposition": `attachment; filename="${backupName(of, Date.now())}"`,
      "Cache-Control": "no-store",
    },
  });
}

/** Restores the file that the reader gives, whose sender may not fall silent. */
export async function restoreUpload(
  reader: ByteReader,
  passphrase: unknown,
  caller: BackupCaller,
): Promise<RestoreOutcome> {
  const timed = patient(timedReader(reader, patience));
  try {
    return await restoreFrom(timed, passphrase, caller);
  } catch (error) {
    reader.cancel().catch(() => undefined);
    throw error;
  } finally {
    timed.stop();
  }
}

/** A connection that ends, or is silent, is a file that was cut off. */
function patient(reader: TimedReader): TimedReader {
  return {
    ...reader,
    async read(into) {
      try {
        return await reader.read(into);
      } catch (error) {
        throw damagedBackup(error instanceof TooSlow ? "was sent too slowly" : "was cut off");
      }
    },
  };
}

/** What a header holds of a passphrase: as it stands, or behind `UTF-8''` percent-encoded, as RFC 8187 writes it. */
function headerPassphrase(headers: Headers): string | undefined {
  const text = headers.get("x-gateway-passphrase") ?? undefined;
  if (text === undefined || !/^utf-8''/i.test(text)) return text;
  try {
    return decodeURIComponent(text.slice("utf-8''".length));
  } catch {
    throw invalid("passphrase", "is not percent-encoded");
  }
}

/** The routes of backups. */
export const adminBackupRoutes = [
  defineRoute(
    {
      method: "POST",
      path: "/api/backup",
      summary:
        "A backup encrypted with the passphrase: of the workspace, or of the whole deployment if its administrator names no workspace",
      access: "write",
      body: { schema: z.strictObject({ passphrase: z.string() }) },
      status: 200,
      file: backupType,
    },
    async ({ body }, context) => await backupResponse(context, body.passphrase),
  ),
  defineRoute(
    {
      method: "POST",
      path: "/api/restore",
      summary:
        "Replace the current data by a backup; its passphrase goes in the header X-Gateway-Passphrase",
      access: "write",
      upload: backupType,
      status: 200,
      answer: outcomeSchema,
    },
    async (_input, context) => {
      const { body, headers } = context.request;
      if (body === null) throw damagedBackup("is missing");
      return await restoreUpload(byteReader(body), headerPassphrase(headers), context);
    },
  ),
] as const;
