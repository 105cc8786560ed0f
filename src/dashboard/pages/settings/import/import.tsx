/** Importing a configuration: shown as a diff first, and put in force when that was confirmed. */
import { Problem } from "../../../../core/problem.ts";
import {
  longestDocument,
  replaceConfig,
  sealedNext,
} from "../../../../admin/routes/document/config.ts";
import {
  type ConfigPreview,
  previewConfig,
} from "../../../../admin/shared/document/config-preview.ts";
import { readSnapshot } from "../../../../admin/shared/scope.ts";
import { ChangeTable } from "../../../components/change-table.tsx";
import { Alert, Card } from "../../../components/display.tsx";
import { Page } from "../../../components/frame/layout.tsx";
import {
  checkAnswered,
  removalWords,
  RemovalQuestion,
  RemovedSettings,
  ReturningKeys,
} from "../../../components/removal-question.tsx";
import {
  type ChangeOutcome,
  field,
  type FieldError,
  fieldProblem,
  formOf,
  tryChange,
} from "../../../shared/forms.ts";
import type { PageApp, PageContext, Viewer } from "../../../shared/page-context.ts";
import { documentFrom, placedProblem } from "./read-document.ts";
import { openedForm, sealedDocument } from "./sealed-document.ts";

const base = "/dashboard/settings";

/** A document that was refused. */
export interface RefusedDocument {
  readonly document: string;
  readonly error: FieldError;
}

/** Shows the page of the form again. */
type ShowForm = (c: PageContext, refused: RefusedDocument) => Promise<Response>;

/** Registers the preview, and what puts it in force. */
export function importRoutes(app: PageApp, show: ShowForm): void {
  app.post("/settings/import", async (c) => {
    const sent = await tryForm(c);
    if (!sent.ok) return await show(c, { document: "", error: sent.error });
    return await showPreview(c, show, { document: field(sent.value, "document") });
  });
  app.post("/settings/import/apply", async (c) => {
    const sent = await tryForm(c);
    if (!sent.ok) return await show(c, { document: "", error: sent.error });
    const { scope } = c.var.viewer;
    const form = sent.value;
    const document = field(form, "document");
    const outcome = await tryDocument(document, () =>
      replaceConfig(scope, documentFrom(document), {
        way: "import",
        check: async (stored, next) =>
          checkAnswered(await previewConfig(scope, { stored, next }), form),
      }),
    );
    if (outcome.ok) return c.redirect(`${base}?done=imported`, 303);
    return await showPreview(c, show, { document, error: outcome.error });
  });
}

/** Bytes of a form: a document of which each byte is written as three, and what stands beside it. */
const longestForm = 3 * longestDocument + 10_000;

/** The form, with its document opened; what is wrong with either is told at the document's field. */
async function tryForm(c: PageContext): Promise<ChangeOutcome<URLSearchParams>> {
  const { workspace } = c.var.viewer.scope;
  return await tryChange(async () => {
    try {
      const form = await formOf(c.req.raw, longestForm);
      return await openedForm(form, { workspace, encryptionKeys: c.env.ENCRYPTION_KEY });
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 413) throw error;
      throw fieldProblem("document", `too large: at most ${longestDocument / 1_000_000} MB`);
    }
  });
}

/** Every fault is one of the document's field, with its line. */
async function tryDocument<T>(
  document: string,
  change: () => Promise<T>,
): Promise<ChangeOutcome<T>> {
  const outcome = await tryChange(async () => {
    try {
      return await change();
    } catch (error) {
      throw error instanceof Problem ? placedProblem(document, error) : error;
    }
  });
  return outcome;
}

interface Asked {
  document: string;
  /** Why it was not put in force. */
  error?: FieldError;
}

async function showPreview(c: PageContext, show: ShowForm, asked: Asked): Promise<Response> {
  const { viewer } = c.var;
  const { document, error } = asked;
  const outcome = await tryDocument(document, async () => {
    const config = documentFrom(document);
    const stored = await readSnapshot(viewer.scope);
    const next = await sealedNext(viewer.scope, config, stored);
    return await previewConfig(viewer.scope, { stored, next });
  });
  if (!outcome.ok) return await show(c, { document, error: outcome.error });
  const sealed = await sealedDocument(document, {
    workspace: viewer.scope.workspace,
    encryptionKeys: c.env.ENCRYPTION_KEY,
  });
  const page = <ImportPage {...{ viewer, sealed, error }} preview={outcome.value} />;
  return c.html(page, error === undefined ? 200 : 409);
}

interface ImportProps {
  viewer: Viewer;
  /** The document, as it travels through the page. */
  sealed: string;
  preview: ConfigPreview;
  error: FieldError | undefined;
}

function ImportPage(props: ImportProps) {
  const { viewer, preview, error } = props;
  const isSame = preview.changes.length === 0;
  return (
    <Page
      viewer={viewer}
      title="Import this configuration?"
      lead={
        <>
          <a href={base}>Settings</a> / Nothing is changed yet.
        </>
      }
    >
      {error === undefined ? null : <Alert kind="bad">{error.message}</Alert>}
      {isSame ? (
        <Card>
          <p>This is already the current configuration.</p>
          <p>
            <a class="button" href={base}>
              Back to Settings
            </a>
          </p>
        </Card>
      ) : (
        <>
          <Card title="Confirm">
            <ConfirmForm {...props} />
          </Card>
          <Card title="Changes">
            <ChangeTable found={preview} caption="Changes made by importing" />
          </Card>
        </>
      )}
    </Page>
  );
}

function ConfirmForm({ sealed, preview }: ImportProps) {
  const count = preview.changes.length + (preview.more_changes ?? 0);
  const removes = removalWords(preview) !== undefined;
  return (
    <form method="post" action={`${base}/import/apply`}>
      <input type="hidden" name="document" value={sealed} />
      <p>{`This makes ${count === 1 ? "1 change" : `${count} changes`}. You can undo it under History.`}</p>
      <RemovalQuestion preview={preview} />
      <RemovedSettings preview={preview} />
      <ReturningKeys preview={preview} />
      <div class="buttons">
        <button type="submit" class={removes ? "danger" : "primary"}>
          {removes ? "Import and delete" : "Import"}
        </button>
        <a class="button" href={base}>
          Cancel
        </a>
      </div>
    </form>
  );
}
