/** Labelled form fields with their hint and their error. */
import type { Child } from "hono/jsx";
import type { FieldError } from "../shared/forms.ts";

/** One option of a `Select`. */
export interface SelectOption {
  value: string;
  label: string;
}

interface TextFieldProps {
  name: string;
  label: string;
  value?: string | undefined;
  hint?: Child;
  error?: FieldError | undefined;
  type?: "text" | "password" | "number" | "url" | "datetime-local" | "search";
  placeholder?: string;
  required?: boolean;
  step?: string;
  min?: string;
  autocomplete?: string;
  list?: string;
  autofocus?: boolean;
  inputmode?: "url";
}

/** A one-line input. */
export function TextField(props: TextFieldProps) {
  const { name, label, value, hint, error, type, ...rest } = props;
  const id = idOf(name);
  return (
    <Row {...{ id, label, hint, error: ownError(error, name) }}>
      <input
        id={id}
        name={name}
        type={type ?? "text"}
        value={value}
        spellcheck={false}
        {...described(id, { hint, error: ownError(error, name) })}
        {...rest}
      />
    </Row>
  );
}

interface TextAreaProps {
  name: string;
  label: string;
  value?: string | undefined;
  hint?: Child;
  error?: FieldError | undefined;
  rows?: number;
  code?: boolean;
  required?: boolean;
  placeholder?: string;
}

/** A multi-line input. */
export function TextArea(props: TextAreaProps) {
  const { name, label, value, hint, error, code, rows, ...rest } = props;
  const id = idOf(name);
  return (
    <Row {...{ id, label, hint, error: ownError(error, name) }}>
      <textarea
        id={id}
        name={name}
        rows={rows ?? 4}
        spellcheck={false}
        class={code === true ? "code" : undefined}
        {...described(id, { hint, error: ownError(error, name) })}
        {...rest}
      >
        {value ?? ""}
      </textarea>
    </Row>
  );
}

interface SelectProps {
  name: string;
  label: string;
  value?: string | undefined;
  options: readonly SelectOption[];
  hint?: Child;
  error?: FieldError | undefined;
}

/** A drop-down list. */
export function Select({ name, label, value, options, hint, error }: SelectProps) {
  const id = idOf(name);
  return (
    <Row {...{ id, label, hint, error: ownError(error, name) }}>
      <select id={id} name={name} {...described(id, { hint, error: ownError(error, name) })}>
        {options.map((option) => (
          <option value={option.value} selected={option.value === value}>
            {option.label}
          </option>
        ))}
      </select>
    </Row>
  );
}

interface CheckboxProps {
  name: string;
  label: Child;
  checked: boolean;
  hint?: Child;
  error?: FieldError | undefined;
  required?: boolean;
}

/** A checkbox; the form holds `on` while it is checked. */
export function Checkbox({ name, label, checked, hint, error, ...rest }: CheckboxProps) {
  const id = idOf(name);
  const fault = ownError(error, name);
  return (
    <div class="check">
      <input
        id={id}
        type="checkbox"
        name={name}
        value="on"
        checked={checked}
        {...described(id, { hint, error: fault })}
        {...rest}
      />
      <div>
        <label for={id}>{label}</label>
        <Notes {...{ id, hint, error: fault }} />
      </div>
    </div>
  );
}

function Row(props: {
  id: string;
  label: string;
  hint?: Child;
  error: string | undefined;
  children?: Child;
}) {
  const { id, label, hint, error, children } = props;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      <Notes {...{ id, hint, error }} />
    </div>
  );
}

function Notes({ id, hint, error }: { id: string; hint?: Child; error: string | undefined }) {
  return (
    <>
      {hint === undefined ? null : (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error === undefined ? null : (
        <p class="fault" id={`${id}-fault`}>
          {error}
        </p>
      )}
    </>
  );
}

/** To choose a file with. */
export function FileField({ name, label, error, ...rest }: FileFieldProps) {
  const id = idOf(name);
  const fault = ownError(error, name);
  return (
    <Row {...{ id, label, error: fault }}>
      <input id={id} type="file" name={name} {...described(id, { error: fault })} {...rest} />
    </Row>
  );
}

interface FileFieldProps {
  name: string;
  label: string;
  error?: FieldError | undefined;
  required?: boolean;
}

function idOf(name: string): string {
  return `f-${name.replace(/[^\w-]/g, "-")}`;
}

function ownError(error: FieldError | undefined, name: string): string | undefined {
  return error?.field === name ? error.message : undefined;
}

/** A field with a fault has the focus: who sent the form is led to what was wrong, however long the page is. */
function described(id: string, { hint, error }: { hint?: Child; error: string | undefined }) {
  const by = [
    ...(hint === undefined ? [] : [`${id}-hint`]),
    ...(error === undefined ? [] : [`${id}-fault`]),
  ];
  return {
    ...(by.length > 0 && { "aria-describedby": by.join(" ") }),
    ...(error !== undefined && { "aria-invalid": "true" as const, autofocus: true }),
  };
}
