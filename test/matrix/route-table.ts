/** What each route of the admin API answers to whom: the access model, written down a second time by hand. */
import type { RouteName } from "../kit/admin-api.ts";

/**
 * What a call acts on: `open`: nothing of anybody's; `workspace`: the workspace that the header names; `path`: the one that
 * the path names; `caller`: what belongs to the credential; `deployment`: all workspaces.
 */
type Reach = "open" | "workspace" | "path" | "caller" | "deployment";

/**
 * A status for each of root, operator, owner, member, viewer, the workspace's token, and somebody who has a role in
 * another workspace alone. `ok` is the route's own; where people get another answer by their session than by their access
 * token, both stand there, the token's first. Credentials that are good nowhere get 401 but at open routes.
 */
type Row = readonly [reach: Reach, statuses: string];

/** One row a route. Columns: root, operator, owner, member, viewer, workspace token, stranger. */
export const routeTable: { readonly [Name in RouteName]: Row } = {
  "GET /healthz": ["open", "ok ok ok ok ok ok ok"],
  "GET /api/status": ["workspace", "ok 403 ok 403 ok ok 403"],
  "GET /api/drain": ["deployment", "ok 403 403 403 403 403 403"],
  "POST /api/drain": ["deployment", "ok 403 403 403 403 403 403"],
  "GET /api/config": ["workspace", "ok 403 ok 403 ok ok 403"],
  "PUT /api/config": ["workspace", "ok 403 ok 403 403 ok 403"],
  "GET /api/history": ["workspace", "ok 403 ok 403 ok ok 403"],
  "POST /api/history/{n}/restore": ["workspace", "ok 403 ok 403 403 ok 403"],
  "POST /api/backup": ["workspace", "ok 403 ok 403 403 ok 403"],
  // Without a file.
  "POST /api/restore": ["workspace", "400 403 400 403 403 400 403"],
  "GET /api/audit": ["workspace", "ok 403 ok 403 403 ok 403"],
  "POST /api/harnesses/{id}/keys": ["workspace", "ok 403 ok ok 403 ok 403"],
  "GET /api/harnesses/{id}/keys": ["workspace", "ok 403 ok ok ok ok 403"],
  "PATCH /api/harnesses/{id}/keys/{keyId}": ["workspace", "ok 403 ok 403 403 ok 403"],
  "DELETE /api/harnesses/{id}/keys/{keyId}": ["workspace", "ok 403 ok ok 403 ok 403"],
  "POST /api/providers/{id}/test": ["workspace", "ok 403 ok 403 403 ok 403"],
  "GET /api/local": ["workspace", "ok 403 ok 403 403 ok 403"],
  "GET /api/models": ["workspace", "ok 403 ok ok ok ok 403"],
  "POST /api/route": ["workspace", "ok 403 ok ok ok ok 403"],
  "GET /api/harnesses/{id}/tiers": ["workspace", "ok 403 ok 403 ok ok 403"],
  "GET /api/harnesses/{id}/learning": ["workspace", "ok 403 ok 403 ok ok 403"],
  "DELETE /api/harnesses/{id}/learning": ["workspace", "ok 403 ok 403 403 ok 403"],
  "GET /api/usage": ["workspace", "ok 403 ok ok ok ok 403"],
  "GET /api/summary": ["workspace", "ok 403 ok 403 ok ok 403"],
  "GET /api/requests": ["workspace", "ok 403 ok ok ok ok 403"],
  "GET /api/requests/{id}": ["workspace", "ok 403 ok 404 ok ok 403"],
  "PUT /api/requests/{id}/feedback": ["workspace", "ok 403 ok 404 403 ok 403"],
  "DELETE /api/requests/{id}/feedback": ["workspace", "ok 403 ok 404 403 ok 403"],
  "GET /api/limits": ["workspace", "ok 403 ok 403 ok ok 403"],
  "GET /api/blocks": ["workspace", "ok 403 ok 403 ok ok 403"],
  "POST /api/admin-token": ["workspace", "ok 403 ok 403 403 ok 403"],
  "GET /api/me": ["caller", "ok ok ok ok ok ok ok"],
  "GET /api/members": ["workspace", "ok 403 ok ok ok ok 403"],
  "POST /api/members": ["workspace", "ok 403 ok 403 403 ok 403"],
  "PATCH /api/members/{id}": ["workspace", "ok 403 ok 403 403 ok 403"],
  "DELETE /api/members/{id}": ["workspace", "ok 403 ok 403 403 ok 403"],
  "GET /api/invitations": ["workspace", "ok 403 ok 403 403 ok 403"],
  "POST /api/invitations": ["workspace", "ok 403 ok 403 403 ok 403"],
  "DELETE /api/invitations/{id}": ["workspace", "ok 403 ok 403 403 ok 403"],
  "GET /api/tokens": ["workspace", "ok 403 ok ok ok ok 403"],
  "POST /api/tokens": ["workspace", "ok 403 ok ok ok ok 403"],
  "DELETE /api/tokens/{id}": ["workspace", "ok 403 ok ok ok ok 403"],
  "GET /api/sessions": ["caller", "ok ok ok ok ok ok ok"],
  "DELETE /api/sessions": ["caller", "ok ok 403/ok 403/ok 403/ok ok 403/ok"],
  "DELETE /api/sessions/{id}": ["caller", "404 ok 403/ok 403/ok 403/ok 404 403/ok"],
  "POST /api/workspaces": ["deployment", "ok 403 403 403 403 403 403"],
  "GET /api/workspaces": ["deployment", "ok ok 403 403 403 403 403"],
  "PATCH /api/workspaces/{id}": ["deployment", "ok 403 403 403 403 403 403"],
  "GET /api/workspaces/{id}": ["deployment", "ok ok 403 403 403 403 403"],
  "GET /api/workspaces/{id}/usage": ["deployment", "ok ok 403 403 403 403 403"],
  "PUT /api/workspaces/{id}/plan": ["deployment", "ok ok 403 403 403 403 403"],
  "GET /api/workspaces/{id}/export": ["path", "ok 403 ok 403 403 ok 403"],
  "DELETE /api/workspaces/{id}": ["path", "ok 403 ok 403 403 ok 403"],
  "GET /api/webhooks": ["workspace", "ok 403 ok 403 ok ok 403"],
  "POST /api/webhooks": ["workspace", "ok 403 ok 403 403 ok 403"],
  "DELETE /api/webhooks/{id}": ["workspace", "ok 403 ok 403 403 ok 403"],
  "POST /api/webhooks/{id}/test": ["workspace", "ok 403 ok 403 403 ok 403"],
  "GET /api/webhooks/{id}/deliveries": ["workspace", "ok 403 ok 403 ok ok 403"],
  "POST /api/webhooks/{id}/deliveries/{n}/retry": ["workspace", "ok 403 ok 403 403 ok 403"],
  "GET /api/events": ["workspace", "ok 403 ok 403 ok ok 403"],
};
