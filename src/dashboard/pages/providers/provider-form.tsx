/** The form of a provider: what its kind needs first, everything else under "More settings". */
import { SettingsForm } from "../../components/guarded.tsx";
import type { Visitor } from "../../shared/page-context.ts";
import { openAiFields } from "../../../core/parameters.ts";
import { recordOf } from "../../../providers/catalogue/kinds.ts";
import { TextArea, Checkbox, TextField, Select } from "../../components/fields.tsx";
import type { FieldError } from "../../shared/forms.ts";
import { jurisdictionOptions } from "../../components/jurisdictions.ts";
import { jurisdictions } from "../../../store/jurisdiction.ts";
import { FormAlert } from "../../components/display.tsx";
import { providerFormFields } from "./provider-entry.ts";

interface ProviderFormProps {
  viewer: Visitor;
  kind: string;
  form: URLSearchParams;
  /** Set for a saved provider, whose ID can't be changed. */
  stored?: { hasKey: boolean };
  error?: FieldError | undefined;
}

const formats = [
  { value: "chat", label: "OpenAI chat completions" },
  { value: "responses", label: "OpenAI Responses" },
  { value: "messages", label: "Anthropic Messages" },
  { value: "gemini", label: "Gemini generateContent" },
];

/** The whole form, for a new provider or a saved one. */
export function ProviderForm(props: ProviderFormProps) {
  const { viewer, kind, form, stored, error } = props;
  const record = recordOf(kind);
  const custom = record?.endpoints.length === 0;
  const needsBaseUrl = record?.baseUrl === undefined;
  const action =
    stored === undefined
      ? "/dashboard/providers"
      : `/dashboard/providers/${encodeURIComponent(form.get("id") ?? "")}`;
  return (
    <SettingsForm viewer={viewer} action={action} autocomplete="off">
      <FormAlert error={error} fields={providerFormFields} />
      <input type="hidden" name="kind" value={kind} />
      {stored === undefined ? (
        <TextField
          name="id"
          label="ID"
          value={form.get("id") ?? ""}
          error={error}
          required
          hint={
            <>
              Prefix of its model names: <code>{`${form.get("id") ?? "id"}/model`}</code>. Lowercase
              letters, digits and hyphens.
            </>
          }
        />
      ) : (
        <input type="hidden" name="id" value={form.get("id") ?? ""} />
      )}
      {custom ? (
        <Select
          name="format"
          label="Format"
          value={form.get("format") ?? "chat"}
          options={formats}
          error={error}
          hint="The API format of the endpoint. Most servers use OpenAI chat completions."
        />
      ) : null}
      {needsBaseUrl ? <BaseUrl {...props} /> : null}
      {record?.inProcess === true ? null : <ApiKey {...props} />}
      <Advanced {...props} baseUrl={!needsBaseUrl} />
      <div class="buttons">
        <button type="submit" class="primary" name="do" value="save">
          {stored === undefined ? "Add provider" : "Save"}
        </button>
        {record?.inProcess === true ? null : (
          <button type="submit" name="do" value="test">
            {stored === undefined ? "Test connection" : "Test these settings"}
          </button>
        )}
      </div>
    </SettingsForm>
  );
}

function BaseUrl({ kind, form, error }: ProviderFormProps) {
  const example = recordOf(kind)?.baseUrlExample ?? "https://llm.example.com/v1";
  return (
    <TextField
      name="base_url"
      label="Base URL"
      type="url"
      value={form.get("base_url") ?? ""}
      placeholder={recordOf(kind)?.baseUrl ?? example}
      error={error}
      hint="Usually ends in /v1."
    />
  );
}

function ApiKey({ kind, stored, error }: ProviderFormProps) {
  const record = recordOf(kind);
  const keyless = record?.keyless === true;
  const env = record?.env?.[0];
  return (
    <TextField
      name="api_key"
      label={keyless ? "API key (optional)" : "API key"}
      type="password"
      autocomplete="off"
      error={error}
      placeholder={stored?.hasKey === true ? "stored; leave empty to keep it" : ""}
      hint={
        env === undefined
          ? "Stored encrypted and never shown again."
          : `Same value as ${env}. Stored encrypted and never shown again.`
      }
    />
  );
}

function Advanced(props: ProviderFormProps & { baseUrl: boolean }) {
  const { form, error, stored, baseUrl } = props;
  const names = ["base_url", "region", "headers", "models", "openai_fields", "subscription"];
  const open = names.some((name) => form.has(name) && form.get(name) !== "" && name !== "base_url");
  return (
    <details open={open || (error?.field !== null && error?.field !== undefined)}>
      <summary>More settings</summary>
      <Checkbox
        name="subscription"
        label="Paid by subscription"
        checked={form.has("subscription")}
        hint={
          <>
            Its models are listed with <code>-subscription</code> and cost nothing per request.
          </>
        }
      />
      {stored?.hasKey === true ? (
        <Checkbox name="forget_key" label="Remove the stored API key" checked={false} />
      ) : null}
      {baseUrl ? <BaseUrl {...props} /> : null}
      <Region {...props} />
      <TextArea
        name="headers"
        label="Extra headers"
        code
        rows={3}
        value={form.get("headers") ?? ""}
        error={error}
        placeholder="x-team: research"
        hint="One per line. Values of headers with names like secrets are stored encrypted."
      />
      <TextArea
        name="models"
        label="Models"
        code
        rows={4}
        value={form.get("models") ?? ""}
        error={error}
        hint={
          <>
            One ID per line, or a JSON array with prices and context windows:{" "}
            <code>
              {'[{"id":"qwen3","context_window":131072,"cost":{"input":0.2,"output":0.6}}]'}
            </code>
            . Leave it empty to use the provider's own list.
          </>
        }
      />
      <Select
        name="openai_fields"
        label="OpenAI-only parameters"
        value={form.get("openai_fields") ?? ""}
        options={[
          { value: "", label: "Default" },
          { value: "yes", label: "Send" },
          { value: "no", label: "Don't send" },
        ]}
        hint={`${openAiFields.join(", ")}.`}
      />
      <Timeouts form={form} error={error} />
    </details>
  );
}

/** Nothing where neither the kind has addresses in regions nor an address of one's own is given. */
function Region({ kind, form, error }: ProviderFormProps) {
  const record = recordOf(kind);
  const needsAddress = record?.baseUrl === undefined && record?.inProcess !== true;
  const saved = form.get("region") ?? "";
  const offered = jurisdictions.filter(
    (name) => needsAddress || record?.regions?.[name] !== undefined || name === saved,
  );
  if (offered.length === 0) return null;
  return (
    <Select
      name="region"
      label="Region"
      value={saved}
      options={jurisdictionOptions("Not stated", offered)}
      error={error}
      hint={
        needsAddress
          ? "Where requests stay, as the operator of the base URL promises."
          : "Requests go to the provider's address in that region."
      }
    />
  );
}

function Timeouts({ form, error }: Pick<ProviderFormProps, "form" | "error">) {
  const names = [
    ["headers", "Headers (default 30)"],
    ["first_content", "First content (default 60)"],
    ["idle", "Idle (default 120)"],
    ["total", "Total (default 900, streams none)"],
  ] as const;
  return (
    <fieldset class="row">
      <legend>Timeouts in seconds</legend>
      {names.map(([name, label]) => (
        <TextField
          name={`timeout_${name}`}
          label={label}
          type="number"
          min="1"
          value={form.get(`timeout_${name}`) ?? ""}
        />
      ))}
      {error?.field === "timeouts" ? <p class="fault">{error.message}</p> : null}
    </fieldset>
  );
}
