/** Versions of the configuration: a list, each compared with what is in force, and the way back to it. */
import {
  listVersions,
  previewRestore,
  restoreVersion,
  undoVersion,
  versionNumber,
  type VersionView,
} from "../../../admin/routes/document/history.ts";
import { readConfig } from "../../../admin/routes/document/config.ts";
import {
  type ConfigPreview,
  previewConfig,
} from "../../../admin/shared/document/config-preview.ts";
import type { Config } from "../../../store/config.ts";
import { notFound } from "../../../admin/shared/errors.ts";
import { mayDo } from "../../../store/roles.ts";
import { ActorName, ChangeTable, ChangeWords } from "../../components/change-table.tsx";
import { Alert, Badge, Card, Table, Timestamp } from "../../components/display.tsx";
import { Page } from "../../components/frame/layout.tsx";
import {
  checkAnswered,
  removalWords,
  RemovalQuestion,
  RemovedSettings,
  ReturningKeys,
} from "../../components/removal-question.tsx";
import { field, type FieldError, formOf, tryChange } from "../../shared/forms.ts";
import {
  type PageApp,
  type PageContext,
  parameter,
  type Viewer,
} from "../../shared/page-context.ts";

const base = "/dashboard/settings/history";

/** Registers the list, the page of one version, and undo. */
export function historyRoutes(app: PageApp): void {
  app.get("/settings/history", (c) => showVersions(c, undefined));
  app.post("/settings/history/undo", undo);
  app.get("/settings/history/:n", (c) => showVersion(c, undefined));
  app.post("/settings/history/:n/restore", async (c) => {
    const n = versionNumber(parameter(c, "n"));
    const { scope } = c.var.viewer;
    const form = await formOf(c.req.raw);
    const outcome = await tryChange(() =>
      restoreVersion(scope, n, async (stored, next) =>
        checkAnswered(await previewConfig(scope, { stored, next, restored: n }), form),
      ),
    );
    if (!outcome.ok) return await showVersion(c, outcome.error);
    return c.redirect(`${base}?done=restored`, 303);
  });
}

async function undo(c: PageContext): Promise<Response> {
  const form = await formOf(c.req.raw);
  const version = versionNumber(field(form, "version"));
  const outcome = await tryChange(() => undoVersion(c.var.viewer.scope, version));
  if (!outcome.ok) return await showVersions(c, outcome.error);
  const done = field(form, "word") === "Redo" ? "redone" : "undone";
  return c.redirect(`${pageAfterUndo(c, field(form, "back"), outcome.value)}?done=${done}`, 303);
}

/** The page where Undo was pressed; the list above it where its harness or provider went with the change. */
function pageAfterUndo(c: PageContext, back: string, config: Config): string {
  const [, section, id] =
    /^\/dashboard\/(providers|harnesses|settings)(?:\/([a-z0-9-]+)(?:\/[a-z-]+)?)?$/.exec(back) ??
    [];
  if (section === undefined) return base;
  const list = `/dashboard/${section}`;
  if (section === "settings") return list;
  const entries = config[section === "providers" ? "providers" : "harnesses"] ?? [];
  const isThere = entries.some((entry) => entry.id === id);
  return isThere && c.var.viewer.allows("GET", back) ? back : list;
}

async function showVersions(c: PageContext, error: FieldError | undefined): Promise<Response> {
  const { viewer } = c.var;
  const [versions, timezone] = await Promise.all([listVersions(viewer.scope), timezoneOf(viewer)]);
  const page = <HistoryPage {...{ viewer, versions, timezone, error }} />;
  return c.html(page, error === undefined ? 200 : 409);
}

async function timezoneOf({ scope }: Viewer): Promise<string> {
  return (await readConfig(scope)).timezone ?? "UTC";
}

interface HistoryProps {
  viewer: Viewer;
  versions: readonly VersionView[];
  timezone: string;
  error: FieldError | undefined;
}

function HistoryPage({ viewer, versions, timezone, error }: HistoryProps) {
  return (
    <Page viewer={viewer} title="History" lead={<HistoryLead />}>
      {error === undefined ? null : <Alert kind="bad">{error.message}</Alert>}
      <Card>
        <Table caption="Versions, newest first" head={["Version", "Time", "By", "Changed"]}>
          {versions.map((version, index) => (
            <tr>
              <td class="nowrap">
                <a class="row-link" href={`${base}/${version.n}`}>
                  {version.n}
                </a>{" "}
                {index === 0 ? <Badge tone="good">current</Badge> : null}
              </td>
              <td class="nowrap">
                <Timestamp iso={version.time} timezone={timezone} />
              </td>
              <td class="roomy">
                <ActorName actor={version.actor} />
                <ChangeWayWords version={version} />
              </td>
              <td class="roomy">
                <ChangedPaths version={version} />
              </td>
            </tr>
          ))}
        </Table>
      </Card>
    </Page>
  );
}

