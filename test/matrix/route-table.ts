/** What each route of the admin API answers to whom: the access model, written down a second time by hand. */
import type { RouteName } from "../kit/admin-api.ts";

/**
 * What a call acts on: `open`: nothing of anybody's; `workspace`: the workspace that is named; `caller`: what belongs to
 * the credential; `deployment`: all workspaces.
 */
type Reach = "open" | "workspace" | "caller" | "deployment";

/**
 * A status for each of root, operator, owner, member, viewer, the workspace's token, and somebody who has a role in
 * another workspace alone. `ok` is the route's own; credentials that are good nowhere get 401 but at open routes.
 */
type Row = readonly [reach: Reach, statuses: string];

/** One row a route. Columns: root, operator, owner, member, viewer, workspace token, stranger. */
export const routeTable: { readonly [Name in RouteName]: Row } = {
  "GET /healthz": ["open", "ok ok ok ok ok ok ok"],
  "GET /api/status": ["workspace", "ok 403 ok 403 ok ok 403"],
  "POST /api/drain": ["deployment", "ok 403 403 403 403 403 403"],
  "GET /api/config": ["workspace", "ok 403 ok 403 ok ok 403"],
  "PUT /api/config": ["workspace", "ok 403 ok 403 403 ok 403"],
  "POST /api/harnesses/{id}/keys": ["workspace", "ok 403 ok ok 403 ok 403"],
  "GET /api/harnesses/{id}/keys": ["workspace", "ok 403 ok ok ok ok 403"],
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
  "GET /api/requests/{id}": ["workspace", "ok 403 ok ok ok ok 403"],
  "GET /api/limits": ["workspace", "ok 403 ok 403 ok ok 403"],
  "GET /api/blocks": ["workspace", "ok 403 ok 403 ok ok 403"],
  "POST /api/admin-token": ["workspace", "ok 403 ok 403 403 ok 403"],
  "DELETE /api/sessions": ["caller", "ok 403 403 403 403 ok ok"],
  "POST /api/workspaces": ["deployment", "ok 403 403 403 403 403 403"],
  "GET /api/workspaces": ["deployment", "ok ok 403 403 403 403 403"],
  "PATCH /api/workspaces/{id}": ["deployment", "ok 403 403 403 403 403 403"],
};
