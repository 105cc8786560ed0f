/** The table of sums by quarter of an hour, harness, tier and model: the one source of what was spent. */
import type { SumQuestion, SumRow } from "../contract/reports.ts";
import type { RollupRow } from "../rules/rollup.ts";
import type { Amount } from "../rules/spend.ts";

/** Sums older than this are forgotten, in ms: thirteen months and a bit. */
export const keptSums = 400 * 86_400_000;

/** Adds the row to what stands there. */
export function addSums(sql: SqlStorage, row: RollupRow): void {
  sql.exec(
    `INSERT INTO rollups (bucket, harness, tier, model, requests, errors,
       input, cached, cache_write, output, reasoning, cost)
     VALUES (?,?,?,?,?,?,?,?,?,?,?,?)
     ON CONFLICT (bucket, harness, tier, model) DO UPDATE SET
       requests = requests + excluded.requests, errors = errors + excluded.errors,
       input = input + excluded.input, cached = cached + excluded.cached,
       cache_write = cache_write + excluded.cache_write, output = output + excluded.output,
       reasoning = reasoning + excluded.reasoning, cost = cost + excluded.cost`,
    row.bucket,
    row.harness,
    row.tier,
    row.model,
    row.requests,
    row.errors,
    row.input,
    row.cached,
    row.cacheWrite,
    row.output,
    row.reasoning,
    row.cost,
  );
}

/** Forgets the sums that are too old. */
export function trimSums(sql: SqlStorage, now: number): void {
  sql.exec("DELETE FROM rollups WHERE bucket < ?", now - keptSums);
}

/** What every harness has spent since that instant. */
export function spentSince(sql: SqlStorage, since: number): Map<string, Amount> {
  const rows = sql.exec(
    `SELECT harness, SUM(cost) AS cost, SUM(input + output) AS tokens, SUM(requests) AS requests
     FROM rollups WHERE bucket >= ? GROUP BY harness`,
    since,
  );
  const sums = new Map<string, Amount>();
  for (const row of rows) {
    sums.set(String(row["harness"]), {
      cost: Number(row["cost"]),
      tokens: Number(row["tokens"]),
      requests: Number(row["requests"]),
    });
  }
  return sums;
}

/** Sums of one quarter of an hour and group each, oldest first. */
export function listSums(sql: SqlStorage, { from, to, group }: SumQuestion): SumRow[] {
  const column = {
    model: "model",
    harness: "harness",
    tier: "tier",
    provider:
      "CASE WHEN instr(model, '/') > 0 THEN substr(model, 1, instr(model, '/') - 1) ELSE model END",
  }[group];
  const rows = sql.exec(
    `SELECT bucket, ${column} AS name, SUM(requests) AS requests, SUM(errors) AS errors, SUM(input) AS input,
       SUM(cached) AS cached, SUM(output) AS output, SUM(cost) AS cost
     FROM rollups WHERE bucket >= ? AND bucket < ? GROUP BY bucket, name ORDER BY bucket, name`,
    from,
    to,
  );
  return [...rows].map((row) => ({
    bucket: Number(row["bucket"]),
    group: String(row["name"]),
    requests: Number(row["requests"]),
    errors: Number(row["errors"]),
    input_tokens: Number(row["input"]),
    cached_tokens: Number(row["cached"]),
    output_tokens: Number(row["output"]),
    cost: Number(row["cost"]),
  }));
}
