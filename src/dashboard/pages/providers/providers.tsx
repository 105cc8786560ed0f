/** Routes of providers: the list, testing, editing, deleting; adding has its own. */
import { editConfig, readConfig } from "../../../admin/routes/document/config.ts";
import { notFound } from "../../../admin/shared/errors.ts";
import { readWorkspaceStatus } from "../../../admin/routes/system.ts";
import { usageReport } from "../../../admin/routes/usage/usage.ts";
import type { Config, ProviderEntry } from "../../../store/config.ts";
import { tryChange, field, formOf } from "../../shared/forms.ts";
import { formFromProviderEntry } from "./provider-entry.ts";
import {
  keepForBack,
  loadDirectory,
  type PageApp,
  type PageContext,
  type PageServices,
  parameter,
} from "../../shared/page-context.ts";
import { withMembers } from "../harnesses/shared/edit-harness.ts";
import { ConfirmPage } from "../../components/frame/confirm-page.tsx";
import { addRoutes } from "./add-routes.tsx";
import {
  earlierOutcome,
  endStep,
  type EnteredProvider,
  enteredFrom,
  failStep,
  type StepResult,
  testStep,
} from "./entered-provider.ts";
import { isSameConnection, openAnswer } from "./provider-draft.ts";
import { ProviderPage } from "./provider.tsx";
import { ProvidersPage } from "./provider-list.tsx";

/** Registers every page of providers. */
export function providerRoutes(app: PageApp, services: PageServices): void {
  app.get("/providers", async (c) => {
    const { viewer } = c.var;
    const { config, directory } = await loadDirectory(c, services);
    const [status, usage] = await Promise.all([
      readWorkspaceStatus(viewer.scope),
      usageReport(viewer.scope, { by: "hour", group: "provider" }).then(({ data }) => data),
    ]);
    return c.html(<ProvidersPage {...{ viewer, config, directory, status, usage }} />);
  });
  addRoutes(app, services);
  app.get("/providers/:id", (c) => showProvider(c, services, undefined));
  app.post("/providers/:id", (c) => changeProvider(c, services));
  app.post("/providers/:id/test", (c) => {
    const id = encodeURIComponent(parameter(c, "id"));
    return c.redirect(`/dashboard/providers/${id}?test=1`, 303);
  });
  deleteRoutes(app);
}

/** Shows the provider, and how a step of changing it ended. */
async function showProvider(
  c: PageContext,
  services: PageServices,
  ended: StepResult | undefined,
): Promise<Response> {
  const { viewer } = c.var;
  const id = parameter(c, "id");
  const entry = providerIn((await readConfig(viewer.scope)).providers, id);
  const { snapshot, directory } = await loadDirectory(c, services);
  const [status, test, said] = await Promise.all([
    readWorkspaceStatus(viewer.scope),
    isTestAsked(c, id)
      ? services.testProvider({
          scope: viewer.scope,
          snapshot,
          provider: providerIn(snapshot.config.providers, id),
        })
      : undefined,
    openAnswer(viewer, c.req.query("answer")),
  ]);
  const models = directory.models.filter(({ connection }) => connection.id === id);
  const step: StepResult = ended ?? { form: formFromProviderEntry(entry), outcome: "none" };
  const answer = said?.provider === id ? said : undefined;
  keepForBack(c);
  return c.html(
    <ProviderPage {...{ viewer, entry, models, status, step, test, answer }} />,
    step.error === undefined ? 200 : 422,
  );
}

function isTestAsked(c: PageContext, id: string): boolean {
  const asked = c.req.method === "GET" && c.req.query("test") === "1";
  return (
    asked && c.var.viewer.allows("POST", `/dashboard/providers/${encodeURIComponent(id)}/test`)
  );
}

function providerIn(entries: readonly ProviderEntry[] | undefined, id: string): ProviderEntry {
  const entry = entries?.find((candidate) => candidate.id === id);
  if (entry === undefined) throw notFound(`There is no provider ${JSON.stringify(id)}.`);
  return entry;
}

/** A connection that changed is tested first; one that fails is saved only where that is asked for. */
async function changeProvider(c: PageContext, services: PageServices): Promise<Response> {
  const { viewer } = c.var;
  const id = parameter(c, "id");
  const form = await formOf(c.req.raw);
  form.set("id", id);
  const before = providerIn((await readConfig(viewer.scope)).providers, id);
  form.set("kind", before.kind);
  const entered = await enteredFrom(viewer, form, before);
  const { entry } = entered;
  if (!entry.ok)
    return await showProvider(c, services, await failStep(viewer, entered, { error: entry.error }));
  const verb = field(form, "do");
  const earlier = earlierOutcome(entered);
  const isTested = isSameConnection(before, entry.value) || earlier === "passed";
  if (verb === "save" && isTested) return await save(c, services, { entered, done: "saved" });
  if (verb === "anyway" && earlier === "failed")
    return await save(c, services, { entered, done: "unverified" });
  const test = await testStep(c, services, entry.value);
  if (!test.ok)
    return await showProvider(
      c,
      services,
      await failStep(viewer, entered, { fault: test.fault, test }),
    );
  if (verb === "save") return await save(c, services, { entered, done: "saved" });
  return await showProvider(
    c,
    services,
    await endStep(viewer, entered, { test, outcome: "passed" }),
  );
}

async function save(
  c: PageContext,
  services: PageServices,
  { entered, done }: { entered: EnteredProvider; done: "saved" | "unverified" },
): Promise<Response> {
  const { viewer } = c.var;
  const { entry } = entered;
  const id = parameter(c, "id");
  const outcome = await tryChange(() =>
    editConfig(viewer.scope, (config) => ({
      ...config,
      providers: (config.providers ?? []).map((saved) =>
        saved.id === id && entry.ok ? entry.value : saved,
      ),
    })),
  );
  if (!outcome.ok) {
    const { error } = outcome;
    const kept = done === "saved" ? "passed" : "failed";
    const step = await endStep(viewer, entered, { error, outcome: kept });
    return await showProvider(c, services, step);
  }
  if (done === "saved") await loadDirectory(c, services, true);
  return c.redirect(`/dashboard/providers/${encodeURIComponent(id)}?done=${done}`, 303);
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
