/** Where a limit is shown and changed, and where the requests are that it blocked. */
import type { LimitNode } from "../../policy/refusal.ts";
import type { BlockView, LimitUse } from "../../admin/routes/usage/limits.ts";

/** Ids of whose limit it may be. */
interface LimitHolder {
  readonly harness: string;
  readonly key?: string | undefined;
  readonly person?: string | undefined;
}

/** The page that has the limits of that node of the holder. */
export function limitPage(
  node: LimitNode,
  { harness, key = "", person = "" }: LimitHolder,
): string {
  const holder = `/dashboard/harnesses/${encodeURIComponent(harness)}`;
  const pages = {
    workspace: "/dashboard/settings",
    harness: `${holder}/limits`,
    key: `${holder}/keys/${encodeURIComponent(key)}`,
    person: `/dashboard/members/${encodeURIComponent(person)}`,
  };
  return pages[node];
}

/** The page of a limit that is listed. */
export function pageOfLimit({ node, id, key_harness: harness = "" }: LimitUse): string {
  return limitPage(node, { harness: node === "key" ? harness : id, key: id, person: id });
}

const hour = 3_600_000;

/** Longer than a period, and shorter than two of them, in ms. */
const within = { hour: 1.5 * hour, day: 36 * hour, week: 10 * 24 * hour, month: 40 * 24 * hour };

/** What the limit blocked in the period that runs. */
export function blockOf(limit: LimitUse, blocks: readonly BlockView[]): BlockView | undefined {
  const since = Date.parse(limit.resets_at) - within[limit.period];
  return blocks.find(
    (block) =>
      block.action === "block" &&
      block.node === limit.node &&
      block.id === limit.id &&
      block.metric === limit.metric &&
      block.period === limit.period &&
      block.max === limit.max &&
      Date.parse(block.period_start) > since,
  );
}

/** The log of the requests that a limit of that node blocked in that period. */
export function blockedAddress({ node, id, period_start: from }: BlockView): string {
  const holder = node === "workspace" ? {} : { [node]: id };
  const search = new URLSearchParams({ outcome: "blocked", blocked_by: node, ...holder, from });
  return `/dashboard/requests?${search.toString()}`;
}
