/** What a change replaced, and who made it: for versions of the document and for events of the audit log. */
import type { ActorView } from "../../admin/routes/events/audit.ts";
import type { ChangesView } from "../../admin/shared/document/config-preview.ts";
import { Table } from "./display.tsx";

/** Characters of a value that are shown. */
const longestShown = 300;

/** One row for each path, with its value before and after. */
export function ChangeTable({ found, caption }: { found: ChangesView; caption: string }) {
  const { changes, more_changes: more } = found;
  return (
    <>
      <Table caption={caption} head={["Setting", "Before", "After"]}>
        {changes.map(({ path, before, after }) => (
          <tr>
            <td class="roomy">
              <code class="anywhere">{path}</code>
            </td>
            <td class="roomy">
              <ChangedValue value={before} />
            </td>
            <td class="roomy">
              <ChangedValue value={after} />
            </td>
          </tr>
        ))}
      </Table>
      {more === undefined ? null : <p class="muted">{`${more} more changes are not listed.`}</p>}
    </>
  );
}

function ChangedValue({ value }: { value: unknown }) {
  if (value === undefined) return <span class="muted">none</span>;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const shown = text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
  return <code class="anywhere">{shown}</code>;
}

const actorNames: Readonly<Record<ActorView["type"], string>> = {
  root: "Deployment admin token",
  workspace_token: "Workspace admin token",
  user: "Person",
  token: "Access token",
  operator: "Operator",
  billing: "Billing",
  system: "Gateway",
};

/** Who did something: the e-mail address where there is one. */
export function ActorName({ actor }: { actor: ActorView }) {
  const { type, id, email } = actor;
  return (
    <>
      <span class="anywhere">{email ?? actorNames[type]}</span>
      {id === "" ? null : <span class="sub anywhere">{id}</span>}
    </>
  );
}
