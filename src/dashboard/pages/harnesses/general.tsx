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
            label="Gateway errors"
            value={form?.get("errors") ?? harness.errors ?? "spoken"}
            options={[
              { value: "spoken", label: "As a readable reply" },
              { value: "status", label: "With the HTTP status of the error" },
            ]}
            error={error}
            hint="How errors such as a reached limit are sent. A reply is visible in chat clients; an HTTP status lets programs detect the failure."
          />
          {viewer.words.holder === "harness" ? (
            <TextField
              name="queue"
              label="Queue time (seconds)"
              type="number"
              min="0"
              value={form?.get("queue") ?? String(harness.queue ?? 0)}
              error={error}
              hint="While the workspace has 10 requests in flight, further requests wait up to this long before they are refused. 0 refuses them immediately."
            />
          ) : null}
          <Checkbox
            name="whole_keep_alive"
            label="Keep whole responses alive"
            checked={
              form === undefined ? harness.whole_keep_alive === true : form.has("whole_keep_alive")
            }
            hint="Off by default. Requests without streaming: after 10 s the response begins with spaces, so that a client that left is noticed. Its status is then 200, also if it fails."
          />
          <WebSearchFields {...{ searcher: harness.web_search, providers, form, error }} />
          <TextField
            name="safeguard_model"
            label="Safeguard model"
            list="allowed-model-ids"
            value={form?.get("safeguard_model") ?? harness.safeguard_model ?? ""}
            placeholder="provider/model"
            error={error}
            hint="For Claude Code's auto mode on models of other makers than Anthropic: this model decides which tool calls may run without asking. Each response with tool calls costs one extra request. Empty: no safeguard."
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
            hint="Off by default. Applies only if the deployment sends traces to a collector. The texts are redacted as in the log."
          />
          <RedactionFields {...{ redact: harness.redact, form, error }} />
          {viewer.ownsResponses ? (
            <Checkbox
              name="response_owner"
              label="Continue only its own responses"
              checked={
                form === undefined
                  ? harness.response_owner === "strict"
                  : form.has("response_owner")
              }
              hint="Off by default. For Responses clients: a previous response of another harness is refused as not found."
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
    return <p class="hint">Web search uses your own endpoint, set in the configuration.</p>;
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
        hint="For requests with web search to a model without it: each search is a request to this provider. Choose a provider that has web search, such as Anthropic, OpenAI or Gemini."
      />
      <TextField
        name="web_search_model"
        label="Search model"
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
      <p class="hint">Removed from texts before they are stored or sent with traces.</p>
      {redactionRules.map((rule) => (
        <Checkbox
          name={`redact_${rule}`}
          label={ruleLabels[rule]}
          checked={form === undefined ? rules.includes(rule) : form.has(`redact_${rule}`)}
        />
      ))}
      <TextArea
        name="patterns"
        label="Custom patterns"
        code
        value={form?.get("patterns") ?? patterns.join("\n")}
        error={error}
        hint={
          <>
            One per line, at most 20: <code>ACME-[0-9]{"{6}"}</code>. Matches in texts and errors
            become <code>[redacted]</code>. Texts already stored don't change.
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
      <legend>Test redaction</legend>
      <TextArea
        name="sample"
        label="Text"
        rows={2}
        value={trial?.text}
        hint="Shows what would be stored with the rules above. Nothing is saved."
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
