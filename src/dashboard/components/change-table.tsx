/** What a change replaced, and who made it: for versions of the document and for events of the audit log. */
import type { ActorView } from "../../admin/routes/events/audit.ts";
import type { ChangesView, ChangeView } from "../../admin/shared/document/config-preview.ts";
import { type LimitEntry, limitsSchema } from "../../store/config.ts";
import { fullLimitWords, limitChangeWords } from "../shared/limit-words.ts";
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
              <PathText path={path} />
            </td>
            <td class="roomy">
              <ChangedValue path={path} value={before} />
            </td>
            <td class="roomy">
              <ChangedValue path={path} value={after} />
            </td>
          </tr>
        ))}
      </Table>
      {more === undefined ? null : <p class="muted">{`${more} more changes are not listed.`}</p>}
    </>
  );
}

/** Broken after its dots, where it is too long for its column. */
function PathText({ path }: { path: string }) {
  return (
    <code>
      {path.split(/(?<=\.)/).map((part) => (
        <>
          {part}
          <wbr />
        </>
      ))}
    </code>
  );
}

/** The path of a list of limits. */
const limitsPath = /(^|\.)(?:person_)?limits$/;

/** What a path's value is read as, where it is a list of limits. */
export function limitsAt(path: string, value: unknown): LimitEntry[] | undefined {
  return limitsPath.test(path) ? limitsSchema.safeParse(value).data : undefined;
}

function ChangedValue({ path, value }: { path: string; value: unknown }) {
  if (value === undefined) return <span class="muted">none</span>;
  const limits = limitsAt(path, value);
  if (limits !== undefined)
    return (
      <>
        {limits.map((limit) => (
          <div>{fullLimitWords(limit)}</div>
        ))}
      </>
    );
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const shown = text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
  return <code class="anywhere">{shown}</code>;
}

/** What a change did, in a line: `$5.00 per day → $10.00 per day`. */
export function ChangeWords({ change: { path, before, after } }: { change: ChangeView }) {
  const [was, is] = [limitsAt(path, before ?? []), limitsAt(path, after ?? [])];
  if (was !== undefined && is !== undefined) return <>{limitChangeWords(was, is)}</>;
  if (before === undefined) return <>added</>;
  if (after === undefined) return <>removed</>;
  const [old, young] = [shortText(before), shortText(after)];
  // Secrets are masked, and long values cut.
  return old === young ? <>changed</> : <span class="anywhere">{`${old} → ${young}`}</span>;
}

/** Characters of a value that a line shows. */
const longestInLine = 60;

function shortText(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > longestInLine ? `${text.slice(0, longestInLine)}…` : text;
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