function HistoryLead() {
  return (
    <>
      <a href="/dashboard/settings">Settings</a> / The last 50 versions of the configuration.
    </>
  );
}

function ChangeWayWords({ version: { way, restored } }: { version: VersionView }) {
  if (way === undefined) return null;
  const version =
    restored === undefined ? null : (
      <>
        {" "}
        to <a href={`${base}/${restored}`}>version {restored}</a>
      </>
    );
  return (
    <span class="sub">
      {wayWords[way]}
      {version}
    </span>
  );
}

const wayWords = {
  api: "by the admin API",
  dashboard: "on the dashboard",
  import: "Import",
  restore: "Restored",
  undo: "Undone",
  backup: "Restored from a backup",
  "before-backup": "Kept from before a backup was restored",
} as const;

/** Paths that the list names. */
const listedPaths = 3;

function ChangedPaths({ version }: { version: VersionView }) {
  const { changes, more_changes: more = 0 } = version;
  if (changes.length === 0) return <span class="muted">oldest stored version</span>;
  const rest = changes.length + more - listedPaths;
  return (
    <>
      {changes.slice(0, listedPaths).map((change) => (
        <div class="anywhere">
          <code>{change.path}</code> <ChangeWords change={change} />
        </div>
      ))}
      {rest > 0 ? <span class="muted">{`and ${rest} more`}</span> : null}
    </>
  );
}

/** What restoring a version would do now. */
type Preview =
  | { kind: "in-force" }
  | { kind: "changes"; found: ConfigPreview }
  /** A rule of today forbids it. */
  | { kind: "refused"; message: string };

async function showVersion(c: PageContext, error: FieldError | undefined): Promise<Response> {
  const { viewer } = c.var;
  const n = versionNumber(parameter(c, "n"));
  const versions = await listVersions(viewer.scope);
  const version = versions.find((entry) => entry.n === n);
  if (version === undefined) throw notFound(`There is no version ${n}`);
  const [preview, timezone] = await Promise.all([
    previewOf(viewer, version, versions[0] === version),
    timezoneOf(viewer),
  ]);
  const page = <VersionPage {...{ viewer, version, preview, timezone, error }} />;
  return c.html(page, error === undefined ? 200 : 422);
}

async function previewOf(
  { scope }: Viewer,
  { n }: VersionView,
  isNewest: boolean,
): Promise<Preview> {
  if (isNewest) return { kind: "in-force" };
  const outcome = await tryChange(() => previewRestore(scope, n));
  if (!outcome.ok) return { kind: "refused", message: outcome.error.message };
  const { value: found } = outcome;
  return found.changes.length === 0 ? { kind: "in-force" } : { kind: "changes", found };
}

interface VersionProps {
  viewer: Viewer;
  version: VersionView;
  preview: Preview;
  timezone: string;
  error: FieldError | undefined;
}

function VersionPage({ viewer, version, preview, timezone, error }: VersionProps) {
  const { n, time, actor } = version;
  return (
    <Page
      viewer={viewer}
      title={`Version ${n}`}
      lead={
        <>
          <a href={base}>History</a> / <Timestamp iso={time} timezone={timezone} full />
        </>
      }
    >
      {error === undefined ? null : <Alert kind="bad">{error.message}</Alert>}
      <Card title="Restore">
        <RestoreForm {...{ viewer, n, preview }} />
      </Card>
      <Card
        title="What this version changed"
        lead={
          <>
            <ActorName actor={actor} />
            <ChangeWayWords version={version} />
          </>
        }
      >
        {version.changes.length === 0 ? (
          <p class="muted">This is the oldest stored version.</p>
        ) : (
          <ChangeTable found={version} caption="Changes in this version" />
        )}
      </Card>
    </Page>
  );
}

function RestoreForm({ viewer, n, preview }: { viewer: Viewer; n: number; preview: Preview }) {
  switch (preview.kind) {
    case "in-force":
      return <p>This is the current configuration.</p>;
    case "refused":
      return <Alert kind="warn">{`This version cannot be restored: ${preview.message}`}</Alert>;
    case "changes":
      return (
        <>
          <p>
            Restoring creates a new version with these changes and the secrets of this version. Keys
            of restored harnesses work again; revoked keys stay revoked.
          </p>
          {mayDo(viewer.scope.caller.role, "write") ? (
            <form method="post" action={`${base}/${n}/restore`}>
              <RemovalQuestion preview={preview.found} />
              <RemovedSettings preview={preview.found} />
              <ReturningKeys preview={preview.found} />
              <button
                type="submit"
                class={removalWords(preview.found) === undefined ? "primary" : "danger"}
              >
                Restore this version
              </button>
            </form>
          ) : null}
          <div class="apart">
            <h3>What restoring changes</h3>
            <ChangeTable found={preview.found} caption="Changes made by restoring" />
          </div>
        </>
      );
    default:
      return preview satisfies never;
  }
}
