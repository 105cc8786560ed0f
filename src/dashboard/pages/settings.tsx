/** Time zone, the document as a file, the admin token, sessions. */
import { editConfig, readConfig, replaceConfig } from "../../admin/routes/config.ts";
import { rotateToken, signOutEverywhere } from "../../admin/routes/account.ts";
import type { Config } from "../../store/config.ts";
import { Area, Field } from "../fields.tsx";
import { tryChange, fault, type Fault, field, formOf } from "../shared/forms.ts";
import { Page } from "../layout.tsx";
import { Alert, Card, Copy } from "../parts.tsx";
import { Confirm } from "./confirm.tsx";
import type { PageApp, PageContext, Viewer } from "../shared/page-context.ts";

export function settingsRoutes(app: PageApp): void {
  app.get("/settings", (c) => show(c, {}));
  app.post("/settings/timezone", async (c) => {
    const timezone = field(await formOf(c.req.raw), "timezone");
    const outcome = await tryChange(() =>
      editConfig(c.var.viewer.scope, (config) => ({ ...config, timezone })),
    );
    if (!outcome.ok) return await show(c, { fault: outcome.fault, timezone });
    return c.redirect("/dashboard/settings?done=saved", 303);
  });
  app.get("/settings/export", async (c) => {
    const text = JSON.stringify(await readConfig(c.var.viewer.scope), null, 2);
    c.header("Content-Type", "application/json; charset=utf-8");
    c.header("Content-Disposition", 'attachment; filename="gateway-config.json"');
    return c.body(`${text}\n`);
  });
  app.post("/settings/import", importDocument);
  app.get("/settings/token", (c) =>
    c.html(
      <Confirm
        viewer={c.var.viewer}
        title="Make a new admin token?"
        words="The old one stops working at once, for the admin API too, and every other session ends. The new one is shown once."
        action="/dashboard/settings/token"
        button="Make a new token"
        back="/dashboard/settings"
      />,
    ),
  );
  app.post("/settings/token", async (c) => {
    const { viewer } = c.var;
    return await show(c, { token: await rotateToken(c.env, viewer.access, viewer.session) });
  });
  app.post("/settings/sign-out", async (c) => {
    const { viewer } = c.var;
    await signOutEverywhere(c.env, viewer.access, viewer.session);
    return c.redirect("/dashboard/settings?done=elsewhere", 303);
  });
}

async function importDocument(c: PageContext): Promise<Response> {
  const text = field(await formOf(c.req.raw), "document");
  const outcome = await tryChange(() => {
    if (text === "") throw fault("document", "paste a configuration, or choose a file");
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      const why = error instanceof Error ? error.message : "it cannot be read";
      throw fault("document", `is not JSON: ${why.slice(0, 200)}`);
    }
    return replaceConfig(c.var.viewer.scope, value);
  });
  if (outcome.ok) return c.redirect("/dashboard/settings?done=imported", 303);
  // Whatever member is at fault, it stands in this one field.
  const { field: name, message } = outcome.fault;
  const words = name === null || name === "document" ? message : `${name}: ${message}`;
  return await show(c, { fault: { field: "document", message: words }, document: text });
}

interface More {
  fault?: Fault;
  timezone?: string;
  document?: string;
  token?: string;
}

async function show(c: PageContext, more: More): Promise<Response> {
  const { viewer } = c.var;
  const config = await readConfig(viewer.scope);
  return c.html(
    <SettingsPage {...{ viewer, config, ...more }} />,
    more.fault === undefined ? 200 : 422,
  );
}

function SettingsPage(props: { viewer: Viewer; config: Config } & More) {
  const { viewer, config, fault: wrong, token } = props;
  return (
    <Page viewer={viewer} title="Settings">
      {token === undefined ? null : <NewToken token={token} viewer={viewer} />}
      <Card title="Time zone" lead="Days, weeks and months of limits begin by it.">
        <form method="post" action="/dashboard/settings/timezone" class="inline">
          <Field
            name="timezone"
            label="Name of the zone"
            list="zones"
            value={props.timezone ?? config.timezone ?? "UTC"}
            placeholder="Europe/Berlin"
            fault={wrong}
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
        </form>
      </Card>
      <Card
        title="Configuration as a file"
        lead="Providers, routing and limits. Secrets are masked as ***; put back, they stay as they are stored."
        actions={
          <a class="button" href="/dashboard/settings/export" download>
            Export
          </a>
        }
      >
        <form method="post" action="/dashboard/settings/import">
          <Area
            name="document"
            label="Configuration to import"
            code
            rows={8}
            value={props.document}
            fault={wrong}
            placeholder='{ "providers": [ … ], "harnesses": [ … ] }'
            hint="Replaces everything at once, or nothing when something in it is wrong."
          />
          <p data-file-for="f-document" hidden>
            <label class="button">
              Choose a file
              <input type="file" accept="application/json,.json" class="hidden" />
            </label>
          </p>
          <button type="submit">Import</button>
        </form>
      </Card>
      <Card title="Access">
        <div class="buttons">
          <a class="button danger" href="/dashboard/settings/token">
            Make a new admin token…
          </a>
          <form method="post" action="/dashboard/settings/sign-out">
            <button type="submit">Sign out everywhere else</button>
          </form>
        </div>
      </Card>
    </Page>
  );
}

function NewToken({ token, viewer }: { token: string; viewer: Viewer }) {
  return (
    <Alert kind="good">
      <strong>Your new admin token. It is shown this once: copy it now.</strong>
      <Copy text={token} label="New admin token" />
      {viewer.access.kind === "deployment" ? (
        <p class="hint">
          Write it into the setting ADMIN_TOKEN too (the file .dev.vars, or the secret of a
          deployment): npm start signs in with what stands there. If you lose it, change that
          setting to any other value; from the next start on that one holds.
        </p>
      ) : null}
    </Alert>
  );
}
