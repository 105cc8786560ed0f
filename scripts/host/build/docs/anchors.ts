/** Names of headings, as GitHub makes them, so that a link works in both places. */

/** The anchor of a heading by its Markdown: `## What it *does*` is `what-it-does`. */
export function anchorOf(heading: string): string {
  return heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");
}

/** The anchors of one page: a heading that occurs twice gets a number. */
export class Anchors {
  readonly #seen = new Map<string, number>();

  /** The anchor of the next heading. */
  of(heading: string): string {
    const anchor = anchorOf(heading);
    const before = this.#seen.get(anchor) ?? 0;
    this.#seen.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  }
}
