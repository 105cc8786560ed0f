/** Backups: one sealed file of a workspace, or of the whole deployment, and bringing it back. */
import * as z from "zod";
import { invalid } from "../../../core/problem.ts";
import { backupType, damagedBackup } from "../../../store/backup/format.ts";
import { type BackupCaller, meansDeployment } from "../../backup/backup-scope.ts";
import { readUploaded } from "../../backup/read-uploaded.ts";
import { restoreFrom } from "../../backup/restore-backup.ts";
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
      const passphrase = headerPassphrase(headers);
      return await readUploaded(body, (reader) => restoreFrom(reader, passphrase, context));
    },
  ),
] as const;
