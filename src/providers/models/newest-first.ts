/** The order in which models are offered for a choice. */
import { rowFor, tableOf } from "../catalogue/table.ts";
import { recordFor, type ListedModel } from "../connection/connection.ts";

/**
 * Those with a date by it, the newest first; then the others by the version in their names, the highest first; then in
 * the catalogue's order, then in their own.
 */
export function newestFirst(models: readonly ListedModel[]): readonly ListedModel[] {
  return models.toSorted((a, b) => {
    const { created: left } = a.info;
    const { created: right } = b.info;
    if (left !== undefined || right !== undefined) return (right ?? 0) - (left ?? 0);
    const byVersion = versionOf(b.info.id) - versionOf(a.info.id);
    return byVersion === 0 ? placeOf(a) - placeOf(b) : byVersion;
  });
}

/** `2.5`, `4-5`, `3`: the first short number that is neither part of a longer one nor a size such as `27b`. */
const version = /(?<![\d.])(\d{1,2})(?:[.-](\d{1,2}))?(?![\d.]*[bkm]\b|\d)/i;

/** Below every version where the name has none. */
function versionOf(id: string): number {
  const [, major, minor = "0"] = version.exec(id) ?? [];
  return major === undefined ? -1 : Number(major) * 100 + Number(minor);
}

/** Behind all that the catalogue knows. */
const last = Number.MAX_SAFE_INTEGER;

function placeOf({ connection, info }: ListedModel): number {
  const { source } = recordFor(connection);
  const row = source === undefined ? undefined : rowFor(source, info.id);
  if (source === undefined || row === undefined) return last;
  return placesIn(source).get(row.id) ?? last;
}

const places = new Map<string, ReadonlyMap<string, number>>();

function placesIn(source: string): ReadonlyMap<string, number> {
  let known = places.get(source);
  if (known === undefined) {
    known = new Map(tableOf(source).map(({ id }, place) => [id, place]));
    places.set(source, known);
  }
  return known;
}
