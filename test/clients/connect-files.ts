/** Files of a home before `gateway connect`, with what it wrote, behind the program, and after `gateway disconnect`. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { textEditors, type TextFormat } from "../../scripts/cli/files/formats.ts";
import type { MemberValue } from "../../scripts/cli/files/member.ts";

/** Bytes by the name below the home. */
type Snapshot = ReadonlyMap<string, Buffer>;

/** One of each moment. */
export interface Snapshots {
  readonly before: Snapshot;
  readonly written: Snapshot;
  /** As the program left them. */
  readonly left: Snapshot;
  readonly after: Snapshot;
}

/** Where nothing lies that `gateway connect` changes for a client. */
const others = /^(?:work|\.cache|\.npm|\.local)(?:\/|$)/;

/** All small files of a home that may be configuration. */
export function filesBelow(home: string): Snapshot {
  const entries = readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(home, path.join(entry.parentPath, entry.name)))
    .filter((name) => !others.test(name));
  return new Map(entries.map((name) => [name, readFileSync(path.join(home, name))]));
}

/** What is not as it has to be again. `ours`: texts that must stand nowhere. */
export function unlikeBefore(moments: Snapshots, ours: readonly string[]): string[] {
  const { before, written, left, after } = moments;
  const touchedByUs = [...written].filter(([name, bytes]) => !isSame(before.get(name), bytes));
  if (touchedByUs.length === 0) return ["connect wrote nothing"];
  return touchedByUs.flatMap(([name, bytes]) => {
    const now = after.get(name);
    const stayed = ours.filter((text) => now?.includes(text) === true);
    const wrong = isSame(left.get(name), bytes)
      ? !isSame(before.get(name), now)
      : !isTheirsAlone(name, moments);
    return [
      ...stayed.map(() => `what connect wrote stayed in ${name}`),
      ...(wrong ? [`${name} is not as it was: ${String(now)}`] : []),
    ];
  });
}

/** Where the program wrote too: what we replaced is back, what we added is gone, and everything of theirs is there. */
function isTheirsAlone(name: string, { before, written, left, after }: Snapshots): boolean {
  const [old, ours, theirs] = [before, written, left].map((files) =>
    valuesOf(name, files.get(name)),
  );
  const wanted = new Map(theirs);
  for (const [place, value] of ours ?? []) {
    const was = old?.get(place);
    if (value === was || theirs?.get(place) !== value) continue;
    if (was === undefined) wanted.delete(place);
    else wanted.set(place, was);
  }
  // Cline renews the time of an entry: of ours, nothing else is left.
  for (const place of [...wanted.keys()].filter((one) => one.endsWith(" updatedAt"))) {
    const entry = place.slice(0, place.lastIndexOf(" ") + 1);
    const alone = [...wanted.keys()].every((one) => one === place || !one.startsWith(entry));
    if (alone && ours?.has(place) === true && old?.has(place) !== true) wanted.delete(place);
  }
  const now = valuesOf(name, after.get(name));
  return (
    now.size === wanted.size && [...now].every(([place, value]) => wanted.get(place) === value)
  );
}

/** Values that are no objects, by their places. */
function valuesOf(name: string, bytes: Buffer | undefined): Map<string, string> {
  const format = formats[path.extname(name) === "" ? path.basename(name) : path.extname(name)];
  if (format === undefined) throw new Error(`${name} is in no format that could be compared`);
  return new Map(leaves(textEditors[format].read(bytes?.toString() ?? ""), []));
}

const formats: Readonly<Record<string, TextFormat>> = {
  ".json": "json",
  ".toml": "toml",
  ".yaml": "yaml",
  ".env": "environment",
};

function leaves(value: MemberValue, place: readonly string[]): [string, string][] {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return [[place.join(" "), JSON.stringify(value)]];
  return Object.entries(value).flatMap(([name, one]) => leaves(one, [...place, name]));
}

function isSame(one: Buffer | undefined, other: Buffer | undefined): boolean {
  return one === undefined || other === undefined ? one === other : one.equals(other);
}
