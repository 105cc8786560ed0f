/** The page of one provider: its health, models and settings. */
import { ActionForm, SettingsForm } from "../../components/guarded.tsx";
import { recordOf } from "../../../providers/catalogue/kinds.ts";
import type { ListedModel } from "../../../providers/connection/connection.ts";
import { billedPrices } from "../../../providers/models/billed-prices.ts";
import { newestFirst } from "../../../providers/models/newest-first.ts";
import type { ProviderEntry } from "../../../store/config.ts";
import type { StatusView } from "../../../admin/routes/system.ts";
import type { ConnectionTest } from "../../../providers/models/test-connection.ts";
import { Page } from "../../components/frame/layout.tsx";
import { RelativeTime, Card, FormAlert, ModelName, Table } from "../../components/display.tsx";
import { providerGuide } from "../../shared/help-pages.ts";
import type { Viewer } from "../../shared/page-context.ts";
import { count, dollars } from "../../shared/readable-values.ts";
import {
  ConnectionFailure,
  ConnectionSuccess,
  FirstAnswerCard,
  outcomeWords,
  SuggestionButtons,
  TestedModels,
} from "./connection-outcome.tsx";
import type { StepResult } from "./entered-provider.ts";
import type { ShownAnswer } from "./provider-draft.ts";
import { ProviderFields, shownFields } from "./provider-form.tsx";

interface ProviderProps {
  viewer: Viewer;
  /** With masked secrets. */
  entry: ProviderEntry;
  models: readonly ListedModel[];
  status: StatusView;
  /** A step of changing it. */
  step: StepResult;
  /** A test of it as it is saved. */
  test?: ConnectionTest | undefined;
  answer?: ShownAnswer | undefined;
}

/** One saved provider. */
export function ProviderPage(props: ProviderProps) {
  const { viewer, entry, step, test, answer } = props;
  const path = `/dashboard/providers/${encodeURIComponent(entry.id)}`;
  const name = recordOf(entry.kind)?.name ?? entry.kind;
  return (
    <Page
      viewer={viewer}
      title={entry.id}
      help={providerGuide(entry.kind)}
      outcome={outcomeWords(test === undefined ? step : savedOutcome(step, test))}
      lead={
        <>
          <a href="/dashboard/providers">Providers</a> / {name}
        </>
      }
      actions={
        <ActionForm viewer={viewer} action={`${path}/test`}>
          <button type="submit">Test connection</button>
        </ActionForm>
      }
    >
      <SavedTest entry={entry} test={test} />
      {answer === undefined ? null : <FirstAnswerCard answer={answer} />}
      <Health {...props} />
      <Models {...props} />
      <Card title="Settings">
        <SettingsStep {...props} path={path} />
      </Card>
      {viewer.allows("GET", `${path}/delete`) ? (
        <Card title="Delete">
          <p class="hint">Requests for its models will be refused.</p>
          <p>
            <a class="button danger" href={`${path}/delete`}>
              Delete…
            </a>
          </p>
        </Card>
      ) : null}
    </Page>
  );
}

function savedOutcome(step: StepResult, test: ConnectionTest): StepResult {
  return test.ok ? { ...step, test } : { ...step, test, fault: test.fault };
}

function SavedTest({ entry, test }: Pick<ProviderProps, "entry" | "test">) {
  if (test === undefined) return null;
  return test.ok ? (
    <ConnectionSuccess test={test} saved />
  ) : (
    <ConnectionFailure fault={test.fault} test={test} fields={shownFields(entry.kind)} />
  );
}

/** The settings, and how the step before ended: a connection that changed is tested before it takes the place of the saved one. */
function SettingsStep({ viewer, entry, step, test, path }: ProviderProps & { path: string }) {
  const { form, fault, draft, outcome } = step;
  const stored = entry.api_key === undefined ? "none" : "stored";
  const savedFault = test?.ok === false ? test.fault : undefined;
  const error =
    step.error ?? (savedFault && { field: savedFault.field ?? null, message: savedFault.message });
  const inProcess = recordOf(entry.kind)?.inProcess === true;
  return (
    <SettingsForm viewer={viewer} action={path} autocomplete="off">
      <StepOutcome kind={entry.kind} step={step} />
      {draft === undefined ? null : <input type="hidden" name="draft" value={draft} />}
      <ProviderFields
        {...{ kind: entry.kind, form, error }}
        secret={draft === undefined ? stored : keyIn(step, stored)}
        isSaved
      />
      <div class="buttons">
        <button type="submit" class="primary" name="do" value="save">
          Save
        </button>
        {inProcess ? null : (
          <button type="submit" name="do" value="test">
            Test these settings
          </button>
        )}
        <SuggestionButtons suggestion={fault?.suggestion} />
        {outcome === "failed" ? (
          <button type="submit" name="do" value="anyway">
            Save anyway
          </button>
        ) : null}
      </div>
    </SettingsForm>
  );
}

function keyIn({ keyed }: StepResult, stored: "none" | "stored"): "none" | "entered" | "stored" {
  return keyed === true ? "entered" : stored;
}

function StepOutcome({ kind, step }: { kind: string; step: StepResult }) {
  const { error, fault, test } = step;
  const fields = shownFields(kind);
  if (fault !== undefined) return <ConnectionFailure {...{ fault, test, fields }} />;
  if (error !== undefined) return <FormAlert error={error} fields={fields} />;
  if (test?.ok !== true) return null;
  return (
    <>
      <ConnectionSuccess test={test} saved={false} />
      <TestedModels models={test.models} choice={false} chosen="" error={undefined} />
    </>
  );
}

function Health({ entry, status }: ProviderProps) {
  const cooling = Object.entries(status.cooling).filter(([id]) => id.startsWith(`${entry.id}/`));
  if (cooling.length === 0) return null;
  return (
    <Card
      title="Cooling down"
      lead="These models failed recently. They are tried last until their cool-down ends."
    >
      <Table caption="Models that are cooling down" head={["Model", "Ends"]}>
        {cooling.map(([id, until]) => (
          <tr>
            <td>
              <ModelName id={id} />
            </td>
            <td>
              <RelativeTime iso={until} />
            </td>
          </tr>
        ))}
      </Table>
    </Card>
  );
}

const maxListedModels = 12;

function Models({ entry, models }: ProviderProps) {
  if (models.length === 0)
    return (
      <Card title="Models">
        <p class="muted">
          No models known yet. Test the connection, or list the models in the settings.
        </p>
      </Card>
    );
  return (
    <Card
      title={`Models (${models.length})`}
      actions={<a href={`/dashboard/models?provider=${encodeURIComponent(entry.id)}`}>Show all</a>}
    >
      <div class="tested-models">
        <Table
          caption="Models of this provider"
          head={[
            "Model",
            { label: "Context", class: "num far" },
            { label: "Input, $/M tokens", class: "num" },
            { label: "Output, $/M tokens", class: "num" },
          ]}
        >
          {newestFirst(models)
            .slice(0, maxListedModels)
            .map((model) => (
              <ModelRow model={model} />
            ))}
        </Table>
      </div>
    </Card>
  );
}

function ModelRow({ model }: { model: ListedModel }) {
  const { id, info } = model;
  const prices = billedPrices(model);
  return (
    <tr>
      <td>
        <ModelName id={id} />
      </td>
      <td class="num far">{info.contextWindow === undefined ? "–" : count(info.contextWindow)}</td>
      <td class="num">{dollars(prices?.input)}</td>
      <td class="num">{dollars(prices?.output)}</td>
    </tr>
  );
}
