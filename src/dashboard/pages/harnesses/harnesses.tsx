/** The list of harnesses, and creating, editing, duplicating and deleting them and their keys. */
import { clientAliases } from "../../../store/defaults.ts";
import { listKeys } from "../../../admin/routes/document/keys.ts";
import { editConfig, readConfig } from "../../../admin/routes/document/config.ts";
import { listLimits } from "../../../admin/routes/usage/limits.ts";
import {
  tryChange,
  fieldProblem,
  type FieldError,
  field,
  formOf,
  idFrom,
} from "../../shared/forms.ts";
import { TextField } from "../../components/fields.tsx";
import { editHarness, withMembers } from "./shared/edit-harness.ts";
import { Icon } from "../../shared/icons.tsx";
import { Page } from "../../components/frame/layout.tsx";
import { Badge, Card, EmptyState, FormAlert } from "../../components/display.tsx";
import { harnessOf } from "../../../admin/shared/document/harness.ts";
import {
  loadDirectory,
  type PageApp,
  type PageContext,
  type PageServices,
  parameter,
  type Viewer,
} from "../../shared/page-context.ts";
import type { Config } from "../../../store/config.ts";
import { ConfirmPage } from "../../components/frame/confirm-page.tsx";
import { generalFrom, redactFrom } from "./general-form.ts";
import { GeneralPage, type RedactionTrial } from "./general.tsx";
import { harnessPath } from "./shared/harness-frame.tsx";
import { keyRoutes } from "./keys/keys.tsx";
import { limitRoutes } from "./limits.tsx";
import { paramRoutes } from "./params.tsx";
import { routingRoutes } from "./routing/routing.tsx";

/** The list of harnesses and every page of a single one. */
export function harnessRoutes(app: PageApp, services: PageServices): void {
  app.get("/harnesses", async (c) => {
    const config = await readConfig(c.var.viewer.scope);
    return c.html(await ListPage({ viewer: c.var.viewer, config }));
  });
  app.post("/harnesses", createHarness);
  keyRoutes(app, services);
  routingRoutes(app, services);
  paramRoutes(app, services);
  limitRoutes(app);
  generalRoutes(app, services);
}

async function createHarness(c: PageContext): Promise<Response> {
  const { viewer } = c.var;
  const name = field(await formOf(c.req.raw), "name");
  let id = "";
  const outcome = await tryChange(async () => {
    if (name === "") throw fieldProblem("name", "enter a name");
    await editConfig(viewer.scope, (config) => {
      const harnesses = config.harnesses ?? [];
      id = idFrom(
        name,
        harnesses.map((entry) => entry.id),
        viewer.words.holder,
      );
      const added = { id, name, aliases: { ...clientAliases } };
      return { ...config, harnesses: [...harnesses, added] };
    });
  });
  if (outcome.ok) return c.redirect(`${harnessPath(id)}?done=created`, 303);
  const config = await readConfig(viewer.scope);
  return c.html(await ListPage({ viewer, config, error: outcome.error, name }), 422);
}

interface ListProps {
  viewer: Viewer;
  config: Config;
  error?: FieldError;
  name?: string;
}

async function ListPage({ viewer, config, error, name }: ListProps) {
  const { scope, words } = viewer;
  const harnesses = config.harnesses ?? [];
  const limits = await listLimits(scope);
  const keys = await Promise.all(harnesses.map(({ id }) => listKeys(scope, id)));
  return (
    <Page
      viewer={viewer}
      title={words.Holders}
      lead={`Each ${words.holder} is an app or team with its own keys, routing and limits.`}
    >
      {harnesses.length === 0 ? (
        <EmptyState title={`No ${words.Holders.toLowerCase()} yet.`}>
          <p>Create one below for each app or team that sends requests.</p>
        </EmptyState>
      ) : (
        <ul class="tiles">
          {harnesses.map((harness, index) => {
            const own = limits.filter((limit) => limit.harness === harness.id);
            const reached = own.some(({ used, max }) => used >= max);
            return (
              <li class="tile">
                <h2>
                  <a href={harnessPath(harness.id)}>{harness.name}</a>
                </h2>
                <p class="sub">
                  <code>{harness.id}</code>
                </p>
                <p class="badges">
                  <Badge tone="plain">{plural(keys[index]?.length ?? 0, "key")}</Badge>
                  <Badge tone="accent">
                    {harness.routing?.auto === false
                      ? "routing off"
                      : `routing ${harness.routing?.quality ?? "balanced"}`}
                  </Badge>
                  {own.length === 0 ? null : (
                    <Badge tone={reached ? "bad" : "plain"}>
                      {reached ? "limit reached" : plural(own.length, "limit")}
                    </Badge>
                  )}
                </p>
              </li>
            );
          })}
        </ul>
      )}
      {viewer.allows("POST", "/dashboard/harnesses") ? (
        <Card title={`New ${words.holder}`}>
          <FormAlert error={error} fields={["name"]} />
          <form method="post" action="/dashboard/harnesses" class="inline">
            <TextField
              name="name"
              label="Name"
              value={name}
              placeholder="Claude Code on my laptop"
              error={error}
              required
            />
            <button class="primary" type="submit">
              <Icon name="plus" /> Create
            </button>
          </form>
        </Card>
      ) : null}
    </Page>
  );
}

