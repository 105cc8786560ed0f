/** Saved parameters: fields for the common ones, JSON for all others and for single models. */
import { SettingsForm } from "../../components/guarded.tsx";
import { listedParameters, type ListedParameter } from "../../../core/parameters.ts";
import type { HarnessEntry } from "../../../store/config.ts";
import { readConfig } from "../../../admin/routes/document/config.ts";
import { TextArea, TextField, Select } from "../../components/fields.tsx";
import {
  tryChange,
  fieldProblem,
  type FieldError,
  field,
  formOf,
  jsonField,
} from "../../shared/forms.ts";
import { editHarness, withMembers } from "./shared/edit-harness.ts";
import { Alert, Card, FormAlert } from "../../components/display.tsx";
import { listTiers } from "../../../admin/routes/requests/routing.ts";
import { harnessOf } from "../../../admin/shared/document/harness.ts";
import {
  loadDirectory,
  type PageApp,
  type PageContext,
  type PageServices,
  parameter,
  type Viewer,
} from "../../shared/page-context.ts";
import { HarnessFrame, harnessPath } from "./shared/harness-frame.tsx";

/** Registers a harness's saved parameters. */
export function paramRoutes(app: PageApp, services: PageServices): void {
  app.get("/harnesses/:id/parameters", (c) => showParams(c, services, {}));
  app.post("/harnesses/:id/parameters", async (c) => {
    const id = parameter(c, "id");
    const form = await formOf(c.req.raw);
    const outcome = await tryChange(() => {
      const params = {
        ...jsonField(form, "params"),
        ...parametersFrom(form),
      } as HarnessEntry["params"];
      const models = jsonField(form, "model_params") as HarnessEntry["model_params"];
      return editHarness(c.var.viewer.scope, id, (harness) =>
        withMembers(harness, { params, model_params: models }),
      );
    });
    if (!outcome.ok) return await showParams(c, services, { form, error: outcome.error });
    return c.redirect(`${harnessPath(id)}/parameters?done=saved`, 303);
  });
}

function parametersFrom(form: URLSearchParams): Record<string, string | number> {
  const found: Record<string, string | number> = {};
  for (const { name, label, min, max, whole, choices } of listedParameters) {
    const text = field(form, name);
    if (text === "") continue;
    if (choices !== undefined) {
      found[name] = text;
      continue;
    }
    const value = Number(text);
    const fits =
      Number.isFinite(value) && value >= (min ?? -Infinity) && value <= (max ?? Infinity);
    if (!fits || (whole === true && !Number.isInteger(value)))
      throw fieldProblem(
        name,
        `${JSON.stringify(text.slice(0, 40))} is not a valid value for ${label.toLowerCase()}`,
      );
    found[name] = value;
  }
  return found;
}

interface RefusedForm {
  form?: URLSearchParams;
  error?: FieldError;
}

async function showParams(
  c: PageContext,
  services: PageServices,
  refused: RefusedForm,
): Promise<Response> {
  const { viewer } = c.var;
  const [config, { directory }] = await Promise.all([
    readConfig(viewer.scope),
    loadDirectory(c, services),
  ]);
  const harness = harnessOf(config, parameter(c, "id"));
  const tiers = listTiers(directory, harness);
  const chosen = [...new Set(tiers.flatMap(({ models }) => models))];
  const reasoning = chosen.filter((id) =>
    directory.byId.get(id)?.info.features?.includes("reasoning"),
  );
  return c.html(
    <ParamsPage {...{ viewer, harness, chosen, reasoning, ...refused }} />,
    refused.error === undefined ? 200 : 422,
  );
}

interface ParamsProps extends RefusedForm {
  viewer: Viewer;
  harness: HarnessEntry;
  /** Models of the tiers. */
  chosen: readonly string[];
  reasoning: readonly string[];
}

function ParamsPage({ viewer, harness, chosen, reasoning, form, error }: ParamsProps) {
  const names = listedParameters.map(({ name }) => name);
  const rest = Object.entries(harness.params ?? {}).filter(([name]) => !names.includes(name));
  const example = chosen[0] ?? "lab/qwen3";
  return (
    <HarnessFrame viewer={viewer} harness={harness} tab="/parameters">
      {viewer.savesParams ? null : (
        <Alert kind="warn">
          This deployment forwards request bodies unchanged. Saved parameters are stored, but not
          merged into requests.
        </Alert>
      )}
      <Card
        title="Saved parameters"
        lead="Merged into every request under each provider's own names. They override the client's values."
      >
        <FormAlert error={error} fields={[...names, "params", "model_params"]} />
        <SettingsForm viewer={viewer} action={`${harnessPath(harness.id)}/parameters`}>
          <div class="columns">
            {listedParameters.map((param) => (
              <ParameterInput {...{ param, harness, form, error, reasoning }} />
            ))}
          </div>
          <TextArea
            name="params"
            label="Other parameters"
            code
            rows={5}
            value={
              form?.get("params") ??
              (rest.length === 0 ? "" : JSON.stringify(Object.fromEntries(rest), null, 2))
            }
            placeholder='{ "mirostat": 2 }'
            error={error}
            hint="A JSON object. Unknown parameters are passed through unchanged."
          />
          <TextArea
            name="model_params"
            label="Per-model parameters"
            code
            rows={5}
            value={
              form?.get("model_params") ??
              (harness.model_params === undefined
                ? ""
                : JSON.stringify(harness.model_params, null, 2))
            }
            placeholder={`{ ${JSON.stringify(example)}: { "temperature": 0.2 } }`}
            error={error}
            hint="Parameters by model ID. They override the ones above."
          />
          <button type="submit" class="primary">
            Save
          </button>
        </SettingsForm>
      </Card>
    </HarnessFrame>
  );
}

interface ParameterInputProps {
  param: ListedParameter;
  harness: HarnessEntry;
  form: URLSearchParams | undefined;
  error: FieldError | undefined;
  reasoning: readonly string[];
}

function ParameterInput({ param, harness, form, error, reasoning }: ParameterInputProps) {
  const { name, label, hint, choices } = param;
  const saved = harness.params?.[name];
  const value = form?.get(name) ?? (saved === undefined ? "" : String(saved));
  if (choices === undefined)
    return <TextField {...{ name, label, hint, value, error }} placeholder="client's value" />;
  const selectOptions = [
    { value: "", label: "Client's value" },
    ...choices.map((option) => ({ value: option, label: option })),
  ];
  const hintWithModels =
    reasoning.length === 0 ? hint : `${hint} In your tiers: ${reasoning.slice(0, 3).join(", ")}.`;
  return (
    <Select {...{ name, label, value, error }} options={selectOptions} hint={hintWithModels} />
  );
}
