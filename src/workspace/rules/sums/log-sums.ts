/** Adds up rows of the request log by what the sums do not tell apart: keys, sessions, agents, roles, tags. */
import type { LogSumQuestion, SumRow } from "../../contract/reports.ts";
import type { RequestRecord } from "../../contract/request-record.ts";
import { bucketSpan } from "./bucket-span.ts";
import type { Calendar } from "./period.ts";
import { rollupsOf, timeOf } from "./rollup.ts";
import { addSumRow, addToSums, emptySumRow, inOrder, largestOf, othersJoined } from "./sum-rows.ts";

/** Groups that are told apart while rows are read, the newest first: clients choose their names. */
const mostNamed = 5000;
/** Groups of one answer. */
const mostGroups = 500;

/** The sum of the rows that it was given. Nothing of it is worked on as a whole: there may be many thousands of sums. */
export class LogSummary {
  readonly #question: LogSumQuestion;
  readonly #calendar: Calendar;
  /** How many requests each group has, refused ones included. */
  readonly #requests = new Map<string, number>();
  readonly #buckets = new Map<number, Map<string, SumRow>>();
  readonly #totals = new Map<string, SumRow>();
  readonly #names: Record<string, string> = {};

  constructor(question: LogSumQuestion, calendar: Calendar) {
    this.#question = question;
    this.#calendar = calendar;
  }

  /** Adds one request to each of its groups. */
  add(record: RequestRecord): void {
    const part = partOf(record);
    const time = timeOf(record, this.#question.from);
    const bucket = bucketSpan(this.#question, this.#calendar, time).start;
    addToSums(this.#totals, { ...part, bucket, group: "" });
    for (const group of groupsOf(record, this.#question))
      this.#addRow({ ...part, bucket, group: this.#named(group) });
    const { key_id: key, key_name: name } = record;
    if (this.#question.group === "key" && key !== undefined && name !== undefined)
      this.#names[key] ??= name;
  }

  /** All groups. */
  groups(): string[] {
    return [...this.#requests.keys()];
  }

  /** Names of keys by their ids, as rows have them. */
  names(): Readonly<Record<string, string>> {
    return this.#names;
  }

  /** Every request once, by bucket; oldest first. */
  totals(): SumRow[] {
    return [...this.#totals.values()].sort(inOrder);
  }

  /** Rows of the buckets from `after` on, oldest first, in whole buckets until they are `most`; where the next ones begin. */
  page({ after = -Infinity, most }: { after?: number | undefined; most: number }): {
    rows: SumRow[];
    next?: number;
  } {
    const named = largestOf(this.#requests, mostGroups);
    const rows: SumRow[] = [];
    const buckets = [...this.#buckets.keys()].filter((bucket) => bucket >= after);
    for (const bucket of buckets.sort((a, b) => a - b)) {
      if (rows.length >= most) return { rows, next: bucket };
      const found = othersJoined([...(this.#buckets.get(bucket)?.values() ?? [])], named);
      for (const row of found.toSorted(inOrder)) rows.push(row);
    }
    return { rows };
  }

  #addRow(row: SumRow): void {
    const { bucket, group } = row;
    let sums = this.#buckets.get(bucket);
    if (sums === undefined) this.#buckets.set(bucket, (sums = new Map()));
    addToSums(sums, row);
    const count = this.#requests.get(group) ?? 0;
    this.#requests.set(group, count + row.requests + (row.blocked ?? 0));
  }

  #named(group: string): string {
    const isKnown = this.#requests.has(group) || this.#requests.size < mostNamed;
    return isKnown ? group : "other";
  }
}

/** What one request counts for: the same as in the sums. */
function partOf(record: RequestRecord): Omit<SumRow, "bucket" | "group"> {
  const part = emptySumRow(0, "");
  for (const row of rollupsOf(record, 0))
    addSumRow(part, {
      ...row,
      input_tokens: row.input,
      cached_tokens: row.cached,
      output_tokens: row.output,
      first_bytes: row.firstBytes,
    });
  return part;
}

/** The groups of a request; the one without a name where it has none. */
function groupsOf(record: RequestRecord, { group, tagName }: LogSumQuestion): readonly string[] {
  switch (group) {
    case "key":
      return [record.key_id ?? ""];
    case "session":
      return [record.session_id ?? ""];
    case "agent":
      return [record.agent ?? ""];
    case "role":
      return [record.role ?? ""];
    case "tag":
      return tagsOf(record.tags ?? {}, tagName);
    default:
      return group satisfies never;
  }
}

function tagsOf(tags: Readonly<Record<string, string>>, name: string | undefined): string[] {
  if (name !== undefined) return [Object.hasOwn(tags, name) ? (tags[name] ?? "") : ""];
  const all = Object.entries(tags).map(([tag, value]) => `${tag}=${value}`);
  return all.length > 0 ? all : [""];
}
