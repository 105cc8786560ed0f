/** Routes of providers: the list, adding, testing, editing, deleting. */
import { editConfig, readConfig } from "../../../admin/routes/config.ts";
import { notFound } from "../../../admin/shared/errors.ts";
import { readWorkspaceStatus } from "../../../admin/routes/system.ts";
import {
  type Discovery,
  discoverModels,
  type LocalServer,
  localServers,
} from "../../../admin/routes/providers.ts";
import { usageReport } from "../../../admin/routes/usage.ts";
import { modeOf, reachOf } from "../../../store/env.ts";
import type { Config, ProviderEntry } from "../../../store/config.ts";
import { knownKinds, recordOf } from "../../../providers/catalogue/kinds.ts";
import { tryChange, type FieldError, field, formOf, idFrom } from "../../shared/forms.ts";
import { providerEntryFromForm, formFromProviderEntry } from "./provider-entry.ts";
import { Page } from "../../components/layout.tsx";
import { Card } from "../../components/display.tsx";
import {
  loadDirectory,
  type PageApp,
  type PageContext,
  type PageServices,
  parameter,
} from "../../shared/page-context.ts";
import { withMembers } from "../harnesses/shared/edit-harness.ts";
import { ConfirmPage } from "../../components/confirm-page.tsx";
import { LocalServers } from "./local-servers.tsx";
import { NewProviderPage, ProviderPage } from "./provider.tsx";
import { ProvidersPage } from "./provider-list.tsx";

/** Milliseconds that the page of all providers waits for local servers to answer. */
const localSearchTime = 150;

/** Registers every page of providers. */
export function providerRoutes(app: PageApp, services: PageServices): void {
  app.get("/providers", async (c) => {
    const { viewer } = c.var;
    const { config, directory } = await loadDirectory(c, services);
    const [status, usage, servers] = await Promise.all([
      readWorkspaceStatus(viewer.scope),
      usageReport(viewer.scope, { by: "hour", group: "provider" }).then(({ data }) => data),
      searchLocally(c),
    ]);
    const local = servers ?? undefined;
    return c.html(<ProvidersPage {...{ viewer, config, directory, status, usage, local }} />);
  });
  app.get("/providers/local", async (c) => {
    const [servers, config] = await Promise.all([
      localServers(modeOf(c.env)),
      readConfig(c.var.viewer.scope),
    ]);
    const found = <LocalServers servers={servers} providers={config.providers ?? []} />;
    if (c.req.header("X-Part") !== undefined) return c.html(found);
    return c.html(
      <Page
        viewer={c.var.viewer}
        title="On this machine"
        lead={<a href="/dashboard/providers">Providers</a>}
      >
        <Card>{found}</Card>
      </Page>,
    );
  });
  app.get("/providers/new", showNew);
  app.post("/providers", (c) => addProvider(c, services));
  app.get("/providers/:id", (c) => showProvider(c, services, {}));
  app.post("/providers/:id", (c) => changeProvider(c, services));
  app.post("/providers/:id/test", (c) => {
    const id = encodeURIComponent(parameter(c, "id"));
    return c.redirect(`/dashboard/providers/${id}?test=1`, 303);
  });
  deleteRoutes(app);
}

/** Closed ports answer at once; the page does not wait for an open one that stays silent. */
async function searchLocally(c: PageContext): Promise<LocalServer[] | void> {
  if (!c.var.viewer.allows("GET", "/dashboard/providers/local")) return [];
  return await Promise.race([localServers(modeOf(c.env)), scheduler.wait(localSearchTime)]);
}

async function showNew(c: PageContext): Promise<Response> {
  const { viewer } = c.var;
  const kind = kindOf(c.req.query("kind"));
  const taken = ((await readConfig(viewer.scope)).providers ?? []).map(({ id }) => id);
  const form = new URLSearchParams({ id: idFrom(kind, taken, "provider"), kind });
  const address = c.req.query("base_url");
  if (address !== undefined) form.set("base_url", address);
  return c.html(<NewProviderPage {...{ viewer, kind, form }} />);
}

function kindOf(text: string | undefined): string {
  if (text === undefined || !knownKinds.includes(text))
    throw notFound("The catalogue has no such kind of provider.");
  return text;
}

/** Saves a new provider, or only tests its connection. */
async function addProvider(c: PageContext, services: PageServices): Promise<Response> {
  const { viewer } = c.var;
  const form = await formOf(c.req.raw);
  const kind = kindOf(field(form, "kind"));
  const show = (more: { error?: FieldError; discovery?: Discovery }, status: 200 | 422) =>
    c.html(<NewProviderPage {...{ viewer, kind, form, ...more }} />, status);
  if (form.get("do") === "test") {
    const tested = await testForm(form, undefined, c);
    return show(
      tested.ok ? { discovery: tested.value } : { error: tested.error },
      tested.ok ? 200 : 422,
    );
  }
  const outcome = await tryChange(async () => {
    const entry = providerEntryFromForm(form, undefined);
    await editConfig(viewer.scope, (config) => ({
      ...config,
      providers: [...(config.providers ?? []), entry],
    }));
    return entry.id;
  });
  if (!outcome.ok) return show({ error: outcome.error }, 422);
  // Reads its model list now, so that the next page can show it.
  await loadDirectory(c, services, true);
  const id = encodeURIComponent(outcome.value);
  return c.redirect(`/dashboard/providers/${id}?done=connected&test=1`, 303);
}

