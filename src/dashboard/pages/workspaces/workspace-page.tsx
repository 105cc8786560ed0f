/** One workspace, for those who run the deployment: what it used, its name and its quota. */
import { Card, FormAlert } from "../../components/display.tsx";
import { TextField } from "../../components/fields.tsx";
import { SettingsForm } from "../../components/guarded.tsx";
import { jurisdictionNames } from "../../components/jurisdictions.ts";
import { Page } from "../../components/frame/layout.tsx";
import { QuotaCard } from "../../components/quota-card.tsx";
import { WorkspaceDataCard } from "../../components/workspace-data.tsx";
import { count } from "../../shared/readable-values.ts";
import { PlanCard, type PlanProps } from "./plan-card.tsx";

interface WorkspaceProps extends PlanProps {
  /** How many people belong to it. */
  members: number;
  monthly: { limit: number | null; used: number };
}

/** All of it. */
export function WorkspacePage(props: WorkspaceProps) {
  const { viewer, workspace, monthly, form, error } = props;
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
      <QuotaCard monthly={monthly} plan={workspace.plan} />
      <PlanCard {...props} />
      <Card title="Settings" lead={leadOf(props)}>
        <FormAlert error={error} fields={["name", "monthly_requests", "plan"]} />
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
            label="Requests per month"
            hint={workspace.plan === null ? "Empty: no quota." : "Empty: the plan's quota."}
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
      <WorkspaceDataCard viewer={viewer} workspace={workspace.id} />
    </Page>
  );
}

function leadOf({ members, workspace: { jurisdiction } }: WorkspaceProps): string {
  const people = `${count(members)} ${members === 1 ? "member" : "members"}.`;
  return jurisdiction === null
    ? people
    : `${people} Jurisdiction: ${jurisdictionNames[jurisdiction]}.`;
}
