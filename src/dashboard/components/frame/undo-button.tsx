/** Takes back a change that was saved just now. */

interface UndoProps {
  version: number;
  /** The page to return to. */
  back: string;
  /** `Redo` where the change was an undo itself. */
  label: "Undo" | "Redo";
}

/** Puts back the version before `version`, and returns to the page `back`. */
export function UndoButton({ version, back, label }: UndoProps) {
  return (
    <form method="post" action="/dashboard/settings/history/undo">
      <input type="hidden" name="version" value={version} />
      <input type="hidden" name="back" value={back} />
      <button type="submit" name="word" value={label} class="small">
        {label}
      </button>
    </form>
  );
}
