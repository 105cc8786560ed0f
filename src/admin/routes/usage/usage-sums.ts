/** Sums of what the caller may see, page by page: neither side of a call holds more than it writes or shows at once. */
import { invalid } from "../../../core/problem.ts";
import {
  logGroups,
  type LogSumQuestion,
  type LogSums,
  type SumPage,
  type SumQuestion,
  type SumRow,
} from "../../../workspace/contract/reports.ts";
import { personNode } from "../../../workspace/rules/nodes.ts";
import { bucketLength, bucketOf } from "../../../workspace/rules/sums/rollup.ts";
import { largestGroups, othersJoined, withOther } from "../../../workspace/rules/sums/sum-rows.ts";
import { ownOnly } from "../../shared/caller.ts";
import { type AdminScope, askNewMethod } from "../../shared/scope.ts";

const day = 86_400_000;
/** Groups of one answer. */
const mostGroups = 500;
/** Rows of one page: what is read, sent and taken in within a millisecond or two. */
const pageRows = 200;
/** Buckets up to which a report is read before it is written: its rows tell which groups are the largest. */
const mostBuckets = 100;

/** By what sums are kept. */
export const sumGroups = ["model", "harness", "provider", "tier"] as const;

/** What is asked for. */
interface AskedUsage {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly by: "quarter" | "hour" | "day";
  readonly group: SumQuestion["group"] | LogSumQuestion["group"];
  /** With `group` tag: by the values of this tag. */
  readonly tag_name?: string | undefined;
}

/** Rows by bucket and group as they are read, and what is known beside them. */
interface UsageSums {
  /** Oldest first. */
  readonly pages: AsyncIterable<readonly SumRow[]>;
  /** Every request once, by bucket; missing: the rows add up to it. */
  readonly totals?: readonly SumRow[];
  /** Of keys, by their ids. */
  readonly names: Readonly<Record<string, string>>;
  /** Requests that began earlier may be missing, epoch ms; null: none is. */
  readonly completeFrom: number | null;
}

/** Begins to read; throws where that fails. Groups beyond the 500 with the most requests are `other`. */
export async function readUsageSums(scope: AdminScope, query: AskedUsage): Promise<UsageSums> {
  const group = sumGroups.find((name) => name === query.group);
  if (group === undefined) return await readLog(scope, query);
  const question = { ...spanOf(query), ...lengthOf(query), group, times: true } as const;
  const pages = await readSums(scope, question, query.by);
  return { pages, names: {}, completeFrom: null };
}

/** Sums of the whole span by group; the last day unless `from` says otherwise. */
export async function spanSums(
  scope: AdminScope,
  { from, to, group }: Pick<AskedUsage, "from" | "to"> & Pick<SumQuestion, "group">,
): Promise<SumRow[]> {
  const span = spanOf({ from, to, by: "hour" });
  return await all(callersSums(scope, { ...span, group, by: "span", times: true }));
}

/** What each model served for each harness and tier; undefined where the object cannot say it yet. */
export async function choiceSums(
  scope: AdminScope,
  { from, to }: Pick<AskedUsage, "from" | "to">,
): Promise<SumRow[] | undefined> {
  const span = { ...spanOf({ from, to, by: "hour" }), times: true } as const;
  return await askNewMethod<SumRow[] | undefined>(
    scope,
    (stub) => stub.choiceSums(span),
    async () => undefined,
  );
}

async function readSums(
  scope: AdminScope,
  question: SumQuestion,
  by: AskedUsage["by"],
): Promise<AsyncIterable<readonly SumRow[]>> {
  const length = { quarter: bucketLength, hour: 4 * bucketLength, day }[by];
  if ((question.to - question.from) / length <= mostBuckets)
    return onePage(withOther(await all(callersSums(scope, question)), mostGroups));
  const { from, to, group } = question;
  const inAll = await all(callersSums(scope, { from, to, group, by: "span" }));
  const named = largestGroups(inAll, mostGroups);
  return (async function* () {
    for await (const page of callersSums(scope, question)) yield othersJoined(page, named);
  })();
}

async function readLog(scope: AdminScope, query: AskedUsage): Promise<UsageSums> {
  const group = logGroups.find((name) => name === query.group) ?? "key";
  const person = ownOnly(scope.caller);
  const question: LogSumQuestion = {
    ...spanOf(query),
    ...lengthOf(query),
    group,
    ...(query.tag_name !== undefined && { tagName: query.tag_name }),
    ...(person !== undefined && { person }),
  };
  const { rows, next, ...rest } = await logPage(scope, question);
  return { pages: logPages(scope, question, { rows, next }), ...rest };
}

async function logPage(scope: AdminScope, question: LogSumQuestion): Promise<LogSums> {
  const ask = { ...question, most: pageRows };
  return await askNewMethod<LogSums>(
    scope,
    (stub) => stub.logSums(ask),
    async () => ({ rows: [], totals: [], names: {}, completeFrom: question.to }),
  );
}

async function* logPages(
  scope: AdminScope,
  question: LogSumQuestion,
  first: { readonly rows: SumRow[]; readonly next: number | undefined },
): AsyncGenerator<readonly SumRow[]> {
  yield first.rows;
  for (let after = first.next; after !== undefined;) {
    const page: LogSums = await logPage(scope, { ...question, after });
    yield page.rows;
    after = page.next;
  }
}

function lengthOf({ by }: AskedUsage): Pick<SumQuestion, "by"> {
  return by === "quarter" ? {} : { by };
}

/** Of a member what their own keys used. */
function callersSums(scope: AdminScope, question: SumQuestion): AsyncGenerator<SumRow[]> {
  const own = ownOnly(scope.caller);
  return sumPages(scope, { ...question, ...(own !== undefined && { holder: personNode(own) }) });
}

/** Every row that answers the question, oldest first; a page is read when it is asked for. */
export async function* sumPages(
  scope: Pick<AdminScope, "env" | "workspace">,
  question: SumQuestion,
): AsyncGenerator<SumRow[]> {
  for (let from: number | null = question.from; from !== null;) {
    const ask: SumQuestion = { ...question, from, most: pageRows };
    const page: SumPage = await askNewMethod(
      scope,
      (stub) => stub.pageSums(ask),
      async (stub) => ({ rows: await stub.sums(ask), next: null }),
    );
    yield page.rows;
    from = page.next;
  }
}

async function all(pages: AsyncIterable<readonly SumRow[]>): Promise<SumRow[]> {
  const rows: SumRow[] = [];
  for await (const page of pages) for (const row of page) rows.push(row);
  return rows;
}

/** One page. */
export async function* onePage<Value>(page: readonly Value[]): AsyncGenerator<readonly Value[]> {
  yield page;
}

function spanOf({ from: begin, to: end, by }: Pick<AskedUsage, "from" | "to" | "by">) {
  const now = Date.now();
  const to = end === undefined ? now : Date.parse(end);
  const from = begin === undefined ? now - (by === "day" ? 30 * day : day) : Date.parse(begin);
  if (to < from) throw invalid("to", "is before from");
  return { from: bucketOf(from), to: bucketOf(to - 1) + bucketLength };
}
