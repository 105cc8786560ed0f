/** Settings: a backup of everything as one sealed file, and bringing one back. */
import { readUploaded } from "../../../admin/backup/read-uploaded.ts";
import { restoreFrom } from "../../../admin/backup/restore-backup.ts";
import { backupResponse } from "../../../admin/routes/workspaces/backup.ts";
import { boundaryOf, NotMultipart } from "../../../lib/multipart.ts";
import { type FormUpload, readUpload } from "../../../lib/multipart-upload.ts";
import { shortestPassphrase } from "../../../store/backup/passphrase.ts";
import { defaultWorkspace } from "../../../workspace/accounts/tables/workspaces.ts";
import { Card } from "../../components/display.tsx";
import { Checkbox, FileField, TextField } from "../../components/fields.tsx";
import {
  type ChangeOutcome,
  type FieldError,
  fieldProblem,
  formOf,
  tryChange,
} from "../../shared/forms.ts";
import type { PageApp, PageContext, Viewer } from "../../shared/page-context.ts";

/** Where the guide is that the card leads to. */
const guide = "/docs/backup";

/** Fields of both forms, which show their errors themselves. */
export const backupFields = [
  "backup_passphrase",
  "backup_again",
  "restore_passphrase",
  "restore_confirm",
  "file",
];

/** Shows the settings again, with what was wrong. */
export type ShowRefused = (c: PageContext, error: FieldError) => Promise<Response>;

/** Registers both forms. */
export function backupForms(app: PageApp, show: ShowRefused): void {
  app.post("/settings/backup", async (c) => {
    const data = await formOf(c.req.raw);
    const outcome = await tryChange(() => {
      const passphrase = data.get("backup_passphrase") ?? "";
      if (passphrase !== (data.get("backup_again") ?? ""))
        throw fieldProblem("backup_again", "differs from the passphrase above");
      return backupResponse(callerOf(c.var.viewer), passphrase);
    });
    return outcome.ok ? outcome.value : await show(c, renamed(outcome.error, "backup_passphrase"));
  });
  app.post("/settings/restore", async (c) => {
    const outcome = await restore(c);
    if (!outcome.ok) return await show(c, renamed(outcome.error, "restore_passphrase"));
    return c.redirect("/dashboard/settings?done=backup-restored", 303);
  });
}

async function restore(c: PageContext): Promise<ChangeOutcome<unknown>> {
  const { body, headers } = c.req.raw;
  return await tryChange(async () => {
    const boundary = boundaryOf(headers.get("content-type") ?? "");
    if (boundary === undefined || body === null) throw fieldProblem("file", "choose a backup");
    try {
      return await readUploaded(body, async (reader) =>
        restoreIn(await readUpload(reader, boundary), c.var.viewer),
      );
    } catch (error) {
      if (error instanceof NotMultipart) throw fieldProblem("file", "was not fully uploaded");
      throw error;
    }
  });
}

async function restoreIn({ fields, file }: FormUpload, viewer: Viewer): Promise<unknown> {
  if (fields.get("restore_confirm") !== "on")
    throw fieldProblem("restore_confirm", "check this box to replace what is here");
  if (file === undefined) throw fieldProblem("file", "choose a backup");
  return await restoreFrom(file, fields.get("restore_passphrase"), callerOf(viewer));
}

/** The administrator of the deployment means all of it, unless they look at another workspace. */
function callerOf({ scope, access }: Viewer) {
  const means = access.kind === "deployment" && scope.workspace === defaultWorkspace;
  return { scope, access, ...(!means && { named: scope.workspace }) };
}

/** Both forms have a passphrase of their own on the page. */
function renamed(error: FieldError, passphrase: string): FieldError {
  return error.field === "passphrase" ? { ...error, field: passphrase } : error;
}

/** Both forms, for those who may send them. */
export function BackupCard({ viewer, error }: { viewer: Viewer; error: FieldError | undefined }) {
  if (!viewer.allows("POST", "/dashboard/settings/backup")) return null;
  const means = callerOf(viewer).named === undefined;
  const what = means ? "all workspaces of this gateway" : "this workspace";
  return (
    <Card
      title="Backup"
      lead={`One encrypted file with ${what}: configuration, credentials, keys, request log and usage. You can restore it on another machine.`}
      actions={
        <a class="button" href={guide}>
          Guide
        </a>
      }
    >
      <form method="post" action="/dashboard/settings/backup">
        <TextField
          name="backup_passphrase"
          label="Passphrase for the backup"
          type="password"
          autocomplete="new-password"
          error={error}
          hint={`At least ${shortestPassphrase} characters. The file can't be opened without it: store it separately.`}
          required
        />
        <TextField
          name="backup_again"
          label="Repeat passphrase"
          type="password"
          autocomplete="new-password"
          error={error}
          required
        />
        <button type="submit">Download backup</button>
      </form>
      <RestoreForm what={what} error={error} />
    </Card>
  );
}

function RestoreForm({ what, error }: { what: string; error: FieldError | undefined }) {
  return (
    <form
      class="apart"
      method="post"
      action="/dashboard/settings/restore"
      enctype="multipart/form-data"
    >
      <h3>Restore a backup</h3>
      <TextField
        name="restore_passphrase"
        label="Passphrase of the backup file"
        type="password"
        autocomplete="off"
        error={error}
        required
      />
      <Checkbox
        name="restore_confirm"
        label={`Replace configuration, credentials, keys, log and usage of ${what}`}
        hint="Keys created after the backup stop working. The current configuration stays in History. An incomplete file or a wrong passphrase changes nothing."
        checked={false}
        error={error}
        required
      />
      <FileField name="file" label="Backup file" error={error} required />
      <button type="submit" class="danger">
        Restore
      </button>
    </form>
  );
}
