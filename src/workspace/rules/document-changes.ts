/** What differs between two documents, as people read it: paths with before and after, secrets masked, bounded. */
import { isObject } from "../../lib/json.ts";
import type { Config } from "../../store/config.ts";
import { pathText } from "../../store/document.ts";
import { maskedConfig } from "../../store/secrets.ts";
import type { DocumentChange, DocumentChanges } from "../contract/audit.ts";

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

function compare(place: Place, found: DocumentChange[]): void {
  const { stored, shown, path } = place;
  const members = membersOf(stored);
  if (members === undefined) {
    if (!isSame(stored)) found.push(changeAt(path, shown));
    return;
  }
  for (const name of new Set([...members.before.keys(), ...members.after.keys()])) {
    const both = { before: members.before.get(name), after: members.after.get(name) };
    const seen = { before: memberOf(shown.before, name), after: memberOf(shown.after, name) };
    compare({ path: [...path, name], stored: both, shown: seen }, found);
  }
  const order = orderOf(stored);
  if (order !== undefined) found.push(changeAt(path, order));
}

/** Members by name, or entries by id, where both sides have them; undefined where they are compared as wholes. */
function membersOf({ before, after }: Pair) {
  const [old, young] = [membersByName(before), membersByName(after)];
  const alike = Array.isArray(before) === Array.isArray(after);
  return old === undefined || young === undefined || !alike
    ? undefined
    : { before: old, after: young };
}

function membersByName(value: unknown): Map<string, unknown> | undefined {
  if (isObject(value)) return new Map(Object.entries(value));
  if (!Array.isArray(value)) return undefined;
  const entries = value.map((entry: unknown) => [idOf(entry), entry] as const);
  const named = new Map(entries.flatMap(([id, entry]) => (id === undefined ? [] : [[id, entry]])));
  return named.size === entries.length ? named : undefined;
}

function idOf(entry: unknown): string | undefined {
  return isObject(entry) && typeof entry["id"] === "string" ? entry["id"] : undefined;
}

function memberOf(value: unknown, name: string): unknown {
  return membersByName(value)?.get(name);
}

/** The ids of two lists whose common entries changed places. */
function orderOf({ before, after }: Pair): Pair | undefined {
  if (!Array.isArray(before) || !Array.isArray(after)) return undefined;
  const [old, young] = [before.map(idOf), after.map(idOf)];

  const common = {
    before: old.filter((id) => young.includes(id)),
    after: young.filter((id) => old.includes(id)),
  };
  return isSame(common) ? undefined : { before: old, after: young };
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
