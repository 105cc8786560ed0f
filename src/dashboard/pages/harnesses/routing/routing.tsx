/** A harness's routing: tiers and chains, rules by header, fallbacks, and a dry run. */
import type { JsonObject } from "../../../../lib/json.ts";
import { readConfig } from "../../../../admin/actions.ts";
import { readLearning } from "../../../../admin/learning.ts";
import { shownTiers } from "../../../../admin/models.ts";
import { attempt, fault, type Fault, field, formOf, type Outcome } from "../../../forms.ts";
import { editHarness } from "../shared/edit-harness.ts";
import {
  fallbacksFromText,
  routingFromForm,
  headerRuleFromForm,
  withRouting,
} from "./routing-entry.ts";
import {
  harnessIn,
  known,
  type PageApp,
  type PageContext,
  type PageDeps,
  parameter,
} from "../../../scene.ts";
import { harnessPath } from "../shared/harness-frame.tsx";
import { learningRoutes } from "./learning.tsx";
import { RoutingPage } from "./routing-page.tsx";

interface More {
  fault?: Fault;
  form?: URLSearchParams;
  decided?: JsonObject;
}

export function routingRoutes(app: PageApp, deps: PageDeps): void {
  const path = "/harnesses/:id/routing";
  app.get(path, (c) => show(c, deps, {}));
  app.post(path, async (c) => {
    const form = await formOf(c.req.raw);
    const outcome = await attempt(() => {
      return editHarness(c.var.scene.office, parameter(c, "id"), (harness) =>
        withRouting(harness, routingFromForm(form, harness.routing)),
      );
    });
    return await finish(c, deps, { outcome, form, anchor: anchorOf(form) });
  });
  app.post(`${path}/rules`, async (c) => {
    const form = await formOf(c.req.raw);
    const outcome = await attempt(() => {
      const rule = headerRuleFromForm(form);
      return editHarness(c.var.scene.office, parameter(c, "id"), (harness) =>
        withRouting(harness, {
          ...harness.routing,
          headers: [...(harness.routing?.headers ?? []), rule],
        }),
      );
    });
    return await finish(c, deps, { outcome, form, anchor: "#rules" });
  });
  app.post(`${path}/rules/delete`, async (c) => {
    const form = await formOf(c.req.raw);
    const which = Number(field(form, "index"));
    const outcome = await attempt(() =>
      editHarness(c.var.scene.office, parameter(c, "id"), (harness) =>
        withRouting(harness, {
          ...harness.routing,
          headers: (harness.routing?.headers ?? []).filter(
            (rule, index) => index !== which || rule.name !== field(form, "name"),
          ),
        }),
      ),
    );
    return await finish(c, deps, { outcome, form, anchor: "#rules" });
  });
  app.post(`${path}/fallbacks`, async (c) => {
    const form = await formOf(c.req.raw);
    const outcome = await attempt(() => {
      const fallbacks = fallbacksFromText(field(form, "fallbacks"));
      return editHarness(c.var.scene.office, parameter(c, "id"), (harness) =>
        withRouting(harness, { ...harness.routing, fallbacks }),
      );
    });
    return await finish(c, deps, { outcome, form, anchor: "#fallbacks" });
  });
  app.post(`${path}/try`, (c) => tryRouting(c, deps));
  learningRoutes(app);
}

interface Finish {
  outcome: Outcome<unknown>;
  form: URLSearchParams;
  anchor: string;
}

async function finish(c: PageContext, deps: PageDeps, { outcome, form, anchor }: Finish) {
  if (!outcome.ok) return await show(c, deps, { form, fault: outcome.fault });
  return c.redirect(`${harnessPath(parameter(c, "id"))}/routing?done=saved${anchor}`, 303);
}

/** Back to the tier whose button was pressed. */
function anchorOf(form: URLSearchParams): string {
  const tier = /^\w+ (\w+)/.exec(field(form, "do"))?.[1];
  return tier === undefined ? "" : `#tier-${tier}`;
}

/** The decision for a pasted prompt, or for a whole request body. */
async function tryRouting(c: PageContext, deps: PageDeps): Promise<Response> {
  const form = await formOf(c.req.raw);
  const outcome = await attempt(async () => {
    const { snapshot } = await known(c, deps);
    const { id: harness } = harnessIn(snapshot.config, parameter(c, "id"));
    const waitUntil = (promise: Promise<unknown>) => c.executionCtx.waitUntil(promise);
    const question = questionFrom(form);
    return await deps.dryRun({ env: c.env, snapshot, harness, waitUntil, ...question });
  });
  if (!outcome.ok) {
    return await show(c, deps, {
      form,
      fault: { field: "prompt", message: outcome.fault.message },
    });
  }
  return await show(c, deps, { form, decided: outcome.value });
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

async function show(c: PageContext, deps: PageDeps, more: More): Promise<Response> {
  const { scene } = c.var;
  const [config, learned, { directory }] = await Promise.all([
    readConfig(scene.office),
    readLearning(scene.office, parameter(c, "id")),
    known(c, deps),
  ]);
  const harness = harnessIn(config, parameter(c, "id"));
  const tiers = shownTiers(directory, harness);
  const models = directory.models.map(({ id }) => id);
  return c.html(
    <RoutingPage {...{ scene, harness, tiers, models, learned, ...more }} />,
    more.fault === undefined ? 200 : 422,
  );
}
