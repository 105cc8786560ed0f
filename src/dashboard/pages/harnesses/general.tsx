/** A harness's name, aliases, and which texts are kept and how; duplicate and delete. */
import { ActionForm, ActionLink, SettingsForm } from "../../components/guarded.tsx";
import {
  redactedText,
  redactionOf,
  redactionRules,
  type RedactionSetting,
} from "../../../redaction/redact.ts";
import type { HarnessEntry } from "../../../store/config.ts";
import { AllowedModels } from "../../components/allowed-models.tsx";
import { Select, TextArea, Checkbox, TextField } from "../../components/fields.tsx";
import type { FieldError } from "../../shared/forms.ts";
import { Card, FormAlert } from "../../components/display.tsx";
import type { Viewer } from "../../shared/page-context.ts";
import { HarnessFrame, harnessPath } from "./shared/harness-frame.tsx";

interface GeneralProps {
  viewer: Viewer;
  harness: HarnessEntry;
  /** Ids of models to choose from. */
  known: readonly string[];
  /** Ids of the document's providers. */
  providers: readonly string[];
  /** The refused form. */
  form?: URLSearchParams;
  error?: FieldError;
  /** A text that is shown as it would be kept, and by which rules. */
  trial?: RedactionTrial;
}

/** A text to try rules on, before they are saved. */
export interface RedactionTrial {
  readonly text: string;
  readonly setting: RedactionSetting | undefined;
}

/** The settings of one harness that have no page of their own. */
export function GeneralPage(props: GeneralProps) {
  const { viewer, harness, known, providers, form, error, trial } = props;
  const base = harnessPath(harness.id);
  const aliases = Object.entries(harness.aliases ?? {}).map(([name, to]) => `${name} = ${to}`);
  return (
    <HarnessFrame viewer={viewer} harness={harness} tab="/general">
      <Card title="General">
        <FormAlert
          error={error}
          fields={["name", "aliases", "models", "errors", "queue", "safeguard_model", "patterns"]}
        />
        <SettingsForm viewer={viewer} action={`${base}/general`}>
          <TextField
            name="name"
            label="Name"
            value={form?.get("name") ?? harness.name}
            error={error}
            required
          />
          <TextArea
            name="aliases"
            label="Aliases"
            code
            rows={Math.max(4, aliases.length + 1)}
            value={form?.get("aliases") ?? aliases.join("\n")}
            error={error}
            hint={
              <>
                Model names to remap, one per line: <code>claude-haiku-* = auto</code>,{" "}
                <code>gpt-5.4-nano = lab/qwen3</code>. Exact names take precedence over patterns.
              </>
            }
          />
          <AllowedModels
            models={harness.models ?? null}
            otherwise="every connected model"
            {...{ known, form, error }}
          />
          <Select
            name="errors"
            label="The gateway's own errors"
            value={form?.get("errors") ?? harness.errors ?? "spoken"}
            options={[
              { value: "spoken", label: "As a reply that people can read" },
              { value: "status", label: "With their HTTP status" },
            ]}
            error={error}
            hint="A reached limit, for example. As a reply, it shows up as text in chat clients; with their status, programs can tell that the request failed."
          />
          {viewer.words.holder === "harness" ? (
            <TextField
              name="queue"
              label="Seconds that a request may wait for a place"
              type="number"
              min="0"
              value={form?.get("queue") ?? String(harness.queue ?? 0)}
              error={error}
              hint="When 10 requests of the workspace are in flight, others wait their turn so long before they are refused. 0 refuses them at once."
            />
          ) : null}
          <WebSearchFields {...{ searcher: harness.web_search, providers, form, error }} />
          <TextField
            name="safeguard_model"
            label="Judge of tool calls"
            list="allowed-model-ids"
            value={form?.get("safeguard_model") ?? harness.safeguard_model ?? ""}
            placeholder="provider/model"
            error={error}
            hint="For Claude Code's auto mode on models that are not Anthropic's own: this model decides which tool calls may run without asking, in a request of its own for each answer that calls tools. Empty: nobody decides."
          />
          <Checkbox
            name="log_text"
            label="Log the text of requests and responses"
            checked={form === undefined ? harness.log_text === true : form.has("log_text")}
            hint="Off by default: prompts often contain secrets. Keeps up to 20,000 characters of each for 30 days."
          />
          <Checkbox
            name="trace_text"
            label="Send texts with traces"
            checked={form === undefined ? harness.trace_text === true : form.has("trace_text")}
            hint="Off by default. Only where the deployment sends traces to a collector: the same texts as in the log, redacted alike."
          />
          <RedactionFields {...{ redact: harness.redact, form, error }} />
          {viewer.ownsResponses ? (
            <Checkbox
              name="response_owner"
              label="Continue only responses of its own"
              checked={
                form === undefined
                  ? harness.response_owner === "strict"
                  : form.has("response_owner")
              }
              hint="For Responses clients: a previous response that was given to another harness is refused as not found. Off by default."
            />
          ) : null}
          <button type="submit" class="primary">
            Save
          </button>
          <RedactionTry trial={trial} />
        </SettingsForm>
      </Card>
      {viewer.allows("POST", `${base}/delete`) ? (
        <Card title="Duplicate or delete">
          <div class="buttons">
            <ActionForm viewer={viewer} action={`${base}/duplicate`}>
              <button type="submit">Duplicate</button>
            </ActionForm>
            <ActionLink viewer={viewer} class="danger" href={`${base}/delete`}>
              Delete…
            </ActionLink>
          </div>
        </Card>
      ) : null}
    </HarnessFrame>
  );
}

