/** Providers: what is connected, what could be, and each one's own page. */
import { editConfig, readConfig } from "../../admin/routes/config.ts";
import { notFound } from "../../admin/shared/errors.ts";
import { readStatus } from "../../admin/routes/system.ts";
import { discoverModels, localServers } from "../../admin/routes/providers.ts";
import { usageReport } from "../../admin/routes/usage.ts";
import { modeOf } from "../../store/env.ts";
import type { ProviderEntry } from "../../store/config.ts";
import { knownKinds, recordOf } from "../../providers/catalogue/kinds.ts";
import { tryChange, type Fault, field, formOf, idFrom } from "../shared/forms.ts";
import { entryFrom, formFrom } from "../provider-edit.ts";
import { Page } from "../layout.tsx";
import { Card } from "../parts.tsx";
import {
  loadDirectory,
  type PageApp,
  type PageContext,
  type PageServices,
  parameter,
} from "../shared/page-context.ts";
import { Confirm } from "./confirm.tsx";
import { LocalServers } from "./local-servers.tsx";
import { NewProviderPage, ProviderPage, type Tried } from "./provider.tsx";
import { ProvidersPage } from "./provider-list.tsx";

/** Milliseconds that the page of all providers waits for servers of this machine. */
const localPatience = 150;

export function providerRoutes(app: PageApp, services: PageServices): void {
  app.get("/providers", async (c) => {
    const { viewer } = c.var;
    const { config, directory } = await loadDirectory(c, services);
    const [status, usage, servers] = await Promise.all([
      readStatus(viewer.scope),
      usageReport(viewer.scope, { by: "hour", group: "provider" }),
      // Closed ports answer at once; for an open one that is silent the page does not wait.
      Promise.race([localServers(modeOf(c.env)), scheduler.wait(localPatience)]),
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
  app.post("/providers", (c) => connectProvider(c, services));
  app.get("/providers/:id", (c) => showProvider(c, services, {}));
  app.post("/providers/:id", (c) => changeProvider(c, services));
  app.post("/providers/:id/test", (c) => {
    const id = encodeURIComponent(parameter(c, "id"));
    return c.redirect(`/dashboard/providers/${id}?test=1`, 303);
  });
  deleteRoutes(app);
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
    throw notFound("The catalogue has no such provider.");
  return text;
}

/** Saves a new provider, or only tries what the form says. */
async function connectProvider(c: PageContext, services: PageServices): Promise<Response> {
  const { viewer } = c.var;
  const form = await formOf(c.req.raw);
  const kind = kindOf(field(form, "kind"));
  const show = (more: { fault?: Fault; tried?: Tried }, status: 200 | 422) =>
    c.html(<NewProviderPage {...{ viewer, kind, form, ...more }} />, status);
  if (form.get("do") === "try") {
    const tried = await tryForm(form, undefined, c);
    return show(tried.ok ? { tried: tried.value } : { fault: tried.fault }, tried.ok ? 200 : 422);
  }
  const outcome = await tryChange(async () => {
    const entry = entryFrom(form, undefined);
    await editConfig(viewer.scope, (config) => ({
      ...config,
      providers: [...(config.providers ?? []), entry],
    }));
    return entry.id;
  });
  if (!outcome.ok) {
    const { field: name, message } = outcome.fault;
    const words = message.includes("is used twice")
      ? "Another provider has this id already."
      : message;
    return show({ fault: { field: name, message: words } }, 422);
  }
  // Its list is read now, so that the next page knows its models.
  await loadDirectory(c, services, true);
  const id = encodeURIComponent(outcome.value);
  return c.redirect(`/dashboard/providers/${id}?done=connected&test=1`, 303);
}

/** Asks the endpoint that the form describes for its models; nothing is saved. */
function tryForm(form: URLSearchParams, before: ProviderEntry | undefined, c: PageContext) {
  return tryChange(async (): Promise<Tried> => {
    const entry = entryFrom(form, before);
    const { base_url: address, format } = entry;
    // The masked key of a stored entry opens nothing: a try needs the key itself.
    if (entry.api_key === "***") delete entry.api_key;
    const needs = recordOf(entry.kind)?.keyless !== true && entry.api_key === undefined;
    if (needs) return { ok: false, message: "Enter the API key to try it." };
    return await discoverModels(
      {
        id: entry.id === "" ? "probe" : entry.id,
        kind: entry.kind,
        ...(address !== undefined && { base_url: address }),
        ...(format !== undefined && { format }),
        ...(entry.api_key !== undefined && { api_key: entry.api_key }),
        ...(entry.headers !== undefined && { headers: entry.headers }),
      },
      modeOf(c.env),
    );
  });
}

interface More {
  fault?: Fault;
  form?: URLSearchParams;
  tried?: Tried;
}

async function showProvider(c: PageContext, services: PageServices, more: More): Promise<Response> {
  const { viewer } = c.var;
  const id = parameter(c, "id");
  const entry = providerIn((await readConfig(viewer.scope)).providers, id);
  const testing = c.req.method === "GET" && c.req.query("test") === "1";
  const { snapshot, directory } = await loadDirectory(c, services);
  const [status, test] = await Promise.all([
    readStatus(viewer.scope),
    testing
      ? services.testProvider({
          env: c.env,
          snapshot,
          provider: providerIn(snapshot.config.providers, id),
        })
      : undefined,
  ]);
  const models = directory.models.filter(({ connection }) => connection.id === id);
  const form = more.form ?? formFrom(entry);
  return c.html(
    <ProviderPage {...{ viewer, entry, form, models, status, ...more }} {...(test && { test })} />,
    more.fault === undefined ? 200 : 422,
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
  if (form.get("do") === "try") {
    const tried = await tryForm(form, before, c);
    return await showProvider(c, services, {
      form,
      ...(tried.ok ? { tried: tried.value } : { fault: tried.fault }),
    });
  }
  const outcome = await tryChange(() =>
    editConfig(viewer.scope, (config) => ({
      ...config,
      providers: (config.providers ?? []).map((entry) =>
        entry.id === id ? entryFrom(form, entry) : entry,
      ),
    })),
  );
  if (!outcome.ok) return await showProvider(c, services, { form, fault: outcome.fault });
  await loadDirectory(c, services, true);
  return c.redirect(`/dashboard/providers/${encodeURIComponent(id)}?done=saved&test=1`, 303);
}

function deleteRoutes(app: PageApp): void {
  app.get("/providers/:id/delete", async (c) => {
    const { viewer } = c.var;
    const entry = providerIn((await readConfig(viewer.scope)).providers, parameter(c, "id"));
    const path = `/dashboard/providers/${encodeURIComponent(entry.id)}`;
    return c.html(
      <Confirm
        viewer={viewer}
        title={`Delete ${entry.id}?`}
        words="Its stored credential is gone, and its models can no longer be reached. Tiers that name them pass them over."
        action={`${path}/delete`}
        button="Delete the provider"
        back={path}
      />,
    );
  });
  app.post("/providers/:id/delete", async (c) => {
    const id = parameter(c, "id");
    await editConfig(c.var.viewer.scope, (config) => {
      providerIn(config.providers, id);
      return { ...config, providers: (config.providers ?? []).filter((entry) => entry.id !== id) };
    });
    return c.redirect("/dashboard/providers?done=deleted", 303);
  });
}
