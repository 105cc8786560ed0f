/** Reads what a spend limit is to be; the first fault is told in the words that clients of this API know. */
import { isObject, parseJson, type JsonValue } from "../../lib/json.ts";
import { badField, SpendLimitFault } from "./answers.ts";
import { type SpendPeriod, spendPeriods, type SpendScope } from "./spend-limit.ts";

/** A limit that is to be set. */
export interface NewSpendLimit {
  readonly scope: SpendScope;
  readonly cents: number;
  readonly period: SpendPeriod;
}

/** More than anybody spends, and exact as a number. */
const mostDigits = 12;

/** Throws SpendLimitFault 400. Members that are not known are left alone. */
export function readSpendLimit(text: string): NewSpendLimit {
  const body = parseJson(text);
  if (!isObject(body)) throw new SpendLimitFault(400, "invalid JSON body");
  const scope = scopeOf(body["scope"]);
  const cents = centsOf(body["amount"]);
  const period = periodOf(body["period"]);
  const { currency, pooled_budget: pool } = body;
  if (currency !== undefined && currency !== "USD")
    throw badField("currency", 'Invalid literal value, expected "USD"');
  if (pool !== undefined && pool !== null)
    throw badField("pooled_budget", "pooled budgets are not supported");
  return { scope, cents, period };
}

function scopeOf(value: JsonValue | undefined): SpendScope {
  if (!isObject(value)) throw badField("scope", kindFault(value, "object"));
  switch (value["type"]) {
    case "organization":
      return { type: "organization" };
    case "user": {
      const { user_id: user } = value;
      if (typeof user !== "string") throw badField("scope.user_id", kindFault(user, "string"));
      return { type: "user", user_id: user };
    }
    case "rbac_group":
      throw badField("scope.type", "limits of groups are not supported");
    default:
      throw badField(
        "scope.type",
        "Invalid discriminator value. Expected 'user' | 'rbac_group' | 'organization'",
      );
  }
}

function centsOf(value: JsonValue | undefined): number {
  if (value === null)
    throw badField("amount", "null is not supported: delete the limit to lift it");
  if (typeof value !== "string") throw badField("amount", kindFault(value, "string"));
  if (!/^\d+$/.test(value) || value.length > mostDigits)
    throw badField("amount", "must be a whole-number decimal string of cents");
  return Number(value);
}

function periodOf(value: JsonValue | undefined): SpendPeriod {
  const known = Object.values(spendPeriods).find((period) => period === value);
  if (known !== undefined) return known;
  if (typeof value !== "string") throw badField("period", kindFault(value, "string"));
  const names = Object.values(spendPeriods).map((name) => `'${name}'`);
  throw badField(
    "period",
    `Invalid enum value. Expected ${names.join(" | ")}, received '${value.slice(0, 100)}'`,
  );
}

function kindFault(value: JsonValue | undefined, wanted: string): string {
  if (value === undefined) return "Required";
  const kind = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  return `Expected ${wanted}, received ${kind}`;
}
