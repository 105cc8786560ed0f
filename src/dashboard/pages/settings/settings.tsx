/** Settings: time zone, limits, plan, retention and regions of the workspace, configuration file, admin token, deletion. */
import { ActionForm, SettingsForm } from "../../components/guarded.tsx";
import { editConfig, readConfig } from "../../../admin/routes/document/config.ts";
import {
  plainScopeOf,
  rotateToken,
  signOutEverywhere,
} from "../../../admin/routes/people/account.ts";
import type { Config } from "../../../store/config.ts";
import { TextArea, TextField } from "../../components/fields.tsx";
import { tryChange, type FieldError, field, formOf } from "../../shared/forms.ts";
import { Page } from "../../components/frame/layout.tsx";
import { auditRoutes } from "../audit/audit.tsx";
import { historyRoutes } from "../history/history.tsx";
import { Alert, Card, CopyBlock, FormAlert } from "../../components/display.tsx";
import { type BlockView, listBlocks, listLimits } from "../../../admin/routes/usage/limits.ts";
import { readWorkspaceStatus, type StatusView } from "../../../admin/routes/system.ts";
import { LimitsCard, type ShownLimit } from "../../components/limits.tsx";
import { type RefusedLimit, registerLimits } from "../../shared/limit-changes.ts";
import { type NamedPlan, planOf } from "../../../admin/shared/membership/plan-of.ts";
import { BackupCard, backupFields, backupForms } from "./backup-card.tsx";
import { DataCard, dataChange } from "./data-card.tsx";
import { importRoutes } from "./import/import.tsx";
import { WorkspaceDataCard } from "../../components/workspace-data.tsx";
import { QuotaCard } from "../../components/quota-card.tsx";
import { ConfirmPage } from "../../components/frame/confirm-page.tsx";
import type { PageApp, PageContext, Viewer } from "../../shared/page-context.ts";

/** Registers the page with its actions, and the pages below it. */
export function settingsRoutes(app: PageApp): void {
  historyRoutes(app);
  auditRoutes(app);
  app.get("/settings", (c) => showSettings(c, {}));
  app.post("/settings/timezone", async (c) => {
    const timezone = field(await formOf(c.req.raw), "timezone");
    const outcome = await tryChange(() =>
      editConfig(c.var.viewer.scope, (config) => ({ ...config, timezone })),
    );
    if (!outcome.ok) return await showSettings(c, { error: outcome.error, timezone });
    return c.redirect("/dashboard/settings?done=saved", 303);
  });
  app.post("/settings/data", saveData);
  backupForms(app, (c, error) => showSettings(c, { error }));
  app.get("/settings/export", async (c) => {
    const text = JSON.stringify(await readConfig(c.var.viewer.scope), null, 2);
    c.header("Content-Type", "application/json; charset=utf-8");
    c.header("Content-Disposition", 'attachment; filename="gateway-config.json"');
    return c.body(`${text}\n`);
  });
  importRoutes(app, showSettings);
  registerLimits(app, "/settings/limits", {
    edit: (c, change) =>
      editConfig(c.var.viewer.scope, ({ limits = [], ...config }) => {
        const changed = change(limits);
        return changed.length === 0 ? config : { ...config, limits: changed };
      }),
    show: (c, limit) => showSettings(c, { limit }),
    page: () => "/dashboard/settings",
  });
  app.get("/settings/token", (c) =>
    c.html(
      <ConfirmPage
        viewer={c.var.viewer}
        title="Create a new admin token?"
        text="The current token stops working immediately, also for the admin API, and all other sessions end. The new token is shown once."
        action="/dashboard/settings/token"
        button="Create token"
        back="/dashboard/settings"
      />,
    ),
  );
  app.post("/settings/token", async (c) => {
    const { viewer } = c.var;
    return await showSettings(c, {
      token: await rotateToken(c.env, plainScopeOf(viewer.access, viewer.scope.workspace), {
        by: viewer.scope.caller.actor,
        keep: viewer.session,
      }),
    });
  });
  app.post("/settings/sign-out", async (c) => {
    const { viewer } = c.var;
    await signOutEverywhere(c.env, plainScopeOf(viewer.access, viewer.scope.workspace), {
      by: viewer.scope.caller.actor,
      keep: viewer.session,
    });
    return c.redirect("/dashboard/settings?done=elsewhere", 303);
  });
}

async function saveData(c: PageContext): Promise<Response> {
  const data = await formOf(c.req.raw);
  const outcome = await tryChange(() => {
    const change = dataChange(data);
    return editConfig(c.var.viewer.scope, change);
  });
  if (!outcome.ok) return await showSettings(c, { error: outcome.error, data });
  return c.redirect("/dashboard/settings?done=saved", 303);
}

interface PageState {
  error?: FieldError;
  timezone?: string;
  document?: string;
  /** The refused form of retention and regions. */
  data?: URLSearchParams;
  token?: string;
  limit?: RefusedLimit;
}

