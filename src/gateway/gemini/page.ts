/** Pages of a list: how many entries a request wants, and from where on. */
import { invalid } from "../../core/problem.ts";
import { base64url, fromBase64url } from "../../lib/ids.ts";

/** Most entries of a page, and those of one that says nothing. */
const mostEntries = 1000;

/** A part of a list, and the token of the next one, unless this is the last. */
export interface EntryPage<Entry> {
  readonly entries: readonly Entry[];
  readonly next?: string;
}

/** The page that a query requests. Throws M300 for an invalid size or token. */
export function listPage<Entry>(all: readonly Entry[], query: URLSearchParams): EntryPage<Entry> {
  const size = sizeOf(query.get("pageSize") ?? "0");
  const from = startOf(query.get("pageToken") ?? "");
  const entries = all.slice(from, from + size);
  const next = from + size;
  return next < all.length ? { entries, next: tokenOf(next) } : { entries };
}

function sizeOf(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw invalid("pageSize", "must be a whole number of at least 0");
  const size = Number(text);
  return size === 0 ? mostEntries : Math.min(size, mostEntries);
}

function tokenOf(place: number): string {
  return base64url(new TextEncoder().encode(`from:${place}`));
}

function startOf(token: string): number {
  if (token === "") return 0;
  const bytes = fromBase64url(token);
  const place = bytes && /^from:(\d{1,9})$/.exec(new TextDecoder().decode(bytes))?.[1];
  if (place === undefined) throw invalid("pageToken", "must be a nextPageToken of this list");
  return Number(place);
}
