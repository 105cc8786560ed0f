/** Changes of workspaces' plans: each request once, and in the order in which they were signed. */

/** A change of plan. */
export interface PlanChange {
  workspace: string;
  plan: string;
  /** Unix seconds: when it was signed, or asked for by somebody who runs the deployment. */
  time: number;
  /** Of a billing system; missing: every request is one of its own, and comes after all before it. */
  request?: PlanRequest;
}

/** By what a request that comes again is known. */
export interface PlanRequest {
  /** The `Idempotency-Key`. */
  key: string;
  /** Hash of its body. */
  body: string;
}

/**
 * What became of it: the plan is changed; another was signed later and stays; the key came before with another body;
 * there is no such workspace. A request that comes again has the outcome that it had.
 */
export type PlanOutcome = "changed" | "outdated" | "reused" | "unknown";

/** Milliseconds for which a request is known again: billing systems repeat theirs for days. */
const requestLife = 30 * 86_400_000;

/** Runs in a transaction of the caller's. `now`: epoch ms. */
export function changePlan(sql: SqlStorage, change: PlanChange, now: number): PlanOutcome {
  const { workspace, request } = change;
  const [row] = sql.exec("SELECT plan_signed FROM workspaces WHERE id = ?", workspace).toArray();
  if (row === undefined) return "unknown";
  const known = request === undefined ? undefined : outcomeBefore(sql, workspace, request);
  if (known !== undefined) return known;
  const signed = Number(row["plan_signed"]);
  const outcome = request !== undefined && change.time < signed ? "outdated" : "changed";
  // A billing system's clock may be ahead: its time is not taken back.
  if (outcome === "changed") writePlan(sql, { ...change, time: Math.max(change.time, signed) });
  if (request !== undefined) keepOutcome(sql, { workspace, ...request, outcome }, now);
  return outcome;
}

function writePlan(sql: SqlStorage, { workspace, plan, time }: PlanChange): void {
  sql.exec(
    "UPDATE workspaces SET plan = ?, plan_change = plan_change + 1, plan_signed = ? WHERE id = ?",
    plan,
    time,
    workspace,
  );
}

function outcomeBefore(
  sql: SqlStorage,
  workspace: string,
  { key, body }: PlanRequest,
): PlanOutcome | undefined {
  const query = "SELECT body, outcome FROM plan_requests WHERE workspace = ? AND key = ?";
  const [row] = sql.exec(query, workspace, key).toArray();
  if (row === undefined) return undefined;
  if (row["body"] !== body) return "reused";
  return row["outcome"] === "changed" ? "changed" : "outdated";
}

function keepOutcome(
  sql: SqlStorage,
  { workspace, key, body, outcome }: PlanRequest & { workspace: string; outcome: PlanOutcome },
  now: number,
): void {
  sql.exec("DELETE FROM plan_requests WHERE at < ?", now - requestLife);
  sql.exec(
    "INSERT INTO plan_requests (workspace, key, body, outcome, at) VALUES (?, ?, ?, ?, ?)",
    workspace,
    key,
    body,
    outcome,
    now,
  );
}
