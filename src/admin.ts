/** The admin API with what it needs of the rooms that it does not see. */
import type { Hono } from "hono";
import { adminApi } from "./dashboard/api/routes.ts";
import { dryRun } from "./gateway/dry-run.ts";
import { servicesOf } from "./gateway/roof.ts";
import { connectionOf, entryProblem } from "./providers/connect.ts";
import { testProvider } from "./providers/test.ts";
import type { Env } from "./store/env.ts";

export function makeAdmin(): Hono<{ Bindings: Env }> {
  return adminApi({
    checkProvider: entryProblem,
    async testProvider({ env, snapshot, provider }) {
      const services = servicesOf(env);
      const connection = connectionOf(provider);
      const credentials = await services.credentials(snapshot, connection);
      return await testProvider(connection, credentials, services.mode);
    },
    dryRun: ({ env, waitUntil, ...input }) =>
      dryRun(input, { services: servicesOf(env), waitUntil }),
  });
}