/** Asks the endpoint that the form describes for its models; nothing is saved. */
function testForm(form: URLSearchParams, before: ProviderEntry | undefined, c: PageContext) {
  return tryChange(async (): Promise<Discovery> => {
    const entry = providerEntryFromForm(form, before);
    const { base_url: address, format } = entry;
    // The form has only the mask of a stored key: a test needs the key itself.
    if (entry.api_key === "***") delete entry.api_key;
    const needsKey = recordOf(entry.kind)?.keyless !== true && entry.api_key === undefined;
    if (needsKey) return { ok: false, message: "Enter the API key to test the connection." };
    return await discoverModels(
      {
        id: entry.id === "" ? "probe" : entry.id,
        kind: entry.kind,
        ...(address !== undefined && { base_url: address }),
        ...(format !== undefined && { format }),
        ...(entry.region !== undefined && { region: entry.region }),
        ...(entry.api_key !== undefined && { api_key: entry.api_key }),
        ...(entry.headers !== undefined && { headers: entry.headers }),
      },
      reachOf(c.env),
    );
  });
}

interface PageState {
  error?: FieldError;
  form?: URLSearchParams;
  discovery?: Discovery;
}

async function showProvider(
  c: PageContext,
  services: PageServices,
  state: PageState,
): Promise<Response> {
  const { viewer } = c.var;
  const id = parameter(c, "id");
  const entry = providerIn((await readConfig(viewer.scope)).providers, id);
  const asked = c.req.method === "GET" && c.req.query("test") === "1";
  const testing = asked && viewer.allows("POST", `/dashboard/providers/${id}/test`);
  const { snapshot, directory } = await loadDirectory(c, services);
  const [status, test] = await Promise.all([
    readWorkspaceStatus(viewer.scope),
    testing
      ? services.testProvider({
          env: c.env,
          snapshot,
          provider: providerIn(snapshot.config.providers, id),
        })
      : undefined,
  ]);
  const models = directory.models.filter(({ connection }) => connection.id === id);
  const form = state.form ?? formFromProviderEntry(entry);
  return c.html(
    <ProviderPage {...{ viewer, entry, form, models, status, ...state }} {...(test && { test })} />,
    state.error === undefined ? 200 : 422,
  );
}

function providerIn(entries: readonly ProviderEntry[] | undefined, id: string): ProviderEntry {
  const entry = entries?.find((candidate) => candidate.id === id);
  if (entry === undefined) throw notFound(`There is no provider ${JSON.stringify(id)}.`);
  return entry;
}

async function changeProvider(c: PageContext, services: PageServices): Promise<Response> {
  const { viewer } = c.var;
  const id = parameter(c, "id");
  const form = await formOf(c.req.raw);
  form.set("id", id);
  const before = providerIn((await readConfig(viewer.scope)).providers, id);
  if (form.get("do") === "test") {
    const tested = await testForm(form, before, c);
    return await showProvider(c, services, {
      form,
      ...(tested.ok ? { discovery: tested.value } : { error: tested.error }),
    });
  }
  const outcome = await tryChange(() =>
    editConfig(viewer.scope, (config) => ({
      ...config,
      providers: (config.providers ?? []).map((entry) =>
        entry.id === id ? providerEntryFromForm(form, entry) : entry,
      ),
    })),
  );
  if (!outcome.ok) return await showProvider(c, services, { form, error: outcome.error });
  await loadDirectory(c, services, true);
  return c.redirect(`/dashboard/providers/${encodeURIComponent(id)}?done=saved&test=1`, 303);
}

function deleteRoutes(app: PageApp): void {
  app.get("/providers/:id/delete", async (c) => {
    const { viewer } = c.var;
    const entry = providerIn((await readConfig(viewer.scope)).providers, parameter(c, "id"));
    const path = `/dashboard/providers/${encodeURIComponent(entry.id)}`;
    return c.html(
      <ConfirmPage
        viewer={viewer}
        title={`Delete ${entry.id}?`}
        text="Its stored API key is deleted and its models become unavailable. Tiers will skip them, and web search with it is turned off."
        action={`${path}/delete`}
        button="Delete provider"
        back={path}
      />,
    );
  });
  app.post("/providers/:id/delete", async (c) => {
    const id = parameter(c, "id");
    await editConfig(c.var.viewer.scope, (config) => {
      providerIn(config.providers, id);
      return withoutProvider(config, id);
    });
    return c.redirect("/dashboard/providers?done=deleted", 303);
  });
}

/** Nor does any harness search the web with it: the document refuses one that names a provider it lacks. */
function withoutProvider(config: Config, id: string): Config {
  const harnesses = config.harnesses?.map((harness) =>
    harness.web_search?.provider === id ? withMembers(harness, { web_search: undefined }) : harness,
  );
  const providers = (config.providers ?? []).filter((entry) => entry.id !== id);
  return { ...config, providers, ...(harnesses !== undefined && { harnesses }) };
}
