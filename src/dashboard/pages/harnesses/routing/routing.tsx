/** Routes of a harness's routing: tiers, header rules, fallbacks, dry run. */
import { type ClientFormatName, isClientFormat } from "../../../../core/format-name.ts";
import type { JsonObject } from "../../../../lib/json.ts";
import { readConfig } from "../../../../admin/routes/document/config.ts";
import { readLearning } from "../../../../admin/routes/requests/learning.ts";
import { listTiers, type RoutingPreview } from "../../../../admin/routes/requests/routing.ts";
import {
  tryChange,
  fieldProblem,
  type FieldError,
  field,
  formOf,
  type ChangeOutcome,
} from "../../../shared/forms.ts";
import { editHarness } from "../shared/edit-harness.ts";
import {
  fallbacksFromText,
  routingFromForm,
  headerRuleFromForm,
  rolesFromForm,
  withRouting,
} from "./routing-entry.ts";
import { harnessOf } from "../../../../admin/shared/document/harness.ts";
import {
  loadDirectory,
  type PageApp,
  type PageContext,
  type PageServices,
  parameter,
} from "../../../shared/page-context.ts";
import { harnessPath } from "../shared/harness-frame.tsx";
import { learningRoutes } from "./learning.tsx";
import { RoutingPage } from "./routing-page.tsx";

interface PageState {
  error?: FieldError;
  form?: URLSearchParams;
  decision?: RoutingPreview;
}

/** Registers a harness's routing page. */
export function routingRoutes(app: PageApp, services: PageServices): void {
  const path = "/harnesses/:id/routing";
  app.get(path, (c) => showRouting(c, services, {}));
  app.post(path, async (c) => {
    const form = await formOf(c.req.raw);
    const outcome = await tryChange(() => {
      return editHarness(c.var.viewer.scope, parameter(c, "id"), (harness) =>
        withRouting(harness, routingFromForm(form, harness.routing)),
      );
    });
    return await saveOrShow(c, services, { outcome, form, anchor: anchorOf(form) });
  });
  app.post(`${path}/rules`, async (c) => {
    const form = await formOf(c.req.raw);
    const outcome = await tryChange(() => {
      const rule = headerRuleFromForm(form);
      return editHarness(c.var.viewer.scope, parameter(c, "id"), (harness) =>
        withRouting(harness, {
          ...harness.routing,
          headers: [...(harness.routing?.headers ?? []), rule],
        }),
      );
    });
    return await saveOrShow(c, services, { outcome, form, anchor: "#rules" });
  });
  app.post(`${path}/rules/delete`, async (c) => {
    const form = await formOf(c.req.raw);
    const removed = Number(field(form, "index"));
    const outcome = await tryChange(() =>
      editHarness(c.var.viewer.scope, parameter(c, "id"), (harness) =>
        withRouting(harness, {
          ...harness.routing,
          headers: (harness.routing?.headers ?? []).filter(
            (rule, index) => index !== removed || rule.name !== field(form, "name"),
          ),
        }),
      ),
    );
    return await saveOrShow(c, services, { outcome, form, anchor: "#rules" });
  });
  app.post(`${path}/fallbacks`, async (c) => {
    const form = await formOf(c.req.raw);
    const outcome = await tryChange(() => {
      const fallbacks = fallbacksFromText(field(form, "fallbacks"));
      return editHarness(c.var.viewer.scope, parameter(c, "id"), (harness) =>
        withRouting(harness, { ...harness.routing, fallbacks }),
      );
    });
    return await saveOrShow(c, services, { outcome, form, anchor: "#fallbacks" });
  });
  app.post(`${path}/roles`, async (c) => {
    const form = await formOf(c.req.raw);
    const outcome = await tryChange(() =>
      editHarness(c.var.viewer.scope, parameter(c, "id"), (harness) => {
        const roles = rolesFromForm(form, harness.routing?.roles);
        const { roles: _, ...others } = harness.routing ?? {};
        return withRouting(harness, { ...others, ...(roles !== undefined && { roles }) });
      }),
    );
    return await saveOrShow(c, services, { outcome, form, anchor: "#roles" });
  });
  app.post(`${path}/try`, (c) => tryRouting(c, services));
  learningRoutes(app);
}

interface SaveResult {
  outcome: ChangeOutcome<unknown>;
  form: URLSearchParams;
  anchor: string;
}

async function saveOrShow(
  c: PageContext,
  services: PageServices,
  { outcome, form, anchor }: SaveResult,
) {
  if (!outcome.ok) return await showRouting(c, services, { form, error: outcome.error });
  return c.redirect(`${harnessPath(parameter(c, "id"))}/routing?done=saved${anchor}`, 303);
}

/** The anchor of the tier whose button was pressed. */
function anchorOf(form: URLSearchParams): string {
  const tier = /^\w+ (\w+)/.exec(field(form, "do"))?.[1];
  return tier === undefined ? "" : `#tier-${tier}`;
}

/** The routing decision for a pasted prompt or a complete request body. */
async function tryRouting(c: PageContext, services: PageServices): Promise<Response> {
  const form = await formOf(c.req.raw);
  const outcome = await tryChange(async () => {
    const { snapshot } = await loadDirectory(c, services);
    const { id: harness } = harnessOf(snapshot.config, parameter(c, "id"));
    const waitUntil = (promise: Promise<unknown>) => c.executionCtx.waitUntil(promise);
    const input = dryRunInput(form);
    return await services.dryRun({ env: c.env, snapshot, harness, waitUntil, ...input });
  });
  if (!outcome.ok) {
    return await showRouting(c, services, {
      form,
      error: { field: "prompt", message: outcome.error.message },
    });
  }
  return await showRouting(c, services, { form, decision: outcome.value });
}

function dryRunInput(form: URLSearchParams): {
  format: ClientFormatName;
  body: JsonObject;
} {
  const text = field(form, "prompt");
  if (text === "") throw fieldProblem(null, "Enter a prompt or a complete request body.");
  const format = field(form, "format");
  const chosen = isClientFormat(format) ? format : "chat";
  const body = text.startsWith("{") ? bodyFrom(text) : undefined;
  if (body !== undefined) return { format: chosen, body: { model: "auto", ...body } };
  if (chosen === "gemini") {
    const contents = [{ role: "user", parts: [{ text }] }];
    return { format: chosen, body: { model: "auto", contents } };
  }
  if (chosen === "responses") return { format: chosen, body: { model: "auto", input: text } };
  return { format: chosen, body: { model: "auto", messages: [{ role: "user", content: text }] } };
}

/** Undefined for a prompt that only begins with a brace. */
function bodyFrom(text: string): JsonObject | undefined {
  try {
    // JSON text that begins with a brace is an object or nothing.
    return JSON.parse(text) as JsonObject;
  } catch {
    return undefined;
  }
}

async function showRouting(
  c: PageContext,
  services: PageServices,
  state: PageState,
): Promise<Response> {
  const { viewer } = c.var;
  const [config, learned, { directory }] = await Promise.all([
    readConfig(viewer.scope),
    readLearning(viewer.scope, parameter(c, "id")),
    loadDirectory(c, services),
  ]);
  const harness = harnessOf(config, parameter(c, "id"));
  const tiers = listTiers(directory, harness);
  const models = directory.models.map(({ id }) => id);
  return c.html(
    <RoutingPage {...{ viewer, harness, tiers, models, learned, ...state }} />,
    state.error === undefined ? 200 : 422,
  );
}
