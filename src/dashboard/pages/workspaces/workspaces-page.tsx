/** Every workspace of the deployment, and making one. */
import type { WorkspaceView } from "../../../admin/routes/workspaces.ts";
import { Alert, Card, CopyBlock, FormAlert, Table, Timestamp } from "../../components/display.tsx";
import { TextField } from "../../components/fields.tsx";
import { Page } from "../../components/layout.tsx";
import type { FieldError } from "../../shared/forms.ts";
import type { Visitor } from "../../shared/page-context.ts";
import { count } from "../../shared/readable-values.ts";

interface WorkspacesProps {
  viewer: Visitor;
  workspaces: readonly WorkspaceView[];
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
            { label: "Quota a month", class: "num" },
            { label: "Created", class: "mid" },
          ]}
        >
          {workspaces.map(({ id, name, monthly_requests: quota, created_at: at }) => (
            <tr>
              <td>
                <a class="anywhere" href={`/dashboard/workspaces/${encodeURIComponent(id)}`}>
                  {name}
                </a>
                <span class="sub anywhere">{id}</span>
              </td>
              <td class="num">{quota === null ? "none" : count(quota)}</td>
              <td class="mid nowrap">
                <Timestamp iso={at} timezone="UTC" full />
              </td>
            </tr>
          ))}
        </Table>
      </Card>
      {viewer.allows("POST", "/dashboard/workspaces") ? <NewWorkspace {...props} /> : null}
    </Page>
  );
}

function NewWorkspace({ form, error }: WorkspacesProps) {
  return (
    <Card title="New workspace" lead="It gets an admin token of its own, which is shown once.">
      <FormAlert error={error} fields={["name", "monthly_requests"]} />
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
          label="Requests a month (optional)"
          type="number"
          min="0"
          value={form?.get("monthly_requests") ?? ""}
          error={error}
        />
        <button type="submit" class="primary">
          Create
        </button>
      </form>
    </Card>
  );
}
