/** What the page of charts shows, as its address says it. */
import {
  usageGroups,
  type UsageQuery,
  type UsageReport,
} from "../../../admin/routes/usage/usage.ts";
import type { HolderNames } from "../../shared/page-context.ts";
import { type FilterName, type Given, logAddress, timeSpans } from "../requests/log-address.ts";
import { type SortName, sortNames } from "./group-table.tsx";
import { timeRange, type TimeRange } from "./time-range.ts";

/** The groupings in the order of their tabs. */
export const tabGroups = usageGroups;
type Group = (typeof usageGroups)[number];

/** A time range, a grouping and an order. */
export interface UsageView {
  range: TimeRange;
  group: Group;
  /** Whose values are told apart; empty: all tags. */
  tagName: string;
  sort: SortName;
}

/** The view that the address asks for; what it does not say, or says wrong, is as usual. */
export function usageView(
  value: (name: string) => string | undefined,
  timezone: string,
  now: number,
): UsageView {
  const text = (name: string): string => value(name) ?? "";
  const wish = { range: text("range"), from: text("from"), to: text("to") };
  return {
    range: timeRange(wish, timezone, now),
    group: usageGroups.find((name) => name === text("group")) ?? "model",
    tagName: text("tag").trim().slice(0, 64),
    sort: sortNames.find((name) => name === text("sort")) ?? "requests",
  };
}

/** What of a view stands in its address. */
type Addressed = Omit<UsageView, "range"> & { range: Pick<TimeRange, "name"> & Partial<TimeRange> };

/** The view's address, which others can open too. */
export function usageAddress(
  { range, group, tagName, sort }: Addressed,
  path = "/dashboard/usage",
): string {
  const query = new URLSearchParams({ range: range.name, group, sort });
  if (range.name === "custom") {
    query.set("from", range.walls?.from ?? "");
    query.set("to", range.walls?.to ?? "");
  }
  if (tagName !== "" && group === "tag") query.set("tag", tagName);
  return `${path}?${query.toString()}`;
}

/** The question to the API. */
export function usageQuery({ range, group, tagName }: UsageView): UsageQuery {
  return {
    from: new Date(range.from).toISOString(),
    to: new Date(range.to).toISOString(),
    by: range.by,
    group,
    ...(tagName !== "" && { tag_name: tagName }),
  };
}

/** The address of a group's requests in the log; undefined where the log has no filter for them. */
export function groupRequests(
  { range, group, tagName }: UsageView,
  name: string,
): string | undefined {
  if (name === "" || name === "other" || group === "tier") return undefined;
  const filter: FilterName = group;
  const value = group === "tag" && tagName !== "" ? `${tagName}=${name}` : name;
  return logAddress([[filter, value], ...rangeFilters(range)]);
}

function rangeFilters({ name, from, to, live }: TimeRange): Given[] {
  if (Object.hasOwn(timeSpans, name)) return [["span", name]];
  const begin: Given = ["from", new Date(from).toISOString()];
  return live ? [begin] : [begin, ["to", new Date(to).toISOString()]];
}

/** What a grouping is called. */
export function groupLabel(group: Group, words: HolderNames): string {
  return group === "harness" ? words.Holder : group.slice(0, 1).toUpperCase() + group.slice(1);
}

const unnamed: Partial<Record<Group, string>> = {
  key: "no key",
  session: "no session",
  agent: "main agent, or none",
  role: "no role",
  tag: "no tag",
};

/** What a group is called: a key by its name, and requests that belong to none by why that is. */
export function nameOfGroup(
  { group }: Pick<UsageView, "group">,
  report: UsageReport,
  words: HolderNames,
): (name: string) => string {
  const label = groupLabel(group, words).toLowerCase();
  const names = new Map(report.groups.map((row) => [row.group, row.name]));
  return (name) => {
    if (name === "") return unnamed[group] ?? `no ${label} (rejected)`;
    const own = names.get(name);
    return own === undefined || own === "" ? name : `${own} (${name})`;
  };
}
