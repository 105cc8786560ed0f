/** The order of the documentation's pages: as the index names them, then the rest. */

/** A page as it was written. */
export interface DocsSource {
  /** Its file's name without `.md`; empty for the index. */
  readonly page: string;
  readonly title: string;
  readonly text: string;
}

/** The index first, then the pages as it links to them, then all others by folder and title. */
export function orderedPages(sources: readonly DocsSource[]): DocsSource[] {
  const index = sources.find(({ page }) => page === "");
  const linked = [...(index?.text ?? "").matchAll(/\]\(([\w/-]+)\.md[)#]/g)].map(
    ([, page = ""]) => page,
  );
  const places = new Map(linked.toReversed().map((page, i) => [page, linked.length - i]));
  const placeOf = ({ page }: DocsSource): number =>
    page === "" ? 0 : (places.get(page) ?? linked.length + 1);
  return [...sources].sort((a, b) => placeOf(a) - placeOf(b) || (a.page < b.page ? -1 : 1));
}
