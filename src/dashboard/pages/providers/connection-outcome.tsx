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
  const left = models.length - first.length - rest.length;
  const typed = chosen !== "" && !models.some(({ info }) => info.id === chosen) ? chosen : "";
  const shared = { choice, chosen, faulty: fault !== undefined && typed === "" };
  return (
    <div
      class="tested-models"
      id="f-model"
      {...(choice && { role: "group", "aria-label": "Model" })}
    >
      {models.length === 0 ? <NoModels {...{ choice, typed, fault }} /> : null}
      {fault === undefined || models.length === 0 ? null : (
        <p class="fault" id={faultId}>
          {fault}
        </p>
      )}
      {first.length === 0 ? null : (
        <ModelTable {...shared} caption="Models, newest first" models={first} />
      )}
      {rest.length === 0 ? null : (
        <details open={rest.some(({ info }) => info.id === chosen)}>
          <summary>{`${count(rest.length)} more models`}</summary>
          <ModelTable {...shared} caption="More models" models={rest} />
        </details>
      )}
      {left > 0 ? <ModelsLeft {...{ choice, typed, left }} /> : null}
    </div>
  );
}

/** What is wrong with the model that was asked. */
const faultId = "f-model-fault";

interface TypedModelProps {
  choice: boolean;
  typed: string;
}

function NoModels({ choice, typed, fault }: TypedModelProps & { fault: string | undefined }) {
  if (!choice) return <p class="hint">The provider lists no models.</p>;
  return (
    <TextField
      name="model_id"
      label="Model"
      value={typed}
      hint="The provider lists no models. Enter a model ID to get a first answer."
      error={fault === undefined ? undefined : { field: "model_id", message: fault }}
    />
  );
}

/** A page of thousands of rows helps nobody; every model can be asked all the same. */
function ModelsLeft({ choice, typed, left }: TypedModelProps & { left: number }) {
  const words = `${count(left)} models are not shown here.`;
  if (!choice) return <p class="hint">{words}</p>;
  return (
    <TextField
      name="model_id"
      label="Another model"
      value={typed}
      hint={`${words} Enter the ID of one to ask it instead.`}
    />
  );
}

interface ModelTableProps extends Omit<ModelChoiceProps, "error"> {
  caption: string;
  /** Whether the chosen one is what was wrong. */
  faulty: boolean;
}

function ModelTable({ models, choice, chosen, caption, faulty }: ModelTableProps) {
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
        <ModelRow {...{ model, choice, faulty }} checked={model.info.id === chosen} />
      ))}
    </Table>
  );
}

interface ModelRowProps extends Pick<ModelTableProps, "choice" | "faulty"> {
  model: ListedModel;
  checked: boolean;
}

function ModelRow({ model, choice, checked, faulty }: ModelRowProps) {
  const { id, displayName, contextWindow, created } = model.info;
  const prices = billedPrices(model);
  const name = <span class="model">{id}</span>;
  return (
    <tr>
      <td>
        {choice ? (
          <label class="model-choice">
            <input
              type="radio"
              name="model"
              value={id}
              checked={checked}
              {...(checked && faulty && { "aria-describedby": faultId, autofocus: true })}
            />{" "}
            {name}
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
