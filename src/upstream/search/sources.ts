/** What of the pages that a search found is handed on. */
import type { WebSource } from "../../core/web-search.ts";

/** Sources of a search that are handed on, and characters of an address and of a title. */
const mostSources = 20;
const longestUrl = 2_000;
const longestTitle = 300;

/** Pages of the web alone, each once, in the order in which they were found. */
export function handedOn(found: readonly WebSource[]): WebSource[] {
  return uniqueSources(found.filter(isPage)).slice(0, mostSources).map(onOneLine);
}

/** Clients make links of addresses: nothing but a page of the web may stand there. */
function isPage({ url }: WebSource): boolean {
  return url.length <= longestUrl && /^https?:\/\/[^\s\p{Cc}]+$/iu.test(url) && URL.canParse(url);
}

/** A title could else pretend to be another source. */
function onOneLine({ title, ...source }: WebSource): WebSource {
  if (title === undefined) return source;
  const line = title.slice(0, longestTitle).replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
  return { ...source, title: line.toWellFormed() };
}

/** One for each page; what a later mention adds is kept. */
function uniqueSources(sources: readonly WebSource[]): WebSource[] {
  const byUrl = new Map<string, WebSource>();
  for (const source of sources) byUrl.set(source.url, { ...source, ...byUrl.get(source.url) });
  return [...byUrl.values()];
}
