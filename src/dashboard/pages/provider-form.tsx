/** The form of a provider: short for what the catalogue knows, everything else behind one fold. */
import { recordOf } from "../../providers/catalogue/kinds.ts";
import { Area, Check, Field, Pick } from "../fields.tsx";
import type { Fault } from "../shared/forms.ts";
import { FormFault } from "../parts.tsx";
import { providerFields } from "../provider-edit.ts";

export interface ProviderFormProps {
  kind: string;
  form: URLSearchParams;
  /** Set when it is stored already: its id stays as it is. */
  stored?: { hasKey: boolean };
  fault?: Fault | undefined;
}

const formats = [
  { value: "chat", label: "OpenAI chat completions" },
  { value: "responses", label: "OpenAI Responses" },
  { value: "messages", label: "Anthropic Messages" },
  { value: "gemini", label: "Gemini generateContent" },
];

export function ProviderForm(props: ProviderFormProps) {
  const { kind, form, stored, fault } = props;
  const record = recordOf(kind);
  const custom = record?.endpoints.length === 0;
  const needsAddress = record?.baseUrl === undefined;
  const action =
    stored === undefined
      ? "/dashboard/providers"
      : `/dashboard/providers/${encodeURIComponent(form.get("id") ?? "")}`;
  return (
    <form method="post" action={action} autocomplete="off">
      <FormFault fault={fault} fields={providerFields} />
      <input type="hidden" name="kind" value={kind} />
      {stored === undefined ? (
        <Field
          name="id"
          label="Id"
          value={form.get("id") ?? ""}
          fault={fault}
          required
          hint={
            <>
              Clients write it before the model: <code>{`${form.get("id") ?? "id"}/model`}</code>.
              Small letters, digits and dashes.
            </>
          }
        />
      ) : (
        <input type="hidden" name="id" value={form.get("id") ?? ""} />
      )}
      {custom ? (
        <Pick
          name="format"
          label="Format"
          value={form.get("format") ?? "chat"}
          choices={formats}
          fault={fault}
          hint="What the endpoint speaks. Most servers speak OpenAI chat completions."
        />
      ) : null}
      {needsAddress ? <Address {...props} /> : null}
      {record?.inProcess === true ? null : <Secret {...props} />}
      <Advanced {...props} address={!needsAddress} />
      <div class="buttons">
        <button type="submit" class="primary" name="do" value="save">
          {stored === undefined ? "Connect" : "Save"}
        </button>
        {record?.inProcess === true ? null : (
          <button type="submit" name="do" value="try">
            {custom ? "Find its models" : "Try without saving"}
          </button>
        )}
      </div>
    </form>
  );
}

function Address({ kind, form, fault }: ProviderFormProps) {
  const example = recordOf(kind)?.baseUrlExample ?? "https://llm.example.com/v1";
  return (
    <Field
      name="base_url"
      label="Address"
      type="url"
      value={form.get("base_url") ?? ""}
      placeholder={recordOf(kind)?.baseUrl ?? example}
      fault={fault}
      hint="Up to where the format's own paths begin; for OpenAI-like servers it usually ends in /v1."
    />
  );
}

function Secret({ kind, stored, fault }: ProviderFormProps) {
  const record = recordOf(kind);
  const keyless = record?.keyless === true;
  const env = record?.env?.[0];
  return (
    <Field
      name="api_key"
      label={keyless ? "API key, if it wants one" : "API key"}
      type="password"
      autocomplete="off"
      fault={fault}
      placeholder={stored?.hasKey === true ? "stored – leave empty to keep it" : ""}
      hint={
        env === undefined
          ? "Kept encrypted; never shown again."
          : `What other tools know as ${env}. Kept encrypted; never shown again.`
      }
    />
  );
}

function Advanced(props: ProviderFormProps & { address: boolean }) {
  const { form, fault, stored, address } = props;
  const names = ["base_url", "headers", "models", "openai_fields", "subscription"];
  const open = names.some((name) => form.has(name) && form.get(name) !== "" && name !== "base_url");
  return (
    <details open={open || (fault?.field !== null && fault?.field !== undefined)}>
      <summary>More settings</summary>
      <Check
        name="subscription"
        label="Paid by subscription"
        checked={form.has("subscription")}
        hint={
          <>
            Its models are listed with <code>-subscription</code> and cost nothing a request.
          </>
        }
      />
      {stored?.hasKey === true ? (
        <Check name="forget_key" label="Forget the stored API key" checked={false} />
      ) : null}
      {address ? <Address {...props} /> : null}
      <Area
        name="headers"
        label="Extra headers"
        code
        rows={3}
        value={form.get("headers") ?? ""}
        fault={fault}
        placeholder="x-team: research"
        hint="One a line. Values of headers named like secrets are kept encrypted."
      />
      <Area
        name="models"
        label="Models"
        code
        rows={4}
        value={form.get("models") ?? ""}
        fault={fault}
        hint={
          <>
            One id a line, or a JSON array with prices and windows:{" "}
            <code>
              {'[{"id":"qwen3","context_window":131072,"cost":{"input":0.2,"output":0.6}}]'}
            </code>
            . Empty: the provider's own list.
          </>
        }
      />
      <Pick
        name="openai_fields"
        label="Fields that only OpenAI knows"
        value={form.get("openai_fields") ?? ""}
        choices={[
          { value: "", label: "As the catalogue says" },
          { value: "yes", label: "Send them" },
          { value: "no", label: "Leave them out" },
        ]}
        hint="stream_options, reasoning_effort, modalities, audio, prediction."
      />
      <Timeouts form={form} fault={fault} />
    </details>
  );
}

function Timeouts({ form, fault }: Omit<ProviderFormProps, "kind" | "stored">) {
  const names = [
    ["headers", "Headers (30)"],
    ["first_content", "First content (60)"],
    ["idle", "Idle (120)"],
    ["total", "Total (900)"],
  ] as const;
  return (
    <fieldset class="row">
      <legend>Time-outs in seconds</legend>
      {names.map(([name, label]) => (
        <Field
          name={`timeout_${name}`}
          label={label}
          type="number"
          min="1"
          value={form.get(`timeout_${name}`) ?? ""}
        />
      ))}
      {fault?.field === "timeouts" ? <p class="fault">{fault.message}</p> : null}
    </fieldset>
  );
}
