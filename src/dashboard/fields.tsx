/** Labelled fields with their hint and their fault beside them. */
import type { Child } from "hono/jsx";
import type { Fault } from "./shared/forms.ts";
import type { Choice } from "./parts.tsx";

interface FieldProps {
  name: string;
  label: string;
  value?: string | undefined;
  hint?: Child;
  fault?: Fault | undefined;
  type?: "text" | "password" | "number" | "url" | "datetime-local" | "search";
  placeholder?: string;
  required?: boolean;
  step?: string;
  min?: string;
  autocomplete?: string;
  list?: string;
  autofocus?: boolean;
}

export function Field(props: FieldProps) {
  const { name, label, value, hint, fault, type, ...rest } = props;
  const id = idOf(name);
  return (
    <Row {...{ id, label, hint, fault: ownFault(fault, name) }}>
      <input
        id={id}
        name={name}
        type={type ?? "text"}
        value={value}
        spellcheck={false}
        {...described(id, { hint, fault: ownFault(fault, name) })}
        {...rest}
      />
    </Row>
  );
}

interface AreaProps {
  name: string;
  label: string;
  value?: string | undefined;
  hint?: Child;
  fault?: Fault | undefined;
  rows?: number;
  code?: boolean;
  required?: boolean;
  placeholder?: string;
}

export function Area(props: AreaProps) {
  const { name, label, value, hint, fault, code, rows, ...rest } = props;
  const id = idOf(name);
  return (
    <Row {...{ id, label, hint, fault: ownFault(fault, name) }}>
      <textarea
        id={id}
        name={name}
        rows={rows ?? 4}
        spellcheck={false}
        class={code === true ? "code" : undefined}
        {...described(id, { hint, fault: ownFault(fault, name) })}
        {...rest}
      >
        {value ?? ""}
      </textarea>
    </Row>
  );
}

interface PickProps {
  name: string;
  label: string;
  value?: string | undefined;
  choices: readonly Choice[];
  hint?: Child;
  fault?: Fault | undefined;
}

export function Pick({ name, label, value, choices, hint, fault }: PickProps) {
  const id = idOf(name);
  return (
    <Row {...{ id, label, hint, fault: ownFault(fault, name) }}>
      <select id={id} name={name} {...described(id, { hint, fault: ownFault(fault, name) })}>
        {choices.map((choice) => (
          <option value={choice.value} selected={choice.value === value}>
            {choice.label}
          </option>
        ))}
      </select>
    </Row>
  );
}

export function Check(props: { name: string; label: string; checked: boolean; hint?: Child }) {
  const { name, label, checked, hint } = props;
  const id = idOf(name);
  return (
    <div class="check">
      <input
        id={id}
        type="checkbox"
        name={name}
        value="on"
        checked={checked}
        {...described(id, { hint, fault: undefined })}
      />
      <div>
        <label for={id}>{label}</label>
        {hint === undefined ? null : (
          <p class="hint" id={`${id}-hint`}>
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}

function Row(props: {
  id: string;
  label: string;
  hint?: Child;
  fault: string | undefined;
  children?: Child;
}) {
  const { id, label, hint, fault, children } = props;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      {hint === undefined ? null : (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {fault === undefined ? null : (
        <p class="fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </div>
  );
}

function idOf(name: string): string {
  return `f-${name.replace(/[^\w-]/g, "-")}`;
}

function ownFault(fault: Fault | undefined, name: string): string | undefined {
  return fault?.field === name ? fault.message : undefined;
}

function described(id: string, { hint, fault }: { hint?: Child; fault: string | undefined }) {
  const by = [
    ...(hint === undefined ? [] : [`${id}-hint`]),
    ...(fault === undefined ? [] : [`${id}-fault`]),
  ];
  return {
    ...(by.length > 0 && { "aria-describedby": by.join(" ") }),
    ...(fault !== undefined && { "aria-invalid": "true" as const }),
  };
}
