/** Which part of a list is asked for. */
import { badField } from "./answers.ts";
import type { SpendLimit } from "./spend-limit.ts";

/** How many entries are given at most. */
export interface LimitQuery {
  readonly limit: number;
}

const mostListed = 1000;
const usualList = 100;

/** Throws SpendLimitFault 400. */
export function limitOf(query: URLSearchParams): number {
  const text = query.get("limit");
  const limit = text === null ? usualList : Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > mostListed)
    throw badField("limit", `must be between 1 and ${mostListed}`);
  return limit;
}

/** A page of a list. */
export interface SpendLimitPage {
  readonly data: readonly SpendLimit[];
  readonly has_more: boolean;
  readonly first_id: string | null;
  readonly last_id: string | null;
}

/** By `scope_type`, then those after or before an id. */
export function pageOf(limits: readonly SpendLimit[], query: URLSearchParams): SpendLimitPage {
  const limit = limitOf(query);
  const type = query.get("scope_type");
  const listed = limits.filter(({ scope }) => type === null || scope.type === type);
  const before = placeOf(listed, query.get("before_id"));
  const after = placeOf(listed, query.get("after_id"));
  const rest = listed.slice(after === undefined ? 0 : after + 1, before);
  // Before an id the nearest are meant.
  const data = before === undefined ? rest.slice(0, limit) : rest.slice(-limit);
  return {
    data,
    has_more: data.length < rest.length,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  };
}

function placeOf(limits: readonly SpendLimit[], id: string | null): number | undefined {
  if (id === null) return undefined;
  const place = limits.findIndex((limit) => limit.id === id);
  return place < 0 ? undefined : place;
}
