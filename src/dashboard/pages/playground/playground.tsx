/** Sends one prompt to several models and shows the responses side by side. */
import { isClientFormat } from "../../../core/format-name.ts";
import type { Config } from "../../../store/config.ts";
import { readConfig } from "../../../admin/routes/document/config.ts";
import { jsonIn } from "../../../admin/shared/request-body.ts";
import { findRequest } from "../../../admin/routes/requests/requests.ts";
import type { RequestView } from "../../../admin/routes/requests/request-view.ts";
import { TextArea, TextField, Select } from "../../components/fields.tsx";
import { tryChange, fieldProblem, type FieldError, field, formOf } from "../../shared/forms.ts";
import { Page } from "../../components/frame/layout.tsx";
import { Card, FormAlert, ModelName } from "../../components/display.tsx";
import { replayOf } from "./replay.ts";
import {
  sendPlaygroundRequest,
  type PlaygroundRequest,
  playgroundRequestSchema,
  responseText,
} from "./playground-request.ts";
import {
  loadDirectory,
  type PageApp,
  type PageContext,
  type PageServices,
  parameter,
  type Viewer,
} from "../../shared/page-context.ts";
import { count, dollars, milliseconds } from "../../shared/readable-values.ts";
import { RequestStatus } from "../../components/request-table.tsx";
import { formatOptions } from "../../shared/format-words.ts";

const maxModels = 4;

/** Registers the page, its requests and their results. */
export function playgroundRoutes(app: PageApp, services: PageServices): void {
  app.get("/playground", async (c) => {
    const replayed = c.req.query("replay") ?? "";
    if (replayed !== "") return await showPlayground(c, services, await replayState(c, replayed));
    const model = c.req.query("model") ?? "";
    return await showPlayground(
      c,
      services,
      model === "" ? {} : { form: new URLSearchParams({ model }) },
    );
  });
  app.post("/playground", async (c) => {
    const form = await formOf(c.req.raw);
    const outcome = await tryChange(() => requestsFrom(form));
    if (!outcome.ok) return await showPlayground(c, services, { form, error: outcome.error });
    const sent = await tryChange(
      async () =>
        await Promise.all(outcome.value.map((asked) => wholeResponse(c, services, asked))),
    );
    const original = await originalOf(c, field(form, "replay"));
    if (!sent.ok) return await showPlayground(c, services, { form, error: sent.error, original });
    return await showPlayground(c, services, { form, responses: sent.value, original });
  });
  // For the script: one model, with the gateway's own response.
  app.post("/playground/run", async (c) => {
    const body = playgroundRequestSchema.safeParse(await jsonIn(c.req.raw));
    if (!body.success)
      return c.json({ error: { message: "Some fields are missing or invalid." } }, 400);
    const sent = await tryChange(() => sendPlaygroundRequest(c, services, body.data));
    return sent.ok ? sent.value : c.json({ error: { message: sent.error.message } }, 400);
  });
  app.get("/playground/result/:id", async (c) => {
    const request = await findRequest(c.var.viewer.scope, parameter(c, "id"));
    return c.html(<RequestResult request={request} />);
  });
}

/** The form as the request filled it, with its answer beside; what cannot be replayed says why. */
async function replayState(c: PageContext, id: string): Promise<PageState> {
  const request = await findRequest(c.var.viewer.scope, id);
  const replay = replayOf(request, c.var.viewer.words);
  if (!replay.ok) return { error: { field: null, message: replay.why } };
  const form = new URLSearchParams({
    replay: id,
    model: request.requested_model,
    harness: request.harness,
    format: replay.format,
    body: JSON.stringify(replay.body, null, 2),
  });
  return { form, original: request };
}

/** The request that is replayed, where it is still in the log. */
async function originalOf(c: PageContext, id: string): Promise<RequestView | undefined> {
  if (id === "") return undefined;
  const found = await tryChange(() => findRequest(c.var.viewer.scope, id));
  return found.ok ? found.value : undefined;
}

function modelsIn(form: URLSearchParams): string[] {
  return form
    .getAll("model")
    .map((id) => id.trim())
    .filter((id) => id !== "");
}

function requestsFrom(form: URLSearchParams): PlaygroundRequest[] {
  const models = modelsIn(form);
  const body = field(form, "body");
  const max = body === "" ? Number(field(form, "max")) : 1;
  if (models.length === 0) throw fieldProblem("model", "enter at least one model");
  if (body === "" && field(form, "prompt") === "") throw fieldProblem("prompt", "enter a prompt");
  if (!Number.isInteger(max) || max < 1)
    throw fieldProblem("max", "must be a whole number, 1 or more");
  const format = field(form, "format");
  return models.slice(0, maxModels).map((model) => ({
    harness: field(form, "harness"),
    format: isClientFormat(format) ? format : "chat",
    model,
    system: field(form, "system"),
    prompt: field(form, "prompt"),
    max,
    stream: false,
    body,
  }));
}

interface PlaygroundResponse {
  model: string;
  text: string;
  raw: string;
  request: RequestView | undefined;
}

