/** What a search finds among named things, best first. Pure. */
import type { Theme } from "../../shared/page-context.ts";

/** Something that the search can find: a place to go to, or a theme to choose. */
export type SearchEntry = { readonly kind: string; readonly label: string } & (
  | { readonly href: string }
  | { readonly theme: Theme }
);

/** The best of the entries that hold every word, in any letter case; without words the first ones. */
export function bestMatches(
  entries: readonly SearchEntry[],
  text: string,
  most: number,
): SearchEntry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = entries.flatMap((entry) => {
    const rank = rankOf(entry, words);
    return rank === undefined ? [] : [{ entry, rank }];
  });
  // Stable: what ranks alike stays in the order of the kinds.
  return found
    .toSorted((left, right) => left.rank - right.rank)
    .slice(0, most)
    .map(({ entry }) => entry);
}

/** 0 where the label begins with the first word, 1 where one of its words does, 2 elsewhere; undefined: no match. */
function rankOf({ kind, label }: SearchEntry, words: readonly string[]): number | undefined {
  const text = label.toLowerCase();
  const all = `${text} ${kind.toLowerCase()}`;
  if (!words.every((word) => all.includes(word))) return undefined;
  const [first = ""] = words;
  if (text.startsWith(first)) return 0;
  return text.split(/[^a-z0-9]+/).some((word) => word.startsWith(first)) ? 1 : 2;
}
