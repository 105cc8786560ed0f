/** What differs for requests of a role: its models, and what it prefers. */
import { requestRoles } from "../../../../core/request-role.ts";
import type { HarnessEntry } from "../../../../store/config.ts";
import { Card } from "../../../components/display.tsx";
import { Select, TextField } from "../../../components/fields.tsx";
import { SettingsForm } from "../../../components/guarded.tsx";
import type { FieldError } from "../../../shared/forms.ts";
import type { Viewer } from "../../../shared/page-context.ts";
import { harnessPath } from "../shared/harness-frame.tsx";

interface RolesProps {
  viewer: Viewer;
  harness: HarnessEntry;
  error?: FieldError;
  form?: URLSearchParams;
}

const roleNames = {
  main: "main conversations",
  subagent: "subagents",
  background: "background tasks (titles, topics, summaries)",
  compaction: "compaction",
  plan: "planning",
  safety: "safety checks of tool calls",
} as const;

const qualities = [
  { value: "", label: "Default" },
  { value: "eco", label: "Eco" },
  { value: "balanced", label: "Balanced" },
  { value: "quality", label: "Quality" },
];

/** Tiers of a role are shown nowhere but in the document: a form keeps them. */
export function RolesCard({ viewer, harness, form, error }: RolesProps) {
  return (
    <Card
      id="roles"
      title="Roles"
      lead="Clients say what each request is for: its role. A role with its own models always uses those."
    >
      <SettingsForm viewer={viewer} action={`${harnessPath(harness.id)}/routing/roles`}>
        {requestRoles.map((role) => {
          const own = harness.routing?.roles?.[role];
          return (
            <div class="inline">
              <TextField
                name={`role.${role}.models`}
                label={`Models for ${roleNames[role]}, comma-separated`}
                list="model-ids"
                value={form?.get(`role.${role}.models`) ?? own?.models?.join(", ") ?? ""}
                error={error}
              />
              <Select
                name={`role.${role}.quality`}
                label="Quality"
                value={form?.get(`role.${role}.quality`) ?? own?.quality ?? ""}
                options={qualities}
                error={error}
              />
            </div>
          );
        })}
        <button type="submit">Save</button>
      </SettingsForm>
    </Card>
  );
}
