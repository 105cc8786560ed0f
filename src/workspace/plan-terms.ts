/** What the workspace's plan and its own quota come to: quota, throttle and how long things are kept. */
import { limitsUnder } from "../policy/choose.ts";
import type { Limits } from "../policy/limits.ts";
import type { Env } from "../store/env.ts";
import { type WorkspacePlan, planNamed } from "../store/plans.ts";
import { withLimits, type WorkspaceState } from "./rules/state.ts";
import { readQuota, writeQuota } from "./storage/document.ts";
import { readPlan, type StoredPlan, writePlan } from "./storage/plan.ts";

/** Knows the plan's name and reads its numbers from the settings, so that changed settings hold at once. */
export class PlanTerms {
  readonly #sql: SqlStorage;
  readonly #env: Env;
  #stored: StoredPlan;
  #quota: number | null;

  constructor(sql: SqlStorage, env: Env) {
    this.#sql = sql;
    this.#env = env;
    this.#stored = readPlan(sql);
    this.#quota = readQuota(sql);
  }

  get plan(): WorkspacePlan {
    return planNamed(this.#env, this.#stored.name);
  }

  get limits(): Limits {
    return limitsUnder(this.#env, this.plan);
  }

  /** Puts them in force. */
  govern(state: WorkspaceState): void {
    state.monthlyRequests = this.#quota ?? this.plan.monthly_requests;
    withLimits(state, this.limits);
  }

  /** Requests a month; null: as many as the plan says. */
  setQuota(monthlyRequests: number | null): void {
    writeQuota(this.#sql, monthlyRequests);
    this.#quota = monthlyRequests;
  }

  /** Changes nothing where a later change was told already. */
  setPlan(plan: StoredPlan): void {
    if (plan.change < this.#stored.change) return;
    writePlan(this.#sql, plan);
    this.#stored = plan;
  }
}
