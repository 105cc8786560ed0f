/** Which models a harness or a key may reach: ids or patterns, one a line. */
import type { FieldError } from "../shared/forms.ts";
import { TextArea, TextField } from "./fields.tsx";

interface AllowedModelsProps {
  /** What is saved; null or empty: every model. */
  models: readonly string[] | null;
  /** What a missing list means: `every model of its harness`. */
  otherwise: string;
  /** Ids to choose from. */
  known: readonly string[];
  form?: URLSearchParams | undefined;
  error?: FieldError | undefined;
}

/** The list, and a field that completes the id of one more. */
export function AllowedModels({ models, otherwise, known, form, error }: AllowedModelsProps) {
  const lines = models ?? [];
  return (
    <>
      <TextArea
        name="models"
        label="Allowed models"
        code
        rows={Math.max(2, lines.length + 1)}
        value={form?.get("models") ?? lines.join("\n")}
        placeholder="openai/*"
        error={error}
        hint={`IDs or patterns with *, one per line. Empty: ${otherwise}.`}
      />
      <TextField
        name="add_model"
        label="Add a model"
        list="allowed-model-ids"
        value={form?.get("add_model") ?? ""}
        placeholder="provider/model"
      />
      <datalist id="allowed-model-ids">
        {known.slice(0, 1000).map((id) => (
          <option value={id}></option>
        ))}
      </datalist>
    </>
  );
}

/** The models that the two fields say; null: no list. */
export function allowedModelsFrom(form: URLSearchParams): string[] | null {
  const lines = [...(form.get("models") ?? "").split("\n"), form.get("add_model") ?? ""];
  const models = lines.map((line) => line.trim()).filter((line) => line !== "");
  return models.length === 0 ? null : [...new Set(models)];
}
