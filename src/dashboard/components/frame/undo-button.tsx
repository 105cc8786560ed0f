/** Takes back a change that was saved just now. */

/** Puts back the version before `version`, and returns to the page `back`. */
export function UndoButton({ version, back }: { version: number; back: string }) {
  return (
    <form method="post" action="/dashboard/settings/history/undo">
      <input type="hidden" name="version" value={version} />
      <input type="hidden" name="back" value={back} />
      <button type="submit" class="small">
        Undo
      </button>
    </form>
  );
}
