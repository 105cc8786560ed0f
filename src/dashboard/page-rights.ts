/** Which right each route of the dashboard needs: the one table that its guard, its menu and the tests read. */
import type { Right } from "../store/roles.ts";

/** What a page can need. */
export type PageRight = Right | "open" | "identified" | "operator" | "root";

/**
 * Method, path below `/dashboard`, and what it needs. A segment of the path that begins with a colon stands for any
 * one. `open` asks for no session; `identified` for a session, of whatever workspace; a right for somebody who has it
 * in the session's workspace.
 */
type PageRow = readonly [method: "GET" | "POST", path: string, right: PageRight];

/** Every route of the dashboard. The first row that fits a path counts, so names stand before parameters. */
export const pageRights: readonly PageRow[] = [
  ["GET", "/", "read-own"],
  ["GET", "/account", "identified"],
  ["GET", "/account/leave", "read-own"],
  ["POST", "/account/leave", "read-own"],
  ["POST", "/account/sessions/:id/end", "identified"],
  ["POST", "/account/sign-out", "identified"],
  ["POST", "/account/tokens", "read-own"],
  ["POST", "/account/tokens/:id/revoke", "read-own"],
  ["GET", "/add-provider", "write"],
  ["POST", "/add-provider", "write"],
  ["GET", "/assets/:file", "open"],
  ["GET", "/connect", "read-own"],
  ["POST", "/connect", "write-own"],
  // They ask for the session themselves, to come back with their code.
  ["GET", "/device", "open"],
  ["POST", "/device", "open"],
  ["GET", "/harnesses", "read-own"],
  ["POST", "/harnesses", "write"],
  ["GET", "/harnesses/:id", "read-own"],
  ["GET", "/harnesses/:id/delete", "write"],
  ["POST", "/harnesses/:id/delete", "write"],
  ["POST", "/harnesses/:id/duplicate", "write"],
  ["GET", "/harnesses/:id/general", "read"],
  ["POST", "/harnesses/:id/general", "write"],
  ["POST", "/harnesses/:id/keys", "write-own"],
  ["GET", "/harnesses/:id/keys/:key", "read-own"],
  ["POST", "/harnesses/:id/keys/:key", "write"],
  ["GET", "/harnesses/:id/keys/:key/delete", "write-own"],
  ["POST", "/harnesses/:id/keys/:key/delete", "write-own"],
  ["POST", "/harnesses/:id/keys/:key/limits", "write"],
  ["POST", "/harnesses/:id/keys/:key/limits/delete", "write"],
  ["POST", "/harnesses/:id/keys/:key/limits/undo", "write"],
  ["GET", "/harnesses/:id/limits", "read"],
  ["POST", "/harnesses/:id/limits", "write"],
  ["POST", "/harnesses/:id/limits/delete", "write"],
  ["GET", "/harnesses/:id/parameters", "read"],
  ["POST", "/harnesses/:id/parameters", "write"],
  ["GET", "/harnesses/:id/routing", "read"],
  ["POST", "/harnesses/:id/routing", "write"],
  ["POST", "/harnesses/:id/routing/fallbacks", "write"],
  ["POST", "/harnesses/:id/routing/roles", "write"],
  ["GET", "/harnesses/:id/routing/forget", "write"],
  ["POST", "/harnesses/:id/routing/forget", "write"],
  ["POST", "/harnesses/:id/routing/rules", "write"],
  ["POST", "/harnesses/:id/routing/rules/delete", "write"],
  ["POST", "/harnesses/:id/routing/try", "read"],
  ["POST", "/invitations", "write"],
  ["POST", "/invitations/:id/revoke", "write"],
  ["GET", "/live", "read-own"],
  ["GET", "/local-servers", "write"],
  ["POST", "/local-servers", "write"],
  ["GET", "/members", "read"],
  ["GET", "/members/:id", "read"],
  ["POST", "/members/:id/limits", "write"],
  ["POST", "/members/:id/limits/delete", "write"],
  ["POST", "/members/:id/limits/undo", "write"],
  ["GET", "/members/:id/remove", "write"],
  ["POST", "/members/:id/remove", "write"],
  ["POST", "/members/:id/role", "write"],
  ["GET", "/models", "read-own"],
  ["GET", "/notices", "read"],
  ["GET", "/playground", "write"],
  ["POST", "/playground", "write"],
  ["GET", "/playground/result/:id", "write"],
  ["POST", "/playground/run", "write"],
  ["GET", "/providers", "read"],
  ["GET", "/providers/:id", "read"],
  ["POST", "/providers/:id", "write"],
  ["GET", "/providers/:id/delete", "write"],
  ["POST", "/providers/:id/delete", "write"],
  ["POST", "/providers/:id/test", "write"],
  ["GET", "/requests", "read-own"],
  ["GET", "/requests/export", "read-own"],
  ["GET", "/requests/:id", "read-own"],
  ["GET", "/search", "read-own"],
  ["GET", "/search/results", "read-own"],
  ["POST", "/requests/:id/feedback", "write-own"],
  ["GET", "/settings", "read"],
  ["GET", "/settings/audit", "write"],
  ["GET", "/settings/audit/export", "write"],
  ["POST", "/settings/backup", "write"],
  ["POST", "/settings/data", "write"],
  ["GET", "/settings/export", "read"],
  ["GET", "/settings/history", "read"],
  ["GET", "/settings/history/:n", "read"],
  ["POST", "/settings/history/:n/restore", "write"],
  ["POST", "/settings/history/undo", "write"],
  ["POST", "/settings/import", "write"],
  ["POST", "/settings/import/apply", "write"],
  ["POST", "/settings/limits", "write"],
  ["POST", "/settings/limits/delete", "write"],
  ["POST", "/settings/restore", "write"],
  ["POST", "/settings/sign-out", "write"],
  ["POST", "/settings/timezone", "write"],
  ["GET", "/settings/token", "write"],
  ["POST", "/settings/token", "write"],
  ["GET", "/sign-in", "open"],
  ["POST", "/sign-in", "open"],
  ["POST", "/sign-out", "open"],
  ["POST", "/theme", "open"],
  ["GET", "/usage", "read-own"],
  ["GET", "/usage/export", "read-own"],
  ["GET", "/waiting", "identified"],
  ["POST", "/workspace", "identified"],
  ["GET", "/webhooks", "read"],
  ["POST", "/webhooks", "write"],
  ["GET", "/webhooks/:id", "read"],
  ["GET", "/webhooks/:id/delete", "write"],
  ["POST", "/webhooks/:id/delete", "write"],
  ["POST", "/webhooks/:id/deliveries/:n/retry", "write"],
  ["POST", "/webhooks/:id/test", "write"],
  ["GET", "/workspaces", "operator"],
  ["POST", "/workspaces", "root"],
  ["GET", "/workspaces/:id", "operator"],
  ["POST", "/workspaces/:id", "root"],
  // For those who may delete it: its owners, and the deployment's administrator. They check this themselves.
  ["GET", "/workspaces/:id/delete", "identified"],
  ["POST", "/workspaces/:id/delete", "identified"],
  ["GET", "/workspaces/:id/export", "identified"],
  ["POST", "/workspaces/:id/plan", "operator"],
];

/** The rows by their segments: they are asked for every link of a page and every result of a search. */
const rows = pageRights.map(([method, path, right]) => ({
  method,
  wanted: segmentsOf(path),
  right,
}));

/** What a request of that path, `/dashboard` included, needs; undefined where no row fits: nobody may open it. */
export function pageRight(method: string, path: string): PageRight | undefined {
  const asked = method === "HEAD" ? "GET" : method;
  const given = segmentsOf(path.slice("/dashboard".length));
  return rows.find((row) => row.method === asked && fits(row.wanted, given))?.right;
}

function fits(wanted: readonly string[], given: readonly string[]): boolean {
  return (
    wanted.length === given.length &&
    wanted.every((segment, index) => segment.startsWith(":") || segment === given[index])
  );
}

function segmentsOf(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "");
}