async function showSettings(c: PageContext, state: PageState): Promise<Response> {
  const { viewer } = c.var;
  const [config, limits, blocks, status, plan] = await Promise.all([
    readConfig(viewer.scope),
    listLimits(viewer.scope),
    listBlocks(viewer.scope),
    readWorkspaceStatus(viewer.scope),
    planOf(c.env, viewer.scope.workspace),
  ]);
  return c.html(
    <SettingsPage
      {...{ viewer, config, status, plan, blocks, ...state }}
      limits={limits.filter(({ node }) => node === "workspace")}
      edited={state.limit?.form.get("limit") ?? c.req.query("limit") ?? ""}
    />,
    (state.error ?? state.limit?.error) === undefined ? 200 : 422,
  );
}

interface SettingsProps extends PageState {
  viewer: Viewer;
  config: Config;
  limits: readonly ShownLimit[];
  blocks: readonly BlockView[];
  status: StatusView;
  plan: NamedPlan;
  /** The key of the limit to change. */
  edited: string;
}

/** Fields that show their errors themselves. */
const settingsFields = [
  "timezone",
  "document",
  "retention_days",
  "retention_rows",
  "provider_regions",
  ...backupFields,
];

function SettingsPage(props: SettingsProps) {
  const { viewer, config, error, token, limit, limits, blocks, edited } = props;
  return (
    <Page viewer={viewer} title="Settings">
      {token === undefined ? null : <NewToken token={token} viewer={viewer} />}
      <FormAlert error={error} fields={settingsFields} />
      <Card title="Time zone" lead="Days, weeks and months of limits follow it.">
        <SettingsForm viewer={viewer} action="/dashboard/settings/timezone" class="inline">
          <TextField
            name="timezone"
            label="Time zone"
            list="zones"
            value={props.timezone ?? config.timezone ?? "UTC"}
            placeholder="Europe/Berlin"
            error={error}
            required
          />
          <button type="submit" class="primary">
            Save
          </button>
          <datalist id="zones">
            {Intl.supportedValuesOf("timeZone").map((zone) => (
              <option value={zone}></option>
            ))}
          </datalist>
        </SettingsForm>
      </Card>
      <LimitsCard
        {...{ viewer, limits, blocks, edited, ...limit }}
        owner="the whole workspace"
        page="/dashboard/settings"
        action="/dashboard/settings/limits"
        timezone={config.timezone ?? "UTC"}
      />
      <QuotaCard monthly={props.status.monthly_requests} plan={props.plan.name} />
      <DataCard {...{ viewer, config, error }} plan={props.plan} form={props.data} />
      <Card
        title="Configuration file"
        lead="Providers, routing and limits, without keys and the log. Secrets are exported as ***; leave *** to keep the stored secret."
        actions={
          <a class="button" href="/dashboard/settings/export" download>
            Export
          </a>
        }
      >
        <ActionForm viewer={viewer} action="/dashboard/settings/import">
          <TextArea
            name="document"
            label="Configuration to import"
            code
            rows={8}
            value={props.document}
            error={error}
            placeholder='{ "providers": [ … ], "harnesses": [ … ] }'
            hint="Replaces the whole configuration. You see the changes first."
          />
          <p data-file-for="f-document" hidden>
            <label class="button">
              Choose a file
              <input type="file" accept="application/json,.json" class="hidden" />
            </label>
          </p>
          <button type="submit">Import…</button>
        </ActionForm>
      </Card>
      <BackupCard {...{ viewer, error }} />
      <Card
        title="History"
        lead="Earlier versions of the configuration can be restored. The audit log shows who changed what."
      >
        <div class="buttons">
          <a class="button" href="/dashboard/settings/history">
            History
          </a>
          {viewer.allows("GET", "/dashboard/settings/audit") ? (
            <a class="button" href="/dashboard/settings/audit">
              Audit log
            </a>
          ) : null}
        </div>
      </Card>
      {viewer.allows("POST", "/dashboard/settings/token") ? (
        <Card title="Access">
          <div class="buttons">
            <a class="button danger" href="/dashboard/settings/token">
              Create new admin token…
            </a>
            <form method="post" action="/dashboard/settings/sign-out">
              <button type="submit">Sign out everywhere else</button>
            </form>
          </div>
        </Card>
      ) : null}
      <WorkspaceDataCard viewer={viewer} workspace={viewer.scope.workspace} />
    </Page>
  );
}

function NewToken({ token, viewer }: { token: string; viewer: Viewer }) {
  return (
    <Alert kind="good">
      <strong>Copy your new admin token now: it is shown only once.</strong>
      <CopyBlock text={token} label="New admin token" />
      {viewer.access.kind === "deployment" ? (
        <p class="hint">
          Also set ADMIN_TOKEN to it (in secrets.json in the state folder, in .dev.vars, or as the
          deployment's secret): npm start signs in with that value. If you lose the token, set
          ADMIN_TOKEN to any other value of at least 16 characters; that one applies from the next
          start.
        </p>
      ) : null}
    </Alert>
  );
}
