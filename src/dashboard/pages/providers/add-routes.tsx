/** Routes that add a provider: the form's steps, and servers that were found on this machine. */
import { editConfig, readConfig } from "../../../admin/routes/document/config.ts";
import { notFound } from "../../../admin/shared/errors.ts";
import { localServers } from "../../../admin/routes/document/providers.ts";
import { knownKinds, recordOf } from "../../../providers/catalogue/kinds.ts";
import type { ConnectionTest } from "../../../providers/models/test-connection.ts";
import type { ProviderEntry } from "../../../store/config.ts";
import { Card } from "../../components/display.tsx";
import { Page } from "../../components/frame/layout.tsx";
import { field, formOf, idFrom, tryChange } from "../../shared/forms.ts";
import {
  keepForBack,
  loadDirectory,
  type PageApp,
  type PageContext,
  type PageServices,
} from "../../shared/page-context.ts";
import { AddProviderPage } from "./add-provider.tsx";
import {
  chosenModel,
  earlierOutcome,
  endStep,
  type EnteredProvider,
  enteredFrom,
  failStep,
  type StepResult,
  testStep,
} from "./entered-provider.ts";
import { LocalServers, localPath } from "./local-servers.tsx";
import { sealAnswer } from "./provider-draft.ts";

/** Registers them. Their addresses begin with words of their own: what follows `/providers/` is an id. */
export function addRoutes(app: PageApp, services: PageServices): void {
  app.get("/add-provider", showNew);
  app.post("/add-provider", async (c) => {
    const form = await formOf(c.req.raw);
    return await addStep(c, services, form);
  });
  app.get("/local-servers", showLocal);
  app.post("/local-servers", async (c) => {
    const form = await formOf(c.req.raw);
    const kind = kindOf(field(form, "kind"));
    const fresh = new URLSearchParams({ kind, id: await freeId(c, kind), do: "found" });
    return await addStep(c, services, fresh);
  });
}

function kindOf(text: string | undefined): string {
  if (text === undefined || !knownKinds.includes(text))
    throw notFound("The catalogue has no provider of this kind.");
  return text;
}

async function freeId(c: PageContext, kind: string): Promise<string> {
  const taken = ((await readConfig(c.var.viewer.scope)).providers ?? []).map(({ id }) => id);
  return idFrom(kind, taken, "provider");
}

async function showNew(c: PageContext): Promise<Response> {
  const kind = kindOf(c.req.query("kind"));
  const form = new URLSearchParams({ id: await freeId(c, kind), kind });
  const address = c.req.query("base_url");
  if (address !== undefined) form.set("base_url", address);
  return showStep(c, { form, outcome: "none" });
}

function showStep(c: PageContext, step: StepResult): Response | Promise<Response> {
  const { viewer } = c.var;
  const kind = kindOf(field(step.form, "kind"));
  const status = step.error === undefined ? 200 : 422;
  keepForBack(c);
  return c.html(<AddProviderPage {...{ viewer, kind, step }} />, status);
}

/** What a button of the form does. Nothing is saved that was not tested just so, or failed its test and is saved anyway. */
async function addStep(
  c: PageContext,
  services: PageServices,
  form: URLSearchParams,
): Promise<Response> {
  const kind = kindOf(field(form, "kind"));
  const entered = await enteredFrom(c.var.viewer, form);
  const { entry } = entered;
  const fail = async (failed: Parameters<typeof failStep>[2]) =>
    await showStep(c, await failStep(c.var.viewer, entered, failed));
  if (!entry.ok) return await fail({ error: entry.error });
  const taken = await takenId(c, entry.value);
  if (taken !== undefined) return await showTaken(c, entered, taken);
  const verb = field(form, "do");
  const earlier = earlierOutcome(entered);
  if (recordOf(kind)?.inProcess === true || (verb === "save" && earlier === "passed"))
    return await save(c, services, { entered, done: "connected" });
  if (verb === "anyway" && earlier === "failed")
    return await save(c, services, { entered, done: "unverified" });
  const test = await testStep(c, services, entry.value);
  if (!test.ok) return await fail({ fault: test.fault, test });
  if (verb === "found") return await save(c, services, { entered, done: "connected" });
  if (verb === "answer" && earlier !== "none")
    return await answerStep(c, services, { entered, test });
  return await showStep(c, await endStep(c.var.viewer, entered, { test, outcome: "passed" }));
}

