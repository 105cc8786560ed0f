/** What differs between two documents, as people read it: paths with before and after, secrets masked, bounded. */
import { isObject } from "../../../lib/json.ts";
import type { Config } from "../../../store/config.ts";
import { pathText } from "../../../store/document.ts";
import { maskedConfig } from "../../../store/secrets.ts";
import type { DocumentChange, DocumentChanges } from "../../contract/audit.ts";

/** Differences that are listed. */
const mostChanges = 200;
/** Characters of all of them as JSON text. */
const longestList = 64 * 1024;
/** Characters of one value as JSON text. */
const longestValue = 2000;

/** Both as stored, so that a secret that was replaced shows as a change from `***` to `***`. */
export function documentChanges(before: Config, after: Config): DocumentChanges {
  const found: DocumentChange[] = [];
  const shown = { before: maskedConfig(before), after: maskedConfig(after) };
  compare({ path: [], stored: { before, after }, shown }, found);
  return bounded(found);
}

interface Pair {
  readonly before: unknown;
  readonly after: unknown;
}

/** One place in both documents. */
interface Place {
  readonly path: readonly string[];
  readonly stored: Pair;
  readonly shown: Pair;
}

function compare({ path, shown, ...place }: Place, found: DocumentChange[]): void {
  const stored = withEmptyList(path, place.stored);
  const members = membersOf(stored);
  if (members === undefined) {
    if (!isSame(stored)) found.push(changeAt(path, shown));
    return;
  }
  const masked = { before: membersByName(shown.before), after: membersByName(shown.after) };
  for (const name of new Set([...members.before.keys(), ...members.after.keys()])) {
    const both = { before: members.before.get(name), after: members.after.get(name) };
    const seen = { before: masked.before?.get(name), after: masked.after?.get(name) };
    compare({ path: [...path, name], stored: both, shown: seen }, found);
  }
  const order = Array.isArray(stored.before) ? orderOf(members) : undefined;
  if (order !== undefined) found.push(changeAt(path, order));
}

/** Lists whose entries are named one by one, also where all of them come or go. */
const entryLists: ReadonlySet<string | undefined> = new Set(["providers", "harnesses"]);

function withEmptyList(path: readonly string[], pair: Pair): Pair {
  if (path.length !== 1 || !entryLists.has(path[0])) return pair;
  const { before, after } = pair;
  if (before === undefined && hasEntries(after)) return { before: [], after };
  return after === undefined && hasEntries(before) ? { before, after: [] } : pair;
}

function hasEntries(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

interface Members {
  readonly before: ReadonlyMap<string, unknown>;
  readonly after: ReadonlyMap<string, unknown>;
}

/** Members by name, or entries by id, where both sides have them; undefined where they are compared as wholes. */
function membersOf({ before, after }: Pair): Members | undefined {
  if (Array.isArray(before) !== Array.isArray(after)) return undefined;
  const [old, young] = [membersByName(before), membersByName(after)];
  return old === undefined || young === undefined ? undefined : { before: old, after: young };
}

function membersByName(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (isObject(value)) return new Map(Object.entries(value));
  if (!Array.isArray(value)) return undefined;
  const entries = value.map((entry: unknown) => [idOf(entry), entry] as const);
  const named = new Map(entries.flatMap(([id, entry]) => (id === undefined ? [] : [[id, entry]])));
  return named.size === entries.length ? named : undefined;
}

function idOf(entry: unknown): string | undefined {
  return isObject(entry) && typeof entry["id"] === "string" ? entry["id"] : undefined;
}

/** The ids of two lists whose common entries changed places. */
function orderOf({ before, after }: Members): Pair | undefined {
  const [old, young] = [[...before.keys()], [...after.keys()]];
  const stayed = old.filter((id) => after.has(id));
  const left = young.filter((id) => before.has(id));
  return isSame({ before: stayed, after: left }) ? undefined : { before: old, after: young };
}

function isSame({ before, after }: Pair): boolean {
  return before === after || JSON.stringify(before) === JSON.stringify(after);
}

function changeAt(path: readonly string[], { before, after }: Pair): DocumentChange {
  return {
    path: pathText(path),
    ...(before !== undefined && { before: cut(before) }),
    ...(after !== undefined && { after: cut(after) }),
  };
}

/** A long value as the beginning of its JSON text. */
function cut(value: unknown): unknown {
  const text = JSON.stringify(value);
  if (text.length <= longestValue) return value;
  return `${text.slice(0, longestValue).toWellFormed()}… (${text.length} characters)`;
}

function bounded(found: readonly DocumentChange[]): DocumentChanges {
  const changes: DocumentChange[] = [];
  let length = 0;
  for (const change of found.slice(0, mostChanges)) {
    length += JSON.stringify(change).length;
    if (length > longestList) break;
    changes.push(change);
  }
  return { changes, more: found.length - changes.length };
}
