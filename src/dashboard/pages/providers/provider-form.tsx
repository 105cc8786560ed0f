/** The fields of a provider. */
import { openAiFields } from "../../../core/parameters.ts";
import { recordOf } from "../../../providers/catalogue/kinds.ts";
import { TextArea, Checkbox, TextField, Select } from "../../components/fields.tsx";
import type { FieldError } from "../../shared/forms.ts";
import { jurisdictionOptions } from "../../components/jurisdictions.ts";
import { jurisdictions } from "../../../store/jurisdiction.ts";
import { providerFormFields } from "./provider-entry.ts";

interface ProviderFieldsProps {
  kind: string;
  form: URLSearchParams;
  /** Where the key is, that the field does not show. */
  secret: "none" | "entered" | "stored";
  /** A saved provider's ID can't be changed. */
  isSaved: boolean;
  error?: FieldError | undefined;
}

const formats = [
  { value: "chat", label: "OpenAI chat completions" },
  { value: "responses", label: "OpenAI Responses" },
  { value: "messages", label: "Anthropic Messages" },
  { value: "gemini", label: "Gemini generateContent" },
];

/** Fields of the form that a provider of the kind shows, so that what belongs to one of them can be said there. */
export function shownFields(kind: string): readonly string[] {
  const isCustom = recordOf(kind)?.endpoints.length === 0;
  return providerFormFields.filter((name) => name !== "format" || isCustom);
}

/** Every field: what the kind needs first, the rest under "More settings". */
export function ProviderFields(props: ProviderFieldsProps) {
  const { kind, form, error, isSaved } = props;
  const record = recordOf(kind);
  const custom = record?.endpoints.length === 0;
  const needsBaseUrl = record?.baseUrl === undefined;
  return (
    <>
      <input type="hidden" name="kind" value={kind} />
      {isSaved ? (
        <input type="hidden" name="id" value={form.get("id") ?? ""} />
      ) : (
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
    </>
  );
}

function BaseUrl({ kind, form, error }: ProviderFieldsProps) {
  const example = recordOf(kind)?.baseUrlExample ?? "https://llm.example.com/v1";
  return (
    <TextField
      name="base_url"
      label="Base URL"
      inputmode="url"
      value={form.get("base_url") ?? ""}
      placeholder={recordOf(kind)?.baseUrl ?? example}
      error={error}
      hint="Usually ends in /v1."
    />
  );
}

const keyPlaceholders = {
  none: "",
  entered: "entered; leave empty to keep it",
  stored: "stored; leave empty to keep it",
} as const;

function ApiKey({ kind, secret, error }: ProviderFieldsProps) {
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
      placeholder={keyPlaceholders[secret]}
      hint={
        env === undefined
          ? "Stored encrypted and never shown again."
          : `Same value as ${env}. Stored encrypted and never shown again.`
      }
    />
  );
}

function Advanced(props: ProviderFieldsProps & { baseUrl: boolean }) {
  const { form, error, secret, baseUrl } = props;
  const names = ["base_url", "region", "headers", "models", "openai_fields", "subscription"];
  const open = names.some((name) => form.has(name) && form.get(name) !== "" && name !== "base_url");
  return (
    <details open={open || isInside(error, baseUrl)}>
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
      {secret === "none" ? null : (
        <Checkbox name="forget_key" label={`Remove the ${secret} API key`} checked={false} />
      )}
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
        hint="One per line. Values of headers named like secrets are stored encrypted."
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

function isInside(error: FieldError | undefined, baseUrl: boolean): boolean {
  const inside = ["region", "headers", "models", "timeouts", ...(baseUrl ? ["base_url"] : [])];
  return error !== undefined && error.field !== null && inside.includes(error.field);
}

/** Nothing where neither the kind has addresses in regions nor an address of one's own is given. */
function Region({ kind, form, error }: ProviderFieldsProps) {
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
          ? "Where requests are processed, as the operator of the base URL promises."
          : "Requests go to the provider's address in that region."
      }
    />
  );
}

function Timeouts({ form, error }: Pick<ProviderFieldsProps, "form" | "error">) {
  const names = [
    ["headers", "Headers (default 30)"],
    ["first_content", "First content (default 60)"],
    ["idle", "Idle (default 120)"],
    ["total", "Total (default 900; none for streams)"],
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
