/** Asks before a workspace is deleted, and offers its export first. */
import {
  defaultWorkspace,
  type WorkspaceRecord,
} from "../../../workspace/accounts/tables/workspaces.ts";
import { Card, FormAlert } from "../../components/display.tsx";
import { TextField } from "../../components/fields.tsx";
import { Page } from "../../components/frame/layout.tsx";
import type { FieldError } from "../../shared/forms.ts";
import type { Visitor } from "../../shared/page-context.ts";

interface DeleteProps {
  viewer: Visitor;
  workspace: Pick<WorkspaceRecord, "id" | "name">;
  error?: FieldError;
}

/** The question; for the default workspace why there is none. */
export function DeleteWorkspacePage(props: DeleteProps) {
  const { viewer, workspace } = props;
  const page = `/dashboard/workspaces/${encodeURIComponent(workspace.id)}`;
  const isKept = workspace.id === defaultWorkspace;
  return (
    <Page viewer={viewer} title={`Delete ${workspace.name}?`}>
      <Card
        title="Export first"
        lead="Configuration, keys, request log and usage as JSON Lines, without secrets."
      >
        <div class="buttons">
          <a class="button" href={`${page}/export`} download>
            Export workspace
          </a>
        </div>
      </Card>
      {isKept ? (
        <Card title="Delete">
          <p>The default workspace can't be deleted.</p>
        </Card>
      ) : (
        <DeleteForm {...props} page={page} />
      )}
    </Page>
  );
}

function DeleteForm({ viewer, workspace, error, page }: DeleteProps & { page: string }) {
  const back = viewer.allows("GET", page) ? page : "/dashboard/settings";
  return (
    <Card title="Delete">
      <p>
        Everything in it is erased: its configuration, keys, members, request log and usage. Its
        keys stop working immediately. This can't be undone.
      </p>
      <FormAlert error={error} fields={["confirm"]} />
      <form method="post" action={`${page}/delete`} autocomplete="off">
        <TextField
          name="confirm"
          label="ID of the workspace"
          autocomplete="off"
          error={error}
          hint={
            <>
              Type <code>{workspace.id}</code> to confirm.
            </>
          }
          required
        />
        <div class="buttons">
          <button type="submit" class="danger">
            Delete workspace
          </button>
          <a class="button" href={back}>
            Cancel
          </a>
        </div>
      </form>
    </Card>
  );
}
