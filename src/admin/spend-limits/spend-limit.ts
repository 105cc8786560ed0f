/** Limits of money as the spend limits' API names them, and what stands for them in a workspace. */
import type { LimitEntry } from "../../store/config.ts";
import { hashKey } from "../../store/keys.ts";

/** The periods that the API knows, by the workspace's names of them. */
export const spendPeriods = { day: "daily", week: "weekly", month: "monthly" } as const;
/** One of them. */
export type SpendPeriod = (typeof spendPeriods)[keyof typeof spendPeriods];

/** Whom a limit holds: everybody, each by themselves, or one person. */
export type SpendScope = { type: "organization" } | { type: "user"; user_id: string };

/** A limit as the API shows it. */
export interface SpendLimit {
  readonly type: "spend_limit";
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly scope: SpendScope;
  /** Whole cents. */
  readonly amount: string;
  readonly currency: "USD";
  readonly period: SpendPeriod;
}

/** Where nobody noted when a limit was set. */
const unknownTime = new Date(0).toISOString();

/** The limits of one scope, in the order of their periods: of those of one period the strictest. */
export async function spendLimitsOf(
  scope: SpendScope,
  limits: readonly LimitEntry[],
): Promise<SpendLimit[]> {
  const found: SpendLimit[] = [];
  for (const period of Object.values(spendPeriods)) {
    const entries = limits.filter((entry) => spendPeriodOf(entry) === period);
    const [first, ...others] = entries;
    if (first === undefined) continue;
    const strictest = others.reduce((least, each) => (each.max < least.max ? each : least), first);
    found.push(await spendLimitOf(scope, strictest, period));
  }
  return found;
}

async function spendLimitOf(
  scope: SpendScope,
  { max, set_at: time = unknownTime }: LimitEntry,
  period: SpendPeriod,
): Promise<SpendLimit> {
  const id = await spendLimitId(scope, period);
  const times = { created_at: time, updated_at: time };
  const amount = String(Math.round(max * 100));
  return { type: "spend_limit", id, ...times, scope, amount, currency: "USD", period };
}

/** The period by which the API shows the limit; undefined for limits that it does not know. */
export function spendPeriodOf({ metric, action, period }: LimitEntry): SpendPeriod | undefined {
  if (metric !== "cost" || action !== "block" || period === "hour") return undefined;
  return spendPeriods[period];
}

/** The same for the same scope and period, wherever and whenever it is asked. */
export async function spendLimitId(scope: SpendScope, period: SpendPeriod): Promise<string> {
  const name = scope.type === "user" ? `user ${scope.user_id}` : scope.type;
  return `spl_${(await hashKey(`${name} ${period}`)).slice(0, 32)}`;
}

/** The list with the limit of that period set to so many cents, or taken out. */
export function withSpendLimit(
  limits: readonly LimitEntry[],
  { period, cents, now }: { period: SpendPeriod; cents: number | null; now: string },
): LimitEntry[] {
  const others = limits.filter((entry) => spendPeriodOf(entry) !== period);
  if (cents === null) return others;
  const entry = {
    metric: "cost",
    period: periodName(period),
    max: cents / 100,
    action: "block",
  } as const;
  return [...others, { ...entry, set_at: now }];
}

function periodName(period: SpendPeriod): keyof typeof spendPeriods {
  if (period === "daily") return "day";
  return period === "weekly" ? "week" : "month";
}
