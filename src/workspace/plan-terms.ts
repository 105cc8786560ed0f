/** What the workspace's plan and its own quota come to: quota, throttle and how long things are kept. */
import { limitsUnder } from "../policy/choose.ts";
import type { Limits } from "../policy/limits.ts";
import type { Env } from "../store/env.ts";
import { type WorkspacePlan, planNamed } from "../store/plans.ts";
import type { AuditLog } from "./audit-log.ts";
import type { Actor } from "./contract/audit.ts";
import { withLimits, type WorkspaceState } from "./rules/state.ts";
import { readQuota, writeQuota } from "./storage/tables/document.ts";
import { readPlan, type StoredPlan, writePlan } from "./storage/tables/plan.ts";

/** What changing the terms reads and writes. */
export interface PlanTermsContext {
  /** Its id. */
  workspace: string;
  storage: DurableObjectStorage;
  env: Env;
  audit: AuditLog;
}

/** Knows the plan's name and reads its numbers from the settings, so that changed settings hold at once. */
export class PlanTerms {
  readonly #context: PlanTermsContext;
  #stored: StoredPlan;
  #quota: number | null;

  constructor(context: PlanTermsContext) {
    this.#context = context;
    this.#stored = readPlan(context.storage.sql);
    this.#quota = readQuota(context.storage.sql);
  }

  get plan(): WorkspacePlan {
    return planNamed(this.#context.env, this.#stored.name);
  }

  get limits(): Limits {
    return limitsUnder(this.#context.env, this.plan);
  }

  /** Puts them in force. */
  govern(state: WorkspaceState): void {
    state.monthlyRequests = this.#quota ?? this.plan.monthly_requests;
    withLimits(state, this.limits);
  }

  /** Requests a month; null: as many as the plan says. */
  setQuota(monthlyRequests: number | null, by: Actor | undefined): void {
    const { workspace, storage, audit } = this.#context;
    const before = { monthly_requests: this.#quota };
    if (before.monthly_requests === monthlyRequests) return;
    storage.transactionSync(() => {
      writeQuota(storage.sql, monthlyRequests);
      const after = { monthly_requests: monthlyRequests };
      audit.note(by, { action: "quota.changed", target: workspace, before, after });
    });
    this.#quota = monthlyRequests;
  }

  /** Changes nothing where a later change was told already. */
  setPlan(plan: StoredPlan, by: Actor | undefined): void {
    const { workspace, storage, audit } = this.#context;
    if (plan.change < this.#stored.change) return;
    const [before, after] = [{ plan: this.#stored.name }, { plan: plan.name }];
    storage.transactionSync(() => {
      writePlan(storage.sql, plan);
      if (before.plan !== after.plan)
        audit.note(by, { action: "plan.changed", target: workspace, before, after });
    });
    this.#stored = plan;
  }
}
