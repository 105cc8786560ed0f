/** How long the workspace keeps its log and usage, and where its providers may be. */
import type { NamedPlan } from "../../../admin/shared/membership/plan-of.ts";
import type { Config } from "../../../store/config.ts";
import { type Jurisdiction, jurisdictions } from "../../../store/jurisdiction.ts";
import { Card } from "../../components/display.tsx";
import { Select, TextField } from "../../components/fields.tsx";
import { SettingsForm } from "../../components/guarded.tsx";
import { jurisdictionNames } from "../../components/jurisdictions.ts";
import { field, type FieldError, fieldProblem } from "../../shared/forms.ts";
import type { Viewer } from "../../shared/page-context.ts";

interface DataProps {
  viewer: Viewer;
  config: Config;
  plan: NamedPlan;
  form: URLSearchParams | undefined;
  error: FieldError | undefined;
}

/** Text of the option that allows no region at all. */
const noRegion = "none";

/** The form; its fields are members of the document. */
export function DataCard({ viewer, config, plan, form, error: refused }: DataProps) {
  // Errors of the page's other forms are shown there.
  const error = form === undefined ? undefined : refused;
  const { days, rows } = config.retention ?? {};
  return (
    <Card
      title="Retention and regions"
      lead="How long data is kept, and which regions providers may use."
    >
      <SettingsForm viewer={viewer} action="/dashboard/settings/data">
        <TextField
          name="retention_days"
          label="Keep requests and usage for (days)"
          type="number"
          min="1"
          value={form?.get("retention_days") ?? textOf(days)}
          error={error}
          hint={daysHint(plan)}
        />
        <TextField
          name="retention_rows"
          label="Maximum requests in the log"
          type="number"
          min="0"
          value={form?.get("retention_rows") ?? textOf(rows)}
          error={error}
          hint="Empty: 10,000."
        />
        <Select
          name="provider_regions"
          label="Provider regions"
          value={form?.get("provider_regions") ?? regionsText(config.provider_regions)}
          options={regionOptions(config.provider_regions)}
          error={error}
          hint="If set, every provider must name one of them as its region."
        />
        <button type="submit" class="primary">
          Save
        </button>
      </SettingsForm>
    </Card>
  );
}

function daysHint({ name, retention_days: most }: NamedPlan): string {
  const texts = "Logged text is kept for at most 30 days.";
  if (name === null || most === null) return `Empty: 400. ${texts}`;
  return `The plan ${name} keeps at most ${most} ${most === 1 ? "day" : "days"}. ${texts}`;
}

function textOf(value: number | undefined): string {
  return value === undefined ? "" : String(value);
}

function regionsText(regions: readonly Jurisdiction[] | undefined): string {
  if (regions === undefined) return "";
  if (regions.length === 0) return noRegion;
  return jurisdictions.filter((name) => regions.includes(name)).join(",");
}

/** A document that allows none keeps that option, which nobody needs to choose. */
function regionOptions(regions: readonly Jurisdiction[] | undefined) {
  const each = jurisdictions.map((name) => ({ value: name, label: jurisdictionNames[name] }));
  const all = {
    value: jurisdictions.join(","),
    label: each.map(({ label }) => label).join(" or "),
  };
  const none = regions?.length === 0 ? [{ value: noRegion, label: "None allowed" }] : [];
  return [{ value: "", label: "Any" }, ...each, all, ...none];
}

/** What the form makes of a document. Throws 400 that names the field. */
export function dataChange(form: URLSearchParams): (config: Config) => Config {
  const days = numberFrom(form, "retention_days", { least: 1, most: 400 });
  const rows = numberFrom(form, "retention_rows", { least: 0, most: 10_000 });
  const regions = regionsFrom(field(form, "provider_regions"));
  const retention = {
    ...(days !== undefined && { days }),
    ...(rows !== undefined && { rows }),
  };
  return ({ retention: _before, provider_regions: _regions, ...config }) => {
    checkProviders(config, regions);
    return {
      ...config,
      ...(Object.keys(retention).length > 0 && { retention }),
      ...(regions !== undefined && { provider_regions: regions }),
    };
  };
}

/** Names the providers in the way, which the document's own check does not. */
function checkProviders(
  { providers = [] }: Config,
  regions: readonly Jurisdiction[] | undefined,
): void {
  if (regions === undefined) return;
  const outside = providers.filter(
    ({ region }) => region === undefined || !regions.includes(region),
  );
  if (outside.length === 0) return;
  const ids = outside.map(({ id }) => id).join(", ");
  throw fieldProblem(
    "provider_regions",
    `set the region of these providers first, or delete them: ${ids}`,
  );
}

function numberFrom(
  form: URLSearchParams,
  name: string,
  { least, most }: { least: number; most: number },
): number | undefined {
  const text = field(form, name);
  if (text === "") return undefined;
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < least || number > most)
    throw fieldProblem(name, `must be a whole number from ${least} to ${most}`);
  return number;
}

function regionsFrom(text: string): Jurisdiction[] | undefined {
  if (text === "") return undefined;
  if (text === noRegion) return [];
  const names = text.split(",");
  const found = jurisdictions.filter((name) => names.includes(name));
  if (found.length !== names.length)
    throw fieldProblem("provider_regions", "choose one from the list");
  return found;
}