function plural(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}

function generalRoutes(app: PageApp, services: PageServices): void {
  app.get("/harnesses/:id/general", (c) => showGeneral(c, services, {}));
  app.post("/harnesses/:id/general", async (c) => {
    const id = parameter(c, "id");
    const form = await formOf(c.req.raw);
    if (form.has("try")) return await tryRedaction(c, services, form);
    const outcome = await tryChange(() => saveGeneral(c.var.viewer, id, form));
    if (outcome.ok) return c.redirect(`${harnessPath(id)}/general?done=saved`, 303);
    return await showGeneral(c, services, { form, error: outcome.error });
  });
  app.post("/harnesses/:id/duplicate", duplicate);
  app.get("/harnesses/:id/delete", async (c) => {
    const { viewer } = c.var;
    const harness = harnessOf(await readConfig(viewer.scope), parameter(c, "id"));
    const keys = await listKeys(viewer.scope, harness.id);
    return c.html(
      <ConfirmPage
        viewer={viewer}
        title={`Delete ${harness.name}?`}
        text={`Its keys (${keys.length}) stop working immediately. Its routing, parameters and limits are deleted. Its requests stay in the log. Undo or History restores all of it, including the keys.`}
        action={`${harnessPath(harness.id)}/delete`}
        button={`Delete ${viewer.words.holder}`}
        back={`${harnessPath(harness.id)}/general`}
      />,
    );
  });
  app.post("/harnesses/:id/delete", async (c) => {
    const { viewer } = c.var;
    const id = parameter(c, "id");
    await editConfig(viewer.scope, (config) => {
      harnessOf(config, id);
      return { ...config, harnesses: (config.harnesses ?? []).filter((entry) => entry.id !== id) };
    });
    return c.redirect("/dashboard/harnesses?done=deleted", 303);
  });
}

async function showGeneral(
  c: PageContext,
  services: PageServices,
  shown: { form?: URLSearchParams; error?: FieldError; trial?: RedactionTrial },
): Promise<Response> {
  const { viewer } = c.var;
  const { config, directory } = await loadDirectory(c, services);
  const harness = harnessOf(config, parameter(c, "id"));
  const known = directory.models.map(({ id }) => id);
  const providers = (config.providers ?? []).map(({ id }) => id);
  return c.html(
    <GeneralPage {...{ viewer, harness, known, providers, ...shown }} />,
    shown.error === undefined ? 200 : 422,
  );
}

/** The form as it came, with its text as it would be kept; nothing is saved. */
async function tryRedaction(
  c: PageContext,
  services: PageServices,
  form: URLSearchParams,
): Promise<Response> {
  const outcome = await tryChange(() => redactFrom(form));
  if (!outcome.ok) return await showGeneral(c, services, { form, error: outcome.error });
  const trial = { text: form.get("sample") ?? "", setting: outcome.value };
  return await showGeneral(c, services, { form, trial });
}

async function saveGeneral(viewer: Viewer, id: string, form: URLSearchParams): Promise<Config> {
  const said = generalFrom(form, viewer);
  return await editHarness(viewer.scope, id, (harness) => withMembers(harness, said));
}

async function duplicate(c: PageContext): Promise<Response> {
  const { viewer } = c.var;
  let id = "";
  await editConfig(viewer.scope, (config) => {
    const harnesses = config.harnesses ?? [];
    const source = harnessOf(config, parameter(c, "id"));
    id = idFrom(
      source.id,
      harnesses.map((entry) => entry.id),
      viewer.words.holder,
    );
    const copy = { ...source, id, name: `${source.name} (copy)`.slice(0, 200) };
    return { ...config, harnesses: [...harnesses, copy] };
  });
  return c.redirect(`${harnessPath(id)}/general?done=duplicated`, 303);
}