interface WebSearchProps {
  searcher: HarnessEntry["web_search"];
  providers: readonly string[];
  form: URLSearchParams | undefined;
  error: FieldError | undefined;
}

/** Who searches the web where a request's model cannot. */
function WebSearchFields({ searcher, providers, form, error }: WebSearchProps) {
  if (searcher?.url !== undefined)
    return <p class="hint">Web search: an endpoint of your own, set in the configuration.</p>;
  return (
    <>
      <Select
        name="web_search_provider"
        label="Web search"
        value={form?.get("web_search_provider") ?? searcher?.provider ?? ""}
        options={[
          { value: "", label: "Off" },
          ...providers.map((id) => ({ value: id, label: id })),
        ]}
        error={error}
        hint="For clients that ask for web search while the model has none of its own: each search is a request to this provider. Choose a provider that has web search, such as Anthropic, OpenAI or Gemini."
      />
      <TextField
        name="web_search_model"
        label="Model that searches"
        list="allowed-model-ids"
        value={form?.get("web_search_model") ?? searcher?.model ?? ""}
        placeholder="provider/model"
        error={error}
        hint="A model of that provider. Empty: its cheapest that can search."
      />
    </>
  );
}

const ruleLabels = {
  email: "E-mail addresses",
  secret: "Keys, tokens and passwords",
  card: "Card numbers",
} as const;

interface RedactionProps {
  redact: HarnessEntry["redact"];
  form: URLSearchParams | undefined;
  error: FieldError | undefined;
}

/** What is taken out of texts before they are kept. */
function RedactionFields({ redact, form, error }: RedactionProps) {
  const { rules = redactionRules, patterns = [] } = redact ?? {};
  return (
    <fieldset>
      <legend>Redaction</legend>
      <p class="hint">Taken out of texts before they are kept or sent with traces.</p>
      {redactionRules.map((rule) => (
        <Checkbox
          name={`redact_${rule}`}
          label={ruleLabels[rule]}
          checked={form === undefined ? rules.includes(rule) : form.has(`redact_${rule}`)}
        />
      ))}
      <TextArea
        name="patterns"
        label="Own patterns"
        code
        value={form?.get("patterns") ?? patterns.join("\n")}
        error={error}
        hint={
          <>
            One per line, at most 20: <code>ACME-[0-9]{"{6}"}</code>. What they match in texts and
            errors becomes <code>[redacted]</code>. Texts that are kept already stay as they are.
          </>
        }
      />
    </fieldset>
  );
}

/** A text to try the form's rules on. Behind the form's own button, which is the one that Enter presses. */
function RedactionTry({ trial }: { trial: RedactionTrial | undefined }) {
  return (
    <fieldset class="try">
      <legend>Try the redaction</legend>
      <TextArea
        name="sample"
        label="Text"
        rows={2}
        value={trial?.text}
        hint="Shown as it would be kept, by the rules above as they stand. Nothing is saved."
      />
      {trial === undefined ? null : (
        <pre aria-label="Redacted">
          {redactedText(keptSample(trial.text), redactionOf(trial.setting))}
        </pre>
      )}
      <button type="submit" name="try" value="1">
        Try
      </button>
    </fieldset>
  );
}

/** As much of it as the log would keep. */
function keptSample(text: string) {
  return { text, most: 20_000 };
}
