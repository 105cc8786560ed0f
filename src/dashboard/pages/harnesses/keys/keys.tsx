/** Routes of a harness's keys: the list, creating, one key with its limits and models, revoking. */
import {
  changeKey,
  createKey,
  deleteKey,
  type KeyView,
  listKeys,
} from "../../../../admin/routes/document/keys.ts";
import { listBlocks, listLimits } from "../../../../admin/routes/usage/limits.ts";
import { readConfig } from "../../../../admin/routes/document/config.ts";
import { notFound } from "../../../../admin/shared/errors.ts";
import { harnessOf } from "../../../../admin/shared/document/harness.ts";
import { allowedModelsFrom } from "../../../components/allowed-models.tsx";
import { ConfirmPage } from "../../../components/frame/confirm-page.tsx";
import {
  expiryFrom,
  field,
  type FieldError,
  fieldProblem,
  formOf,
  tryChange,
} from "../../../shared/forms.ts";
import { isLimitDone, type RefusedLimit, registerLimits } from "../../../shared/limit-changes.ts";
import { lastLimitChange, type LimitChange } from "../../../shared/limit-undo.ts";
import {
  loadDirectory,
  type PageApp,
  type PageContext,
  type PageServices,
  parameter,
} from "../../../shared/page-context.ts";
import { peopleNames } from "../../../shared/people-names.ts";
import { harnessPath } from "../shared/harness-frame.tsx";
import { KeyPage } from "./key-page.tsx";
import { KeysPage } from "./keys-page.tsx";

/** Registers them. */
export function keyRoutes(app: PageApp, services: PageServices): void {
  app.get("/harnesses/:id", (c) => showKeys(c, {}));
  app.post("/harnesses/:id/keys", addKey);
  app.get("/harnesses/:id/keys/:key", (c) => showKey(c, services, {}));
  app.post("/harnesses/:id/keys/:key", (c) => saveKey(c, services));
  app.get("/harnesses/:id/keys/:key/delete", confirmRevoking);
  app.post("/harnesses/:id/keys/:key/delete", async (c) => {
    const id = parameter(c, "id");
    await deleteKey(c.var.viewer.scope, id, parameter(c, "key"));
    return c.redirect(`${harnessPath(id)}?done=revoked`, 303);
  });
  registerLimits(app, "/harnesses/:id/keys/:key/limits", {
    edit: async (c, change) => {
      const { limits } = await keyOf(c);
      return await changeKey(c.var.viewer.scope, nameOf(c), { limits: change(limits) });
    },
    show: (c, limit) => showKey(c, services, { limit }),
    page: keyPath,
    apart: (c) => ({ action: "key.changed", id: parameter(c, "key") }),
  });
}

interface KeysState {
  error?: FieldError;
  created?: { name: string; key: string };
}

async function showKeys(c: PageContext, more: KeysState): Promise<Response> {
  const { viewer } = c.var;
  const config = await readConfig(viewer.scope);
  const harness = harnessOf(config, parameter(c, "id"));
  const [keys, people] = await Promise.all([
    listKeys(viewer.scope, harness.id),
    peopleNames(viewer),
  ]);
  const timezone = config.timezone ?? "UTC";
  return c.html(
    <KeysPage {...{ viewer, harness, keys, people, timezone, ...more }} />,
    more.error === undefined ? 200 : 422,
  );
}

async function addKey(c: PageContext): Promise<Response> {
  const form = await formOf(c.req.raw);
  const outcome = await tryChange(async () => {
    const newKey = { name: nameFrom(form), expires_at: expiryFrom(form) };
    if (newKey.expires_at !== null && Date.parse(newKey.expires_at) <= Date.now())
      throw fieldProblem("expires_at", "must be in the future");
    return await createKey(c.var.viewer.scope, parameter(c, "id"), newKey);
  });
  if (!outcome.ok) return await showKeys(c, { error: outcome.error });
  // Not a redirect: the key is shown in this response only.
  return await showKeys(c, { created: outcome.value });
}

function nameFrom(form: URLSearchParams): string {
  const name = field(form, "name");
  if (name.length > 200) throw fieldProblem("name", "must be at most 200 characters");
  return name;
}

interface KeyState {
  form?: URLSearchParams;
  error?: FieldError;
  limit?: RefusedLimit;
}

async function showKey(c: PageContext, services: PageServices, state: KeyState): Promise<Response> {
  const { viewer } = c.var;
  const [key, config, limits, blocks, change, people, { directory }] = await Promise.all([
    keyOf(c),
    readConfig(viewer.scope),
    listLimits(viewer.scope),
    listBlocks(viewer.scope),
    changeBefore(c),
    peopleNames(viewer),
    loadDirectory(c, services),
  ]);
  const refused = state.error ?? state.limit?.error;
  return c.html(
    <KeyPage
      {...{ viewer, people, blocks, change, ...state }}
      shown={key}
      harness={harnessOf(config, parameter(c, "id"))}
      timezone={config.timezone ?? "UTC"}
      limits={limits.filter(({ node, id }) => node === "key" && id === key.id)}
      known={directory.models.map(({ id }) => id)}
      edited={state.limit?.form.get("limit") ?? c.req.query("limit") ?? ""}
    />,
    refused === undefined ? 200 : 422,
  );
}

/** The change of the key's limits that led here. */
async function changeBefore(c: PageContext): Promise<LimitChange | undefined> {
  const { viewer } = c.var;
  if (!isLimitDone(viewer.done)) return undefined;
  return await lastLimitChange(viewer.scope, { action: "key.changed", id: parameter(c, "key") });
}

async function saveKey(c: PageContext, services: PageServices): Promise<Response> {
  const form = await formOf(c.req.raw);
  const outcome = await tryChange(() =>
    changeKey(c.var.viewer.scope, nameOf(c), {
      name: nameFrom(form),
      expires_at: expiryFrom(form),
      models: allowedModelsFrom(form),
    }),
  );
  if (!outcome.ok) return await showKey(c, services, { form, error: outcome.error });
  return c.redirect(`${keyPath(c)}?done=key`, 303);
}

async function confirmRevoking(c: PageContext): Promise<Response> {
  const { viewer } = c.var;
  const key = await keyOf(c);
  return c.html(
    <ConfirmPage
      viewer={viewer}
      title="Revoke this key?"
      text={`${key.name === "" ? "The key" : key.name} …${key.last4} stops working immediately. This can't be undone.`}
      action={`${keyPath(c)}/delete`}
      button="Revoke key"
      back={harnessPath(parameter(c, "id"))}
    />,
  );
}

/** The key of the path; 404 when its harness has none of that id, or none that the viewer may see. */
async function keyOf(c: PageContext): Promise<KeyView> {
  const { harness, id } = nameOf(c);
  const keys = await listKeys(c.var.viewer.scope, harness);
  const found = keys.find((key) => key.id === id);
  if (found === undefined) throw notFound("This key does not exist.");
  return found;
}

function nameOf(c: PageContext): { harness: string; id: string } {
  return { harness: parameter(c, "id"), id: parameter(c, "key") };
}

function keyPath(c: PageContext): string {
  const { harness, id } = nameOf(c);
  return `${harnessPath(harness)}/keys/${encodeURIComponent(id)}`;
}
