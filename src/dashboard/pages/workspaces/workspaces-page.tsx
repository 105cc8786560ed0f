/** Every workspace of the deployment, and making one. */
import type { WorkspaceView } from "../../../admin/routes/workspaces/workspaces.ts";
import { Alert, Card, CopyBlock, FormAlert, Table, Timestamp } from "../../components/display.tsx";
import { Select, TextField } from "../../components/fields.tsx";
import { jurisdictionNames, jurisdictionOptions } from "../../components/jurisdictions.ts";
import { Page } from "../../components/frame/layout.tsx";
import type { FieldError } from "../../shared/forms.ts";
import type { Visitor } from "../../shared/page-context.ts";
import { count } from "../../shared/readable-values.ts";

/** A workspace with the requests a month that hold for it; null: no quota. */
export interface ListedWorkspace extends WorkspaceView {
  quota: number | null;
}

interface WorkspacesProps {
  viewer: Visitor;
  workspaces: readonly ListedWorkspace[];
  /** The plan that a new one gets; null: none. */
  newPlan: string | null;
  /** The one that was made just now, with its token. */
  created?: { name: string; token: string };
  form?: URLSearchParams;
  error?: FieldError;
}

/** All of it. */
export function WorkspacesPage(props: WorkspacesProps) {
  const { viewer, workspaces, created } = props;
  return (
    <Page viewer={viewer} title="Workspaces" lead="Every workspace of this deployment.">
      {created === undefined ? null : (
        <Alert kind="good">
          <strong>{`Copy the admin token of ${created.name} now: it is shown only once.`}</strong>
          <CopyBlock text={created.token} label="New admin token" />
        </Alert>
      )}
      <Card>
        <Table
          caption="Workspaces"
          head={[
            "Workspace",
            "Plan",
            { label: "Monthly quota", class: "num" },
            { label: "Created", class: "mid" },
          ]}
        >
          {workspaces.map((workspace) => (
            <WorkspaceRow {...workspace} />
          ))}
        </Table>
      </Card>
      {viewer.allows("POST", "/dashboard/workspaces") ? <NewWorkspace {...props} /> : null}
    </Page>
  );
}

function WorkspaceRow({ id, name, plan, quota, jurisdiction, created_at: at }: ListedWorkspace) {
  const place = jurisdiction === null ? "" : ` · ${jurisdictionNames[jurisdiction]}`;
  return (
    <tr>
      <td>
        <a class="anywhere" href={`/dashboard/workspaces/${encodeURIComponent(id)}`}>
          {name}
        </a>
        <span class="sub anywhere">{`${id}${place}`}</span>
      </td>
      <td class="anywhere">{plan ?? "none"}</td>
      <td class="num">{quota === null ? "none" : count(quota)}</td>
      <td class="mid nowrap">
        <Timestamp iso={at} timezone="UTC" full />
      </td>
    </tr>
  );
}

function NewWorkspace({ form, error, newPlan }: WorkspacesProps) {
  return (
    <Card
      title="New workspace"
      lead={`It gets its own admin token, which is shown once${newPlan === null ? "" : `, and the plan ${newPlan}`}.`}
    >
      <FormAlert error={error} fields={["name", "monthly_requests", "jurisdiction"]} />
      <form method="post" action="/dashboard/workspaces" class="inline">
        <TextField
          name="name"
          label="Name"
          value={form?.get("name") ?? ""}
          placeholder="Research"
          error={error}
          required
        />
        <TextField
          name="monthly_requests"
          label="Requests per month (optional)"
          type="number"
          min="0"
          value={form?.get("monthly_requests") ?? ""}
          error={error}
          hint={newPlan === null ? "Empty: no quota." : "Empty: the plan's quota."}
        />
        <Select
          name="jurisdiction"
          label="Jurisdiction"
          value={form?.get("jurisdiction") ?? ""}
          options={jurisdictionOptions("None")}
          error={error}
          hint="Where its data is kept on Cloudflare. It can't be changed later."
        />
        <button type="submit" class="primary">
          Create
        </button>
      </form>
    </Card>
  );
}
