/** One workspace, for those who run the deployment: what it used, its name and its quota. */
import type { WorkspaceView } from "../../../admin/routes/workspaces.ts";
import { Card, FormAlert } from "../../components/display.tsx";
import { TextField } from "../../components/fields.tsx";
import { SettingsForm } from "../../components/guarded.tsx";
import { Page } from "../../components/layout.tsx";
import { QuotaCard } from "../../components/quota-card.tsx";
import type { FieldError } from "../../shared/forms.ts";
import type { Visitor } from "../../shared/page-context.ts";
import { count } from "../../shared/readable-values.ts";

interface WorkspaceProps {
  viewer: Visitor;
  workspace: WorkspaceView;
  /** How many people belong to it. */
  members: number;
  monthly: { limit: number | null; used: number };
  form?: URLSearchParams;
  error?: FieldError;
}

/** All of it. */
export function WorkspacePage(props: WorkspaceProps) {
  const { viewer, workspace, members, monthly, form, error } = props;
  const page = `/dashboard/workspaces/${encodeURIComponent(workspace.id)}`;
  return (
    <Page
      viewer={viewer}
      title={workspace.name}
      lead={
        <>
          <a href="/dashboard/workspaces">Workspaces</a> / <code>{workspace.id}</code>
        </>
      }
    >
      <QuotaCard monthly={monthly} plan={null} />
      <Card title="Settings" lead={`${count(members)} ${members === 1 ? "member" : "members"}.`}>
        <FormAlert error={error} fields={["name", "monthly_requests"]} />
        <SettingsForm viewer={viewer} action={page} class="inline">
          <TextField
            name="name"
            label="Name"
            value={form?.get("name") ?? workspace.name}
            error={error}
            required
          />
          <TextField
            name="monthly_requests"
            label="Requests a month"
            hint="Empty: no quota."
            type="number"
            min="0"
            value={
              form?.get("monthly_requests") ??
              (workspace.monthly_requests === null ? "" : String(workspace.monthly_requests))
            }
            error={error}
          />
          <button type="submit" class="primary">
            Save
          </button>
        </SettingsForm>
      </Card>
    </Page>
  );
}
