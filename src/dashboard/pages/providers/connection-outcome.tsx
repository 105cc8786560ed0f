/** What a test of a connection found: one alert, the models with their prices, and the buttons of the next step. */
import type { ListedModel } from "../../../providers/connection/connection.ts";
import { billedPrices } from "../../../providers/models/billed-prices.ts";
import type { ConnectionTest } from "../../../providers/models/test-connection.ts";
import type { TestFault, TestSuggestion } from "../../../providers/models/test-fault.ts";
import { Alert, Table } from "../../components/display.tsx";
import { TextField } from "../../components/fields.tsx";
import type { FieldError } from "../../shared/forms.ts";
import { count, dollars, milliseconds } from "../../shared/readable-values.ts";
import type { StepResult } from "./entered-provider.ts";
import type { ShownAnswer } from "./provider-draft.ts";

interface FailureProps {
  fault: TestFault;
  test: ConnectionTest | undefined;
  /** Fields that the page shows: what belongs to one of them is said there. */
  fields: readonly string[];
}

/** That it failed, and where to look. */
export function ConnectionFailure({ fault, test, fields }: FailureProps) {
  const { field, message } = fault;
  const shown = field !== undefined && fields.includes(field);
  const isAnswer = test?.ok === true;
  return (
    <Alert kind="bad" focused={!shown}>
      <strong>{isAnswer ? "No answer." : "Connection failed."}</strong>{" "}
      {shown ? (
        <>
          See <a href={`#f-${field}`}>{fieldLabels[field] ?? field}</a> below.
        </>
      ) : (
        <span class="anywhere">{message}</span>
      )}
    </Alert>
  );
}

/** How a step ended, for the page's title. */
export function outcomeWords({ error, fault, test }: StepResult): string | undefined {
  if (fault !== undefined) return test?.ok === true ? "No answer" : "Connection failed";
  if (error !== undefined) return "Error";
  return test?.ok === true ? "Connection works" : undefined;
}

const fieldLabels: Readonly<Record<string, string>> = {
  api_key: "API key",
  base_url: "Base URL",
  format: "Format",
  headers: "Extra headers",
  model: "Model",
  region: "Region",
};

/** That it works, and with how many models. */
export function ConnectionSuccess({
  test,
  saved,
}: {
  test: Extract<ConnectionTest, { ok: true }>;
  saved: boolean;
}) {
  const { models, ms } = test;
  const found = models.length === 1 ? "1 model" : `${count(models.length)} models`;
  return (
    <Alert kind="good" focused>
      <strong>Connection works.</strong> {`${found}, ${milliseconds(ms)}.`}
      {saved ? null : " Not saved yet."}
    </Alert>
  );
}

/** Rows that are seen at once, and those behind "Show all". */
const firstModels = 8;
const mostModels = 400;

interface ModelChoiceProps {
  models: readonly ListedModel[];
  /** Whether one can be chosen. */
  choice: boolean;
  /** The provider's own id of the one that is chosen. */
  chosen: string;
  error: FieldError | undefined;
}

/** Models with prices, newest first, and where wanted a choice of one. */
export function TestedModels({ models, choice, chosen, error }: ModelChoiceProps) {
  const fault = choice && error?.field === "model" ? error.message : undefined;
  const first = models.slice(0, firstModels);
  const rest = models.slice(firstModels, mostModels);
  const open = rest.some(({ info }) => info.id === chosen);
  return (
    <div class="tested-models" id="f-model">
      {models.length === 0 ? <NoModels choice={choice} chosen={chosen} /> : null}
      {first.length === 0 ? null : (
        <ModelTable {...{ choice, chosen }} caption="Models, newest first" models={first} />
      )}
      {fault === undefined ? null : <p class="fault">{fault}</p>}
      {rest.length === 0 ? null : (
        <details open={open}>
          <summary>{`${count(rest.length)} more models`}</summary>
          <ModelTable {...{ choice, chosen }} caption="More models" models={rest} />
        </details>
      )}
    </div>
  );
}

function NoModels({ choice, chosen }: { choice: boolean; chosen: string }) {
  if (!choice) return <p class="hint">The provider lists no models.</p>;
  return (
    <TextField
      name="model_id"
      label="Model"
      value={chosen}
      hint="The provider lists no models. Enter a model ID to get a first answer."
    />
  );
}

function ModelTable(props: Omit<ModelChoiceProps, "error"> & { caption: string }) {
  const { models, choice, chosen, caption } = props;
  return (
    <Table
      caption={caption}
      head={[
        "Model",
        { label: "Released", class: "mid nowrap" },
        { label: "Context", class: "num far" },
        { label: "Input, $/M tokens", class: "num" },
        { label: "Output, $/M tokens", class: "num" },
      ]}
    >
      {models.map((model) => (
        <ModelRow {...{ model, choice }} checked={model.info.id === chosen} />
      ))}
    </Table>
  );
}

function ModelRow(props: { model: ListedModel; choice: boolean; checked: boolean }) {
  const { model, choice, checked } = props;
  const { id, displayName, contextWindow, created } = model.info;
  const prices = billedPrices(model);
  const name = <span class="model">{id}</span>;
  return (
    <tr>
      <td>
        {choice ? (
          <label class="model-choice">
            <input type="radio" name="model" value={id} checked={checked} /> {name}
          </label>
        ) : (
          name
        )}
        {displayName === undefined || saysTheSame(displayName, id) ? null : (
          <span class={choice ? "sub model-choice-name" : "sub"}>{displayName}</span>
        )}
      </td>
      <td class="mid nowrap">{created === undefined ? "–" : isoDay(created)}</td>
      <td class="num far">{contextWindow === undefined ? "–" : count(contextWindow)}</td>
      <td class="num">{dollars(prices?.input)}</td>
      <td class="num">{dollars(prices?.output)}</td>
    </tr>
  );
}

/** `gpt 4o mini` tells nothing that `gpt-4o-mini` does not. */
function saysTheSame(name: string, id: string): boolean {
  const plain = (text: string) => text.toLowerCase().replace(/[\s_-]+/g, "-");
  return plain(name) === plain(id);
}

function isoDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** A button for each thing that would work in place of what was entered. */
export function SuggestionButtons({ suggestion }: { suggestion: TestSuggestion | undefined }) {
  const { base_url: address, format } = suggestion ?? {};
  return (
    <>
      {address === undefined ? null : (
        <button type="submit" class="anywhere" name="do" value={`use base_url ${address}`}>
          {`Use ${address}`}
        </button>
      )}
      {format === undefined ? null : (
        <button type="submit" name="do" value={`use format ${format}`}>
          Use that format
        </button>
      )}
    </>
  );
}

/** A model's first words. */
export function FirstAnswerCard({ answer }: { answer: ShownAnswer }) {
  const { model, text, ms, cost } = answer;
  const price = cost === undefined ? "" : `, ${dollars(cost)}`;
  return (
    <section class="card answer" aria-label="First answer">
      <h2>First answer</h2>
      <div class="words">{text === "" ? "(an empty answer)" : text}</div>
      <p class="hint">
        <span class="model">{model}</span>
        {`, ${milliseconds(ms)}${price}. `}
        <a href={`/dashboard/playground?model=${encodeURIComponent(model)}`}>Ask it more</a>
      </p>
    </section>
  );
}
