/** What was done just before: in words, with what it changed, and the way back. */
import type { VersionView } from "../../../admin/routes/document/history.ts";
import type { Visitor } from "../../shared/page-context.ts";
import { ChangeWords } from "../change-table.tsx";
import { Alert } from "../display.tsx";
import { doneMessages, doubtfulDone } from "./done-messages.ts";
import { UndoButton } from "./undo-button.tsx";

/** The message; undefined where nothing was done. */
export function doneWords({ done, savedNothing }: Visitor): string | undefined {
  const words = done === undefined ? undefined : doneMessages[done];
  return words !== undefined && savedNothing ? "Saved. Nothing changed." : words;
}

/** Nothing where nothing was done. */
export function SavedNotice({ viewer }: { viewer: Visitor }) {
  const { done, saved, path } = viewer;
  const words = doneWords(viewer);
  if (words === undefined) return null;
  return (
    <Alert kind={done !== undefined && doubtfulDone.has(done) ? "warn" : "good"}>
      {words}
      {saved === undefined ? null : (
        <>
          <SavedChanges version={saved} />
          {done === "undone" && bringsHarnessBack(saved) ? <p>Revoked keys stay revoked.</p> : null}
          <UndoButton version={saved.n} back={path} label={done === "undone" ? "Redo" : "Undo"} />
        </>
      )}
    </Alert>
  );
}

function bringsHarnessBack({ changes }: VersionView): boolean {
  return changes.some(
    ({ path, before }) => /^harnesses(?:\.[a-z0-9-]+)?$/.test(path) && before === undefined,
  );
}

/** Changes that are named; the others are behind the link. */
const named = 3;

function SavedChanges({ version }: { version: VersionView }) {
  const { n, changes, more_changes: more = 0 } = version;
  const count = changes.length + more;
  return (
    <div class="saved">
      <p>
        {count === 1 ? "1 change: " : `${count} changes: `}
        <a href={`/dashboard/settings/history/${n}`}>Show</a>
      </p>
      <ul>
        {changes.slice(0, named).map((change) => (
          <li>
            <code class="anywhere">{change.path}</code> <ChangeWords change={change} />
          </li>
        ))}
      </ul>
    </div>
  );
}
