/** The admin API and the pages, with what they need of the rooms that they do not see. */
import type { Hono } from "hono";
import { type AdminDeps, adminApi } from "./admin/routes.ts";
import { dashboardApp } from "./dashboard/app.tsx";
import { dryRun } from "./gateway/dry-run.ts";
import { servicesOf } from "./bindings.ts";
import { publicApi } from "./gateway/routes.ts";
import { entryProblem } from "./providers/connection/check-entry.ts";
import { connectionOf } from "./providers/connection/connection.ts";
import { testProvider } from "./providers/models/test-connection.ts";
import type { Env } from "./store/env.ts";

const deps: AdminDeps = {
  checkProvider: entryProblem,
  directory({ env, snapshot, waitUntil, fresh }) {
    const services = servicesOf(env);
    return fresh
      ? services.freshDirectory(snapshot, waitUntil)
      : services.directory(snapshot, waitUntil);
  },
  async testProvider({ env, snapshot, provider }) {
    const services = servicesOf(env);
    const connection = connectionOf(provider);
    const credentials = await services.credentials(snapshot, connection);
    return await testProvider(connection, credentials, services.mode);
  },
  dryRun: ({ env, ...input }) => dryRun(input, servicesOf(env)),
};

export function makeAdmin(): Hono<{ Bindings: Env }> {
  return adminApi(deps);
}

/** The playground's requests go through the same endpoints as everybody's. */
export function makePages(): Hono<{ Bindings: Env }> {
  const v1 = publicApi(servicesOf);
  return dashboardApp({
    ...deps,
    serve: async (request, env, context) => v1.fetch(request, env, context),
  });
}
