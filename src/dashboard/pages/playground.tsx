/** One prompt to several models side by side. */
import type { Config } from "../../store/config.ts";
import { readConfig } from "../../admin/routes/config.ts";
import { jsonBody } from "../../admin/shared/request-body.ts";
import { findRequest } from "../../admin/routes/requests.ts";
import type { RequestView } from "../../admin/routes/request-view.ts";
import { Area, Field, Pick } from "../fields.tsx";
import { tryChange, fault, type Fault, field, formOf } from "../shared/forms.ts";
import { Page } from "../layout.tsx";
import { Card, FormFault, ModelName } from "../parts.tsx";
import { runTry, type Try, trySchema, wordsOf } from "../playground.ts";
import {
  loadDirectory,
  type PageApp,
  type PageContext,
  type PageServices,
  parameter,
  type Viewer,
} from "../shared/page-context.ts";
import { count, dollars, milliseconds } from "../shared/readable-values.ts";
import { Status } from "./request-row.tsx";

const mostModels = 4;

export function playgroundRoutes(app: PageApp, services: PageServices): void {
  app.get("/playground", (c) => show(c, services, {}));
  app.post("/playground", async (c) => {
    const form = await formOf(c.req.raw);
    const outcome = await tryChange(() => triesFrom(form));
    if (!outcome.ok) return await show(c, services, { form, fault: outcome.fault });
    const answers = await Promise.all(outcome.value.map((wish) => wholeAnswer(c, services, wish)));
    return await show(c, services, { form, answers });
  });
  // For the script: one model, the answer as the gateway gives it.
  app.post("/playground/run", jsonBody({ optional: false }), async (c) => {
    const wish = trySchema.safeParse(await c.req.json());
    if (!wish.success) return c.json({ error: { message: "The form is not complete." } }, 400);
    return await runTry(c, services, wish.data);
  });
  app.get("/playground/result/:id", async (c) => {
    const request = await findRequest(c.var.viewer.scope, parameter(c, "id"));
    return c.html(<Result request={request} />);
  });
}

function modelsIn(form: URLSearchParams): string[] {
  return form
    .getAll("model")
    .map((id) => id.trim())
    .filter((id) => id !== "");
}

function triesFrom(form: URLSearchParams): Try[] {
  const models = modelsIn(form);
  const max = Number(field(form, "max"));
  if (models.length === 0) throw fault("model", "name at least one model");
  if (field(form, "prompt") === "") throw fault("prompt", "write something to ask");
  if (!Number.isInteger(max) || max < 1) throw fault("max", "must be a whole number");
  const format = field(form, "format");
  return models.slice(0, mostModels).map((model) => ({
    harness: field(form, "harness"),
    format: format === "responses" || format === "messages" ? format : "chat",
    model,
    system: field(form, "system"),
    prompt: field(form, "prompt"),
    max,
    stream: false,
  }));
}

interface Answer {
  model: string;
  words: string;
  raw: string;
  request: RequestView | undefined;
}

