/** The page on which a provider is added: settings, a live test, a first answer of a model, and only then it is saved. */
import { recordOf } from "../../../providers/catalogue/kinds.ts";
import { Card, FormAlert } from "../../components/display.tsx";
import { Page } from "../../components/frame/layout.tsx";
import { providerGuide } from "../../shared/help-pages.ts";
import type { Viewer } from "../../shared/page-context.ts";
import {
  ConnectionFailure,
  ConnectionSuccess,
  outcomeWords,
  SuggestionButtons,
  TestedModels,
} from "./connection-outcome.tsx";
import type { StepResult } from "./entered-provider.ts";
import { ProviderFields, shownFields } from "./provider-form.tsx";

/** Where providers are added. No provider's page can have this address. */
export const addPath = "/dashboard/add-provider";

interface AddProps {
  viewer: Viewer;
  kind: string;
  step: StepResult;
}

/** The step that comes next. */
export function AddProviderPage({ viewer, kind, step }: AddProps) {
  const name = recordOf(kind)?.name ?? kind;
  return (
    <Page
      viewer={viewer}
      title={`Add ${name}`}
      help={providerGuide(kind)}
      outcome={outcomeWords(step)}
      lead={<a href="/dashboard/providers">Providers</a>}
    >
      <form method="post" action={addPath} autocomplete="off">
        {step.draft === undefined ? null : <input type="hidden" name="draft" value={step.draft} />}
        <Outcome kind={kind} step={step} />
        {step.test?.ok === true ? (
          <Tested kind={kind} step={step} />
        ) : (
          <Card>
            <Settings kind={kind} step={step} />
          </Card>
        )}
      </form>
    </Page>
  );
}

function Outcome({ kind, step: { error, fault, test } }: Omit<AddProps, "viewer">) {
  const fields = [...shownFields(kind), ...(test?.ok === true ? ["model"] : [])];
  if (fault !== undefined) return <ConnectionFailure {...{ fault, test, fields }} />;
  if (error !== undefined) return <FormAlert error={error} fields={fields} />;
  return test?.ok === true ? <ConnectionSuccess test={test} saved={false} /> : null;
}

/** The connection works: which model is to answer first. */
function Tested({ kind, step }: Omit<AddProps, "viewer">) {
  const { form, test, error, outcome, fault } = step;
  if (test?.ok !== true) return null;
  const chosen = form.get("model_id") ?? form.get("model") ?? test.models[0]?.info.id ?? "";
  return (
    <>
      <Card title="Choose a model for a first answer">
        <TestedModels models={test.models} choice chosen={chosen} error={error} />
        <p class="hint">
          Sends one short request with up to 512 output tokens, which the provider bills: usually
          less than a cent. It does not appear in the log, because it uses no key.
        </p>
        <div class="buttons">
          <button type="submit" class="primary" name="do" value="answer">
            Get a first answer and add
          </button>
          {outcome === "passed" ? (
            <button type="submit" name="do" value="save">
              Add without an answer
            </button>
          ) : (
            <button type="submit" name="do" value="anyway">
              Save anyway
            </button>
          )}
        </div>
      </Card>
      <Card>
        <details open={isAboutSettings(kind, fault?.field ?? error?.field)}>
          <summary>Settings</summary>
          <Settings kind={kind} step={step} />
        </details>
      </Card>
    </>
  );
}

function isAboutSettings(kind: string, field: string | null | undefined): boolean {
  return typeof field === "string" && shownFields(kind).includes(field);
}

function Settings({ kind, step }: Omit<AddProps, "viewer">) {
  const { form, error, fault, outcome, test, keyed } = step;
  const secret = keyed === true ? "entered" : "none";
  const inProcess = recordOf(kind)?.inProcess === true;
  return (
    <>
      <ProviderFields {...{ kind, form, error, secret }} isSaved={false} />
      <div class="buttons">
        {inProcess ? (
          <button type="submit" class="primary" name="do" value="save">
            Add provider
          </button>
        ) : (
          <button type="submit" class={test?.ok === true ? "" : "primary"} name="do" value="test">
            Test connection
          </button>
        )}
        <SuggestionButtons suggestion={fault?.suggestion} />
        {outcome === "failed" && test?.ok !== true ? (
          <button type="submit" name="do" value="anyway">
            Save anyway
          </button>
        ) : null}
      </div>
    </>
  );
}
