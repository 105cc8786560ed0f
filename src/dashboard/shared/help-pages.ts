/** Which page of the documentation explains a page of the dashboard: the one table. */
import { docsPath } from "../../core/docs-address.ts";

/** Path (`*` is any one part), page and anchor. A path stands for everything below it too; the longest that fits counts. */
const helpPages: readonly (readonly [path: string, page: string, anchor?: string])[] = [
  ["/dashboard", "faq"],
  ["/dashboard/account", "people", "sessions"],
  ["/dashboard/add-provider", "providers"],
  ["/dashboard/connect", "clients"],
  ["/dashboard/device", "claude-code-sign-in"],
  ["/dashboard/harnesses", "configuration", "a-harness"],
  ["/dashboard/harnesses/*/limits", "limits", "limits-that-you-set"],
  ["/dashboard/harnesses/*/routing", "routing"],
  ["/dashboard/local-servers", "providers", "on-your-own-machines"],
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
    .filter(([start]) => isUnder(path, start))
    .map(([start, page, anchor]) => ({ start, address: docsPath(page, anchor) }));
  if (first === undefined) return docsPath("");
  return others.reduce((best, row) => (row.start.length > best.start.length ? row : best), first)
    .address;
}

/** The guide to a kind of provider: each has one of its name. */
export function providerGuide(kind: string): string {
  return docsPath(`providers/${kind}`);
}

function isUnder(path: string, start: string): boolean {
  const parts = path.split("/");
  return start.split("/").every((part, index) => {
    const own = parts[index];
    return own !== undefined && (part === "*" || part === own);
  });
}