async function takenId(c: PageContext, { id }: ProviderEntry): Promise<string | undefined> {
  const providers = (await readConfig(c.var.viewer.scope)).providers ?? [];
  return providers.some((entry) => entry.id === id)
    ? `A provider with the ID ${JSON.stringify(id)} already exists. Choose another ID.`
    : undefined;
}

/** A test that was made holds on, whatever the id is. */
async function showTaken(
  c: PageContext,
  entered: EnteredProvider,
  message: string,
): Promise<Response> {
  const outcome = earlierOutcome(entered);
  const error = { field: "id", message };
  return await showStep(c, await endStep(c.var.viewer, entered, { error, outcome }));
}

interface TestedEntry {
  readonly entered: EnteredProvider;
  readonly test: Extract<ConnectionTest, { ok: true }>;
}

/** Asks the chosen model, and saves the provider once it answered. */
async function answerStep(
  c: PageContext,
  services: PageServices,
  { entered, test }: TestedEntry,
): Promise<Response> {
  const { viewer } = c.var;
  const { entry, form } = entered;
  const model = chosenModel(form, test.models);
  if (!entry.ok || model === undefined) {
    const error = { field: "model", message: "Choose a model." };
    return await showStep(c, await endStep(viewer, entered, { error, test, outcome: "passed" }));
  }
  const asked = await services.askEntry(viewer.scope, entry.value, model);
  if (!asked.ok)
    return await showStep(c, await failStep(viewer, entered, { fault: asked.fault, test }));
  const { ok: _, ...said } = asked;
  const shown = { ...said, provider: entry.value.id, model: `${entry.value.id}/${model.info.id}` };
  const answer = await sealAnswer(viewer, shown);
  return await save(c, services, { entered, done: "connected", answer });
}

interface Saving {
  readonly entered: EnteredProvider;
  /** A name of `doneMessages`. */
  readonly done: "connected" | "unverified";
  readonly answer?: string;
}

async function save(
  c: PageContext,
  services: PageServices,
  { entered, done, answer }: Saving,
): Promise<Response> {
  const { entry } = entered;
  const { viewer } = c.var;
  const outcome = await tryChange(async () => {
    if (!entry.ok) return;
    await editConfig(viewer.scope, (config) => ({
      ...config,
      providers: [...(config.providers ?? []), entry.value],
    }));
  });
  if (!entry.ok || !outcome.ok) {
    const error = outcome.ok ? { field: null, message: "Nothing was saved." } : outcome.error;
    const kept = done === "connected" ? "passed" : "failed";
    return await showStep(c, await endStep(viewer, entered, { error, outcome: kept }));
  }
  // Reads its model list now, so that the next page can show it.
  if (done === "connected") await loadDirectory(c, services, true);
  const query = new URLSearchParams({ done, ...(answer !== undefined && { answer }) });
  return c.redirect(
    `/dashboard/providers/${encodeURIComponent(entry.value.id)}?${query.toString()}`,
    303,
  );
}

async function showLocal(c: PageContext): Promise<Response> {
  const { viewer } = c.var;
  const [servers, config] = await Promise.all([localServers(c.env), readConfig(viewer.scope)]);
  return c.html(
    <Page
      viewer={viewer}
      title="Local servers"
      lead={<a href="/dashboard/providers">Providers</a>}
      actions={
        <a class="button" href={localPath}>
          Search again
        </a>
      }
    >
      <Card>
        <LocalServers servers={servers} providers={config.providers ?? []} />
      </Card>
    </Page>,
  );
}
