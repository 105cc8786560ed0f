/** What was done just before: in words, with what it changed, and the way back. */
import type { VersionView } from "../../admin/routes/history.ts";
import type { ChangeView } from "../../admin/shared/config-preview.ts";
import { limitsSchema } from "../../store/config.ts";
import type { Visitor } from "../shared/page-context.ts";
import { limitChangeWords } from "../shared/limit-words.ts";
import { Alert } from "./display.tsx";
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
          <UndoButton version={saved.n} back={path} />
        </>
      )}
    </Alert>
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

function ChangeWords({ change: { path, before, after } }: { change: ChangeView }) {
  const [was, is] = [limitsSchema.safeParse(before ?? []), limitsSchema.safeParse(after ?? [])];
  if (/(^|\.)(person_)?limits$/.test(path) && was.success && is.success)
    return <>{limitChangeWords(was.data, is.data)}</>;
  if (before === undefined) return <>added</>;
  if (after === undefined) return <>removed</>;
  return <span class="anywhere">{`${shortText(before)} → ${shortText(after)}`}</span>;
}

/** Characters of a value that are shown. */
const longest = 60;

function shortText(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
