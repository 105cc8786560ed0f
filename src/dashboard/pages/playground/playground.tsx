/** One prompt to several models side by side. */
import type { Config } from "../../../store/config.ts";
import { readConfig } from "../../../admin/actions.ts";
import { jsonBody } from "../../../admin/body.ts";
import { findRequest, type ShownRequest } from "../../../admin/reports.ts";
import { TextArea, TextField, Select } from "../../components/fields.tsx";
import { attempt, fault, type Fault, field, formOf } from "../../forms.ts";
import { Page } from "../../components/layout.tsx";
import { Card, FormAlert, ModelName } from "../../components/display.tsx";
import {
  sendPlaygroundRequest,
  type Try,
  playgroundRequestSchema,
  wordsOf,
} from "./playground-request.ts";
import {
  known,
  type PageApp,
  type PageContext,
  type PageDeps,
  parameter,
  type Scene,
} from "../../scene.ts";
import { count, dollars, milliseconds } from "../../shown.ts";
import { RequestStatus } from "../../components/request-table.tsx";

const mostModels = 4;

export function playgroundRoutes(app: PageApp, deps: PageDeps): void {
  app.get("/playground", (c) => show(c, deps, {}));
  app.post("/playground", async (c) => {
    const form = await formOf(c.req.raw);
    const outcome = await attempt(() => triesFrom(form));
    if (!outcome.ok) return await show(c, deps, { form, fault: outcome.fault });
    const answers = await Promise.all(outcome.value.map((wish) => wholeAnswer(c, deps, wish)));
    return await show(c, deps, { form, answers });
  });
  // For the script: one model, the answer as the gateway gives it.
  app.post("/playground/run", jsonBody({ optional: false }), async (c) => {
    const wish = playgroundRequestSchema.safeParse(await c.req.json());
    if (!wish.success) return c.json({ error: { message: "The form is not complete." } }, 400);
    return await sendPlaygroundRequest(c, deps, wish.data);
  });
  app.get("/playground/result/:id", async (c) => {
    const request = await findRequest(c.var.scene.office, parameter(c, "id"));
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
  request: ShownRequest | undefined;
}

async function wholeAnswer(c: PageContext, deps: PageDeps, wish: Try): Promise<Answer> {
  const response = await sendPlaygroundRequest(c, deps, wish);
  const raw = await response.text();
  const id = response.headers.get("X-Gateway-Request-Id");
  const outcome = id === null ? undefined : await attempt(() => findSoon(c, id));
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
async function findSoon(c: PageContext, id: string): Promise<ShownRequest | undefined> {
  for (let tries = 0; tries < 10; tries += 1) {
    try {
      return await findRequest(c.var.scene.office, id);
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

async function show(c: PageContext, deps: PageDeps, more: More): Promise<Response> {
  const { scene } = c.var;
  const [config, { directory }] = await Promise.all([readConfig(scene.office), known(c, deps)]);
  const models = ["auto", ...directory.models.map(({ id }) => id)];
  return c.html(
    <PlaygroundPage {...{ scene, config, models, ...more }} />,
    more.fault === undefined ? 200 : 422,
  );
}

interface PlaygroundProps extends More {
  scene: Scene;
  config: Config;
  models: readonly string[];
}

const formats = [
  { value: "chat", label: "OpenAI chat" },
  { value: "responses", label: "OpenAI Responses" },
  { value: "messages", label: "Anthropic Messages" },
];

function PlaygroundPage({ scene, config, models, form, fault: wrong, answers }: PlaygroundProps) {
  const harnesses = (config.harnesses ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Page scene={scene} title="Playground" lead="One prompt, several models, side by side.">
      <Card>
        <FormAlert fault={wrong} fields={["model", "prompt", "max", "system"]} />
        <form method="post" action="/dashboard/playground" id="playground">
          <datalist id="model-ids">
            {models.slice(0, 1000).map((id) => (
              <option value={id}></option>
            ))}
          </datalist>
          <ModelFields form={form} models={models} fault={wrong} />
          <TextArea
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
            <TextArea
              name="system"
              label="System prompt"
              rows={2}
              value={form?.get("system") ?? ""}
              fault={wrong}
            />
          </details>
          <div class="inline">
            <Select
              name="harness"
              label={scene.words.Holder}
              value={form?.get("harness") ?? ""}
              choices={harnesses}
            />
            <Select
              name="format"
              label="Format"
              value={form?.get("format") ?? "chat"}
              choices={formats}
            />
            <TextField
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
function Result({ request }: { request: ShownRequest }) {
  const { usage } = request;
  return (
    <dl class="facts small-facts">
      <div>
        <dt>Status</dt>
        <dd>
          <RequestStatus request={request} />
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
