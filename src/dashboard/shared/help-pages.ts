/** Which page of the documentation explains a page of the dashboard: the one table. */
import { docsPath } from "../../core/docs-address.ts";

/** Path, page and anchor. A path stands for everything below it too; the longest that fits counts. */
const helpPages: readonly (readonly [path: string, page: string, anchor?: string])[] = [
  ["/dashboard", "faq"],
  ["/dashboard/account", "people", "sessions"],
  ["/dashboard/add-provider", "providers"],
  ["/dashboard/connect", "clients"],
  ["/dashboard/device", "claude-code-sign-in"],
  ["/dashboard/harnesses", "configuration", "a-harness"],
  ["/dashboard/local-servers", "providers", "on-machines-of-your-own"],
  ["/dashboard/members", "people", "roles"],
  ["/dashboard/models", "configuration", "a-model"],
  ["/dashboard/notices", "observability", "events"],
  ["/dashboard/playground", "requests"],
  ["/dashboard/providers", "providers"],
  ["/dashboard/requests", "observability", "the-request-log"],
  ["/dashboard/settings", "configuration", "the-document"],
  ["/dashboard/settings/audit", "security", "the-audit-log"],
  ["/dashboard/usage", "observability", "charts-and-usage"],
  ["/dashboard/webhooks", "observability", "webhooks"],
  ["/dashboard/workspaces", "plans"],
];

/** Where the page at the path is explained. */
export function helpFor(path: string): string {
  const [first, ...others] = helpPages
    .filter(([start]) => path === start || path.startsWith(`${start}/`))
    .map(([start, page, anchor]) => ({ start, address: docsPath(page, anchor) }));
  if (first === undefined) return docsPath("");
  return others.reduce((best, row) => (row.start.length > best.start.length ? row : best), first)
    .address;
}
