/** `GET /v1/organizations/spend_limits/effective`: which limits hold whom, and what they have spent. */
import type { LimitEntry } from "../../store/config.ts";
import type { MemberRecord } from "../../workspace/accounts/tables/memberships.ts";
import type { LimitView } from "../../workspace/contract/reports.ts";
import { readConfig } from "../routes/document/config.ts";
import { type AdminScope, askWorkspace } from "../shared/scope.ts";
import { badField } from "./answers.ts";
import { isNamed, workspacePeople } from "./limit-store.ts";
import { type LimitQuery, limitOf } from "./query.ts";
import {
  type SpendLimit,
  spendLimitsOf,
  type SpendPeriod,
  spendPeriodOf,
  spendPeriods,
  type SpendScope,
} from "./spend-limit.ts";

/** A limit that holds a person, with what the person has spent of it. */
export interface EffectiveLimit {
  readonly scope: SpendScope;
  readonly groups: readonly string[];
  readonly actor: {
    readonly type: "user_actor";
    readonly user_id: string;
    readonly name: string;
    readonly email_address: string;
    readonly deleted: boolean;
  };
  readonly amount: string;
  readonly currency: "USD";
  readonly period: SpendPeriod;
  /** Where the limit stands. */
  readonly source: SpendScope;
  readonly spend_limit_id: string;
  /** Cents, with up to three decimals. */
  readonly period_to_date_spend: string;
}

/** One page of rows; `next_page` is what the next is asked with. */
export async function effectiveLimits(
  scope: AdminScope,
  query: URLSearchParams,
): Promise<{ data: EffectiveLimit[]; next_page: string | null }> {
  const wanted = wantedOf(query);
  const rows = await everyRow(scope, wanted);
  if (query.get("sort") === "spend_desc")
    rows.sort((a, b) => Number(b.period_to_date_spend) - Number(a.period_to_date_spend));
  const page = rows.slice(wanted.from, wanted.from + wanted.limit);
  const next = wanted.from + page.length;
  return { data: page, next_page: next < rows.length ? String(next) : null };
}

interface Wanted extends LimitQuery {
  readonly people: readonly string[];
  readonly periods: readonly string[];
  readonly text: string;
  readonly from: number;
}

function wantedOf(query: URLSearchParams): Wanted {
  const periods = query.getAll("period[]");
  const known: readonly string[] = Object.values(spendPeriods);
  if (periods.some((period) => !known.includes(period)))
    throw badField("period[]", `must be one of ${known.join(", ")}`);
  const from = Number(query.get("page") ?? 0);
  if (!Number.isSafeInteger(from) || from < 0) throw badField("page", "is not one of this list");
  const text = (query.get("q") ?? "").toLowerCase();
  return { limit: limitOf(query), people: query.getAll("user_ids[]"), periods, text, from };
}

async function everyRow(scope: AdminScope, wanted: Wanted): Promise<EffectiveLimit[]> {
  const [{ person_limits: general = [] }, own, people, views] = await Promise.all([
    readConfig(scope),
    askWorkspace(scope, (stub) => stub.personLimits()),
    workspacePeople(scope),
    askWorkspace(scope, (stub) => stub.limits()),
  ]);
  const everybody = await spendLimitsOf({ type: "organization" }, general);
  const rows: EffectiveLimit[] = [];
  for (const person of people.filter((each) => isWanted(each, wanted))) {
    const limits = await limitsOver(person, own[person.id] ?? [], everybody);
    const listed = limits.filter(
      ({ period }) => wanted.periods.length === 0 || wanted.periods.includes(period),
    );
    rows.push(...listed.map((limit) => rowOf(person, limit, views)));
  }
  return rows;
}

function isWanted(person: MemberRecord, { people, text }: Wanted): boolean {
  const named = people.length === 0 || people.some((name) => isNamed(person, name));
  return named && `${person.name} ${person.email}`.toLowerCase().includes(text);
}

/** A person's own limit of a period goes before everybody's. */
async function limitsOver(
  { id }: MemberRecord,
  own: readonly LimitEntry[],
  everybody: readonly SpendLimit[],
): Promise<SpendLimit[]> {
  const theirs = await spendLimitsOf({ type: "user", user_id: id }, own);
  const others = everybody.filter(({ period }) => theirs.every((each) => each.period !== period));
  return [...theirs, ...others];
}

function rowOf(
  { id, name, email }: MemberRecord,
  limit: SpendLimit,
  views: readonly LimitView[],
): EffectiveLimit {
  const spent = views.find(
    (view) => view.node === "person" && view.id === id && spendPeriodOf(view) === limit.period,
  );
  return {
    scope: { type: "user", user_id: id },
    groups: [],
    actor: { type: "user_actor", user_id: id, name, email_address: email, deleted: false },
    amount: limit.amount,
    currency: limit.currency,
    period: limit.period,
    source: limit.scope,
    spend_limit_id: limit.id,
    period_to_date_spend: String(Math.round((spent?.used ?? 0) * 100_000) / 1000),
  };
}