async function wholeResponse(
  c: PageContext,
  services: PageServices,
  asked: PlaygroundRequest,
): Promise<PlaygroundResponse> {
  const response = await sendPlaygroundRequest(c, services, asked);
  const raw = await response.text();
  const id = response.headers.get("X-Gateway-Request-Id");
  const outcome = id === null ? undefined : await tryChange(() => findSoon(c, id));
  const request = outcome?.ok === true ? outcome.value : undefined;
  return { model: asked.model, raw, request, text: responseText(asked.format, parsed(raw)) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Waits for the row of a request, which is written just after its response. */
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

interface PageState {
  form?: URLSearchParams;
  error?: FieldError;
  responses?: PlaygroundResponse[];
  /** The request that is replayed. */
  original?: RequestView | undefined;
}

async function showPlayground(
  c: PageContext,
  services: PageServices,
  state: PageState,
): Promise<Response> {
  const { viewer } = c.var;
  const [config, { directory }] = await Promise.all([
    readConfig(viewer.scope),
    loadDirectory(c, services),
  ]);
  const models = ["auto", ...directory.models.map(({ id }) => id)];
  return c.html(
    <PlaygroundPage {...{ viewer, config, models, ...state }} />,
    state.error === undefined ? 200 : 422,
  );
}

interface PlaygroundProps extends PageState {
  viewer: Viewer;
  config: Config;
  models: readonly string[];
}

function PlaygroundPage(props: PlaygroundProps) {
  const { viewer, config, models, form, error, responses } = props;
  const harnesses = (config.harnesses ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Page viewer={viewer} title="Playground" lead="Compare one prompt across models.">
      <Card>
        <FormAlert error={error} fields={["model", "prompt", "max", "system", "body"]} />
        <form method="post" action="/dashboard/playground" id="playground">
          <datalist id="model-ids">
            {models.slice(0, 1000).map((id) => (
              <option value={id}></option>
            ))}
          </datalist>
          <ModelFields form={form} models={models} error={error} />
          {form?.has("body") === true ? (
            <BodyField form={form} error={error} />
          ) : (
            <PromptFields form={form} error={error} />
          )}
          <div class="inline">
            <Select
              name="harness"
              label={viewer.words.Holder}
              value={form?.get("harness") ?? ""}
              options={harnesses}
            />
            <Select
              name="format"
              label="Format"
              value={form?.get("format") ?? "chat"}
              options={formatOptions}
            />
            {form?.has("body") === true ? null : (
              <TextField
                name="max"
                label="Max output tokens"
                type="number"
                min="1"
                value={form?.get("max") ?? "1024"}
                error={error}
              />
            )}
            <button type="submit" class="primary">
              Send
            </button>
          </div>
        </form>
      </Card>
      {props.original === undefined ? null : <Original request={props.original} />}
      <div class="answers" id="answers" aria-live="polite">
        {(responses ?? []).map((response) => (
          <section class="card answer" aria-label={response.model}>
            <h2>
              <ModelName id={response.model} />
            </h2>
            <div class="words">{response.text}</div>
            {response.request === undefined ? null : <RequestResult request={response.request} />}
            <details>
              <summary>Raw response</summary>
              <pre tabindex={0}>{response.raw}</pre>
            </details>
          </section>
        ))}
      </div>
    </Page>
  );
}

type FieldsProps = { form: URLSearchParams | undefined; error: FieldError | undefined };

function PromptFields({ form, error }: FieldsProps) {
  return (
    <>
      <TextArea
        name="prompt"
        label="Prompt"
        rows={4}
        value={form?.get("prompt") ?? ""}
        placeholder="Explain TCP slow start in three sentences."
        error={error}
        required
      />
      <details>
        <summary>System prompt</summary>
        <TextArea
          name="system"
          label="System prompt"
          rows={2}
          value={form?.get("system") ?? ""}
          error={error}
        />
      </details>
    </>
  );
}

/** A whole request, as it was logged or as it was changed here. */
function BodyField({ form, error }: FieldsProps) {
  return (
    <>
      <input type="hidden" name="replay" value={form?.get("replay") ?? ""} />
      <TextArea
        name="body"
        label="Request body"
        rows={10}
        code
        required
        value={form?.get("body") ?? ""}
        hint="As logged, in the format below. The models above replace the logged one."
        error={error}
      />
      <p>
        <a href="/dashboard/playground">Write a prompt instead</a>
      </p>
    </>
  );
}

/** What was answered when the request was first sent. */
function Original({ request }: { request: RequestView }) {
  const { text, error } = request;
  const answer = text?.answer ?? "";
  return (
    <section class="card answer original" aria-label="Original response">
      <h2>
        Original response <ModelName id={request.model ?? request.requested_model} />
      </h2>
      <div class="words">{answer === "" ? (error ?? "") : answer}</div>
      <RequestResult request={request} />
    </section>
  );
}

function ModelFields(props: {
  form: URLSearchParams | undefined;
  models: readonly string[];
  error: FieldError | undefined;
}) {
  const { form, models, error } = props;
  const chosen =
    form === undefined ? ["auto", models.find((id) => id !== "auto") ?? ""] : modelsIn(form);
  return (
    <fieldset class="row">
      <legend>Models</legend>
      {Array.from({ length: maxModels }, (_, index) => (
        <input
          name="model"
          list="model-ids"
          value={chosen[index] ?? ""}
          placeholder={index === 0 ? "auto" : "another model"}
          aria-label={`Model ${index + 1}`}
          aria-invalid={error?.field === "model" && index === 0 ? "true" : undefined}
          spellcheck={false}
        />
      ))}
      {error?.field === "model" ? <p class="fault">{error.message}</p> : null}
    </fieldset>
  );
}

/** Why it went to its model, its status, cost and times, from the log. */
function RequestResult({ request }: { request: RequestView }) {
  const { usage, why } = request;
  return (
    <>
      <p class="why">{why}</p>
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
              {request.model ?? "no model"}
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
          <dt>Time to first token</dt>
          <dd>{milliseconds(request.first_byte_ms)}</dd>
        </div>
        <div>
          <dt>Total</dt>
          <dd>{milliseconds(request.total_ms)}</dd>
        </div>
      </dl>
    </>
  );
}