async function wholeAnswer(c: PageContext, services: PageServices, wish: Try): Promise<Answer> {
  const response = await runTry(c, services, wish);
  const raw = await response.text();
  const id = response.headers.get("X-Gateway-Request-Id");
  const outcome = id === null ? undefined : await tryChange(() => findSoon(c, id));
  const request = outcome?.ok === true ? outcome.value : undefined;
  return { model: wish.model, raw, request, words: wordsOf(wish.format, parsed(raw)) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The row of a request is written just behind its answer. */
async function findSoon(c: PageContext, id: string): Promise<RequestView | undefined> {
  for (let tries = 0; tries < 10; tries += 1) {
    try {
      return await findRequest(c.var.viewer.scope, id);
    } catch {
      await scheduler.wait(100);
    }
  }
  return undefined;
}

interface More {
  form?: URLSearchParams;
  fault?: Fault;
  answers?: Answer[];
}

async function show(c: PageContext, services: PageServices, more: More): Promise<Response> {
  const { viewer } = c.var;
  const [config, { directory }] = await Promise.all([
    readConfig(viewer.scope),
    loadDirectory(c, services),
  ]);
  const models = ["auto", ...directory.models.map(({ id }) => id)];
  return c.html(
    <PlaygroundPage {...{ viewer, config, models, ...more }} />,
    more.fault === undefined ? 200 : 422,
  );
}

interface PlaygroundProps extends More {
  viewer: Viewer;
  config: Config;
  models: readonly string[];
}

const formats = [
  { value: "chat", label: "OpenAI chat" },
  { value: "responses", label: "OpenAI Responses" },
  { value: "messages", label: "Anthropic Messages" },
];

function PlaygroundPage({ viewer, config, models, form, fault: wrong, answers }: PlaygroundProps) {
  const harnesses = (config.harnesses ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Page viewer={viewer} title="Playground" lead="One prompt, several models, side by side.">
      <Card>
        <FormFault fault={wrong} fields={["model", "prompt", "max", "system"]} />
        <form method="post" action="/dashboard/playground" id="playground">
          <datalist id="model-ids">
            {models.slice(0, 1000).map((id) => (
              <option value={id}></option>
            ))}
          </datalist>
          <ModelFields form={form} models={models} fault={wrong} />
          <Area
            name="prompt"
            label="Prompt"
            rows={4}
            value={form?.get("prompt") ?? ""}
            placeholder="Explain TCP slow start in three sentences."
            fault={wrong}
            required
          />
          <details>
            <summary>System prompt</summary>
            <Area
              name="system"
              label="System prompt"
              rows={2}
              value={form?.get("system") ?? ""}
              fault={wrong}
            />
          </details>
          <div class="inline">
            <Pick
              name="harness"
              label={viewer.words.Holder}
              value={form?.get("harness") ?? ""}
              choices={harnesses}
            />
            <Pick
              name="format"
              label="Format"
              value={form?.get("format") ?? "chat"}
              choices={formats}
            />
            <Field
              name="max"
              label="Longest answer"
              type="number"
              min="1"
              value={form?.get("max") ?? "1024"}
              fault={wrong}
            />
            <button type="submit" class="primary">
              Send
            </button>
          </div>
        </form>
      </Card>
      <div class="answers" id="answers" aria-live="polite">
        {(answers ?? []).map((answer) => (
          <section class="card answer" aria-label={answer.model}>
            <h2>
              <ModelName id={answer.model} />
            </h2>
            <div class="words">{answer.words}</div>
            {answer.request === undefined ? null : <Result request={answer.request} />}
            <details>
              <summary>Raw answer</summary>
              <pre tabindex={0}>{answer.raw}</pre>
            </details>
          </section>
        ))}
      </div>
    </Page>
  );
}

function ModelFields(props: {
  form: URLSearchParams | undefined;
  models: readonly string[];
  fault: Fault | undefined;
}) {
  const { form, models, fault: wrong } = props;
  const chosen =
    form === undefined ? ["auto", models.find((id) => id !== "auto") ?? ""] : modelsIn(form);
  return (
    <fieldset class="row">
      <legend>Models</legend>
      {Array.from({ length: mostModels }, (_, index) => (
        <input
          name="model"
          list="model-ids"
          value={chosen[index] ?? ""}
          placeholder={index === 0 ? "auto" : "another model"}
          aria-label={`Model ${index + 1}`}
          aria-invalid={wrong?.field === "model" && index === 0 ? "true" : undefined}
          spellcheck={false}
        />
      ))}
      {wrong?.field === "model" ? <p class="fault">{wrong.message}</p> : null}
    </fieldset>
  );
}

/** What a try took, from its row in the log. */
function Result({ request }: { request: RequestView }) {
  const { usage } = request;
  return (
    <dl class="facts small-facts">
      <div>
        <dt>Status</dt>
        <dd>
          <Status request={request} />
        </dd>
      </div>
      <div>
        <dt>Answered by</dt>
        <dd>
          <a href={`/dashboard/requests/${encodeURIComponent(request.id)}`} data-drawer>
            {request.model ?? "nobody"}
          </a>
        </dd>
      </div>
      <div>
        <dt>Cost</dt>
        <dd>{dollars(request.cost)}</dd>
      </div>
      <div>
        <dt>Tokens</dt>
        <dd>
          {usage === null ? "–" : `${count(usage.input_tokens)} → ${count(usage.output_tokens)}`}
        </dd>
      </div>
      <div>
        <dt>First byte</dt>
        <dd>{milliseconds(request.first_byte_ms)}</dd>
      </div>
      <div>
        <dt>Total</dt>
        <dd>{milliseconds(request.total_ms)}</dd>
      </div>
    </dl>
  );
}
