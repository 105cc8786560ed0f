/** Saved parameters: fields for the usual ones, JSON for all others and for single models. */
import type { HarnessEntry } from "../../store/config.ts";
import { readConfig } from "../../admin/routes/config.ts";
import { Area, Field, Pick } from "../fields.tsx";
import { tryChange, fault, type Fault, field, formOf, jsonField } from "../shared/forms.ts";
import { editHarness, withMember } from "../harness-edit.ts";
import { Alert, Card, FormFault } from "../parts.tsx";
import { listTiers } from "../../admin/routes/routing.ts";
import { harnessOf } from "../../admin/shared/harness.ts";
import {
  loadDirectory,
  type PageApp,
  type PageContext,
  type PageServices,
  parameter,
  type Viewer,
} from "../shared/page-context.ts";
import { HarnessFrame, harnessPath } from "./harness-frame.tsx";

interface KnownParam {
  name: string;
  label: string;
  hint: string;
  /** Numbers have bounds, words have choices. */
  min?: number;
  max?: number;
  whole?: true;
  words?: readonly string[];
}

const knownParams: readonly KnownParam[] = [
  {
    name: "temperature",
    label: "Temperature",
    hint: "0 to 2; models that end at 1 get 1 at most.",
    min: 0,
    max: 2,
  },
  { name: "top_p", label: "Top p", hint: "0 to 1.", min: 0, max: 1 },
  {
    name: "max_tokens",
    label: "Longest answer, tokens",
    hint: "Thinking counts as answer.",
    min: 1,
    whole: true,
  },
  {
    name: "reasoning_effort",
    label: "Reasoning effort",
    hint: "For models that reason; the others do not get it.",
    words: ["none", "minimal", "low", "medium", "high", "xhigh", "max"],
  },
  { name: "frequency_penalty", label: "Frequency penalty", hint: "−2 to 2.", min: -2, max: 2 },
  { name: "presence_penalty", label: "Presence penalty", hint: "−2 to 2.", min: -2, max: 2 },
  { name: "seed", label: "Seed", hint: "A whole number.", whole: true },
];

export function paramRoutes(app: PageApp, services: PageServices): void {
  app.get("/harnesses/:id/parameters", (c) => show(c, services, {}));
  app.post("/harnesses/:id/parameters", async (c) => {
    const id = parameter(c, "id");
    const form = await formOf(c.req.raw);
    const outcome = await tryChange(() => {
      const params = { ...jsonField(form, "params"), ...knownFrom(form) } as HarnessEntry["params"];
      const models = jsonField(form, "model_params") as HarnessEntry["model_params"];
      return editHarness(c.var.viewer.scope, id, (harness) =>
        withMember(withMember(harness, "params", params), "model_params", models),
      );
    });
    if (!outcome.ok) return await show(c, services, { form, fault: outcome.fault });
    return c.redirect(`${harnessPath(id)}/parameters?done=saved`, 303);
  });
}

function knownFrom(form: URLSearchParams): Record<string, string | number> {
  const found: Record<string, string | number> = {};
  for (const { name, label, min, max, whole, words } of knownParams) {
    const text = field(form, name);
    if (text === "") continue;
    if (words !== undefined) {
      found[name] = text;
      continue;
    }
    const value = Number(text);
    const fits =
      Number.isFinite(value) && value >= (min ?? -Infinity) && value <= (max ?? Infinity);
    if (!fits || (whole === true && !Number.isInteger(value)))
      throw fault(name, `${label.toLowerCase()} cannot be ${JSON.stringify(text.slice(0, 40))}`);
    found[name] = value;
  }
  return found;
}

interface More {
  form?: URLSearchParams;
  fault?: Fault;
}

async function show(c: PageContext, services: PageServices, more: More): Promise<Response> {
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
    <ParamsPage {...{ viewer, harness, chosen, reasoning, ...more }} />,
    more.fault === undefined ? 200 : 422,
  );
}

interface ParamsProps extends More {
  viewer: Viewer;
  harness: HarnessEntry;
  /** Models of the tiers. */
  chosen: readonly string[];
  reasoning: readonly string[];
}

function ParamsPage({ viewer, harness, chosen, reasoning, form, fault: wrong }: ParamsProps) {
  const names = knownParams.map(({ name }) => name);
  const rest = Object.entries(harness.params ?? {}).filter(([name]) => !names.includes(name));
  const example = chosen[0] ?? "lab/qwen3";
  return (
    <HarnessFrame viewer={viewer} harness={harness} tab="/parameters">
      {viewer.savesParams ? null : (
        <Alert kind="warn">
          This deployment forwards bodies as they come: saved parameters are kept here, but not
          merged into requests.
        </Alert>
      )}
      <Card
        title="Saved parameters"
        lead="Merged into every request, in each provider's own words. They win over the client's."
      >
        <FormFault fault={wrong} fields={[...names, "params", "model_params"]} />
        <form method="post" action={`${harnessPath(harness.id)}/parameters`}>
          <div class="columns">
            {knownParams.map((param) => (
              <KnownField {...{ param, harness, form, fault: wrong, reasoning }} />
            ))}
          </div>
          <Area
            name="params"
            label="Other parameters"
            code
            rows={5}
            value={
              form?.get("params") ??
              (rest.length === 0 ? "" : JSON.stringify(Object.fromEntries(rest), null, 2))
            }
            placeholder='{ "top_k": 40 }'
            fault={wrong}
            hint="A JSON object. Names that no dialect knows are written into the provider's body as they stand."
          />
          <Area
            name="model_params"
            label="For single models"
            code
            rows={5}
            value={
              form?.get("model_params") ??
              (harness.model_params === undefined
                ? ""
                : JSON.stringify(harness.model_params, null, 2))
            }
            placeholder={`{ ${JSON.stringify(example)}: { "temperature": 0.2 } }`}
            fault={wrong}
            hint="Model ids with their own parameters; these win over the ones above."
          />
          <button type="submit" class="primary">
            Save
          </button>
        </form>
      </Card>
    </HarnessFrame>
  );
}

interface KnownFieldProps {
  param: KnownParam;
  harness: HarnessEntry;
  form: URLSearchParams | undefined;
  fault: Fault | undefined;
  reasoning: readonly string[];
}

function KnownField({ param, harness, form, fault: wrong, reasoning }: KnownFieldProps) {
  const { name, label, hint, words } = param;
  const saved = harness.params?.[name];
  const value = form?.get(name) ?? (saved === undefined ? "" : String(saved));
  if (words === undefined)
    return (
      <Field {...{ name, label, hint, value, fault: wrong }} placeholder="as the client says" />
    );
  const choices = [
    { value: "", label: "As the client says" },
    ...words.map((word) => ({ value: word, label: word })),
  ];
  const which =
    reasoning.length === 0 ? hint : `${hint} Here: ${reasoning.slice(0, 3).join(", ")}.`;
  return <Pick {...{ name, label, value, choices, fault: wrong }} hint={which} />;
}
