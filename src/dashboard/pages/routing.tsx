/** A harness's routing: tiers and chains, rules by header, fallbacks, and a dry run. */
import type { JsonObject } from "../../lib/json.ts";
import { readConfig } from "../../admin/routes/config.ts";
import { readLearning } from "../../admin/routes/learning.ts";
import { listTiers } from "../../admin/routes/routing.ts";
import {
  tryChange,
  fault,
  type Fault,
  field,
  formOf,
  type ChangeOutcome,
} from "../shared/forms.ts";
import { editHarness } from "../harness-edit.ts";
import { fallbacksFrom, routingFrom, ruleFrom, withRouting } from "../routing-edit.ts";
import { harnessOf } from "../../admin/shared/harness.ts";
import {
  loadDirectory,
  type PageApp,
  type PageContext,
  type PageServices,
  parameter,
} from "../shared/page-context.ts";
import { harnessPath } from "./harness-frame.tsx";
import { learningRoutes } from "./learning.tsx";
import { RoutingPage } from "./routing-page.tsx";

interface More {
  fault?: Fault;
  form?: URLSearchParams;
  decided?: JsonObject;
}

export function routingRoutes(app: PageApp, services: PageServices): void {
  const path = "/harnesses/:id/routing";
  app.get(path, (c) => show(c, services, {}));
  app.post(path, async (c) => {
    const form = await formOf(c.req.raw);
    const outcome = await tryChange(() => {
      return editHarness(c.var.viewer.scope, parameter(c, "id"), (harness) =>
        withRouting(harness, routingFrom(form, harness.routing)),
      );
    });
    return await finish(c, services, { outcome, form, anchor: anchorOf(form) });
  });
  app.post(`${path}/rules`, async (c) => {
    const form = await formOf(c.req.raw);
    const outcome = await tryChange(() => {
      const rule = ruleFrom(form);
      return editHarness(c.var.viewer.scope, parameter(c, "id"), (harness) =>
        withRouting(harness, {
          ...harness.routing,
          headers: [...(harness.routing?.headers ?? []), rule],
        }),
      );
    });
    return await finish(c, services, { outcome, form, anchor: "#rules" });
  });
  app.post(`${path}/rules/delete`, async (c) => {
    const form = await formOf(c.req.raw);
    const which = Number(field(form, "index"));
    const outcome = await tryChange(() =>
      editHarness(c.var.viewer.scope, parameter(c, "id"), (harness) =>
        withRouting(harness, {
          ...harness.routing,
          headers: (harness.routing?.headers ?? []).filter(
            (rule, index) => index !== which || rule.name !== field(form, "name"),
          ),
        }),
      ),
    );
    return await finish(c, services, { outcome, form, anchor: "#rules" });
  });
  app.post(`${path}/fallbacks`, async (c) => {
    const form = await formOf(c.req.raw);
    const outcome = await tryChange(() => {
      const fallbacks = fallbacksFrom(field(form, "fallbacks"));
      return editHarness(c.var.viewer.scope, parameter(c, "id"), (harness) =>
        withRouting(harness, { ...harness.routing, fallbacks }),
      );
    });
    return await finish(c, services, { outcome, form, anchor: "#fallbacks" });
  });
  app.post(`${path}/try`, (c) => tryRouting(c, services));
  learningRoutes(app);
}

interface Finish {
  outcome: ChangeOutcome<unknown>;
  form: URLSearchParams;
  anchor: string;
}

async function finish(c: PageContext, services: PageServices, { outcome, form, anchor }: Finish) {
  if (!outcome.ok) return await show(c, services, { form, fault: outcome.fault });
  return c.redirect(`${harnessPath(parameter(c, "id"))}/routing?done=saved${anchor}`, 303);
}

/** Back to the tier whose button was pressed. */
function anchorOf(form: URLSearchParams): string {
  const tier = /^\w+ (\w+)/.exec(field(form, "do"))?.[1];
  return tier === undefined ? "" : `#tier-${tier}`;
}

/** The decision for a pasted prompt, or for a whole request body. */
async function tryRouting(c: PageContext, services: PageServices): Promise<Response> {
  const form = await formOf(c.req.raw);
  const outcome = await tryChange(async () => {
    const { snapshot } = await loadDirectory(c, services);
    const { id: harness } = harnessOf(snapshot.config, parameter(c, "id"));
    const waitUntil = (promise: Promise<unknown>) => c.executionCtx.waitUntil(promise);
    const question = questionFrom(form);
    return await services.dryRun({ env: c.env, snapshot, harness, waitUntil, ...question });
  });
  if (!outcome.ok) {
    return await show(c, services, {
      form,
      fault: { field: "prompt", message: outcome.fault.message },
    });
  }
  return await show(c, services, { form, decided: outcome.value });
}

function questionFrom(form: URLSearchParams): {
  format: "chat" | "responses" | "messages";
  body: JsonObject;
} {
  const text = field(form, "prompt");
  if (text === "") throw fault(null, "Paste a prompt, or a whole request body.");
  const format = field(form, "format");
  const chosen = format === "responses" || format === "messages" ? format : "chat";
  const body = text.startsWith("{") ? bodyIn(text) : undefined;
  if (body !== undefined) return { format: chosen, body: { model: "auto", ...body } };
  if (chosen === "responses") return { format: chosen, body: { model: "auto", input: text } };
  return { format: chosen, body: { model: "auto", messages: [{ role: "user", content: text }] } };
}

/** A prompt may begin with a brace too; then it is a prompt. */
function bodyIn(text: string): JsonObject | undefined {
  try {
    // JSON text that begins with a brace is an object or nothing.
    return JSON.parse(text) as JsonObject;
  } catch {
    return undefined;
  }
}

async function show(c: PageContext, services: PageServices, more: More): Promise<Response> {
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
    <RoutingPage {...{ viewer, harness, tiers, models, learned, ...more }} />,
    more.fault === undefined ? 200 : 422,
  );
}
