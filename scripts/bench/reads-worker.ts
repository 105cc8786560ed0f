/** The gateway, with workspaces that can be filled with what a busy month leaves behind. */
import gateway, { WorkspaceObject as Served } from "../../src/worker.ts";
import type { Env } from "../../src/store/env.ts";
import type { RequestRecord } from "../../src/workspace/contract/request-record.ts";
import { histogramOf } from "../../src/workspace/rules/sums/histogram.ts";
import { calendarOf } from "../../src/workspace/rules/sums/period.ts";
import { bucketOf, emptyRow } from "../../src/workspace/rules/sums/rollup.ts";
import { dayLength, firstMarks, hourLength } from "../../src/workspace/rules/sums/sum-levels.ts";
import { foldSlice } from "../../src/workspace/storage/folding.ts";
import { appendRow } from "../../src/workspace/storage/tables/request-log.ts";
import { addSums, readMarks } from "../../src/workspace/storage/tables/sums.ts";

export { DirectoryObject, IpObject } from "../../src/worker.ts";

/** How much a workspace is filled with. */
export interface Filling {
  readonly days: number;
  readonly models: number;
  readonly harnesses: number;
  /** Of the request log. */
  readonly rows: number;
  /** Characters of each row's texts. */
  readonly texts: number;
}

/** The object that is served, and its filling. */
export class WorkspaceObject extends Served {
  /** Writes sums of every hour, folded as upkeep does it, and a full log; rows of sums in all. */
  fill(filling: Filling): number {
    const { storage } = this.ctx;
    const now = Date.now();
    let written = 0;
    storage.transactionSync(() => {
      written = fillSums(storage.sql, filling, now);
    });
    storage.transactionSync(() => fillLog(storage.sql, filling, now));
    // What is in memory knows nothing of it.
    setTimeout(() => this.ctx.abort("the workspace was filled"), 50);
    return written;
  }
}

function fillSums(sql: SqlStorage, { days, models, harnesses }: Filling, now: number): number {
  const calendar = calendarOf("UTC");
  const marks = readMarks(sql) ?? firstMarks(now);
  let written = 0;
  for (let at = now - days * dayLength; at < now; at += hourLength) {
    for (let place = 0; place < models * harnesses; place += 1) {
      const names = { model: `lab/m${place % models}`, harness: `h${place % harnesses}`, tier: "" };
      const row = emptyRow({ bucket: bucketOf(at), ...names });
      const first = `${histogramOf(200 + place)}${histogramOf(900)}`;
      addSums(sql, { ...row, requests: 3, input: 900, output: 400, cost: 5e9, firstBytes: first });
      written += 1;
    }
  }
  const context = { sql, marks, calendar, now, forgetBefore: 0 };
  for (let more = true; more;) more = foldSlice(context);
  return written;
}

function fillLog(sql: SqlStorage, { days, rows, texts }: Filling, now: number): void {
  for (let seq = 1; seq <= rows; seq += 1) {
    const time = now - Math.floor(((rows - seq) / rows) * days * dayLength);
    appendRow(sql, { seq, record: recordOf(seq, new Date(time).toISOString(), texts) });
  }
}

function recordOf(seq: number, time: string, texts: number): RequestRecord {
  const usage = {
    input_tokens: 300,
    cached_tokens: 100,
    cache_write_tokens: 0,
    output_tokens: 200,
    reasoning_tokens: 0,
    estimated: false,
  };
  const model = `lab/m${seq % 100}`;
  return {
    id: `req_${seq}`,
    time,
    harness: `h${seq % 2}`,
    key_id: `key_${seq % 20}`,
    session_id: `session-${seq % 300}`,
    tags: { team: `t${seq % 8}` },
    format: "chat",
    requested_model: "auto",
    tier: "standard",
    reason: "tier=standard; by=scorer",
    confidence: 0.8,
    attempts: [{ model, status: 200, ms: 900, usage, cost: 0.003, outcome: "ok" }],
    model,
    provider: "lab",
    status: 200,
    outcome: "ok",
    stream: true,
    usage,
    cost: 0.003,
    dropped: [],
    first_byte_ms: 200 + (seq % 700),
    total_ms: 2000,
    error: null,
    ...(texts > 0 && {
      text: { request: wordsOf(seq, texts / 2), answer: wordsOf(7 * seq, texts / 2) },
    }),
  };
}

function wordsOf(seed: number, length: number): string {
  return `word ${seed} and another, `.repeat(Math.ceil(length / 20)).slice(0, length);
}

export default {
  async fetch(request: Request, env: Env, context: ExecutionContext): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname !== "/fill") return await gateway.fetch(request, env, context);
    const workspace = searchParams.get("workspace") ?? "";
    const filling = await request.json<Filling>();
    // The binding names the class above.
    const object = env.WORKSPACE.get(env.WORKSPACE.idFromName(workspace)) as unknown as {
      fill(filling: Filling): Promise<number>;
    };
    return Response.json({ rows: await object.fill(filling) });
  },
};
