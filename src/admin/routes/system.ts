/** Whether the service is running, and what is under way in the workspace. */
import * as z from "zod";
import { defineRoute } from "../shared/define-route.ts";
import { drainProgress } from "../shared/health/drain-progress.ts";
import { exportFormatOf } from "../shared/export/export.ts";
import { health } from "../shared/health/health.ts";
import { type AdminScope, askWorkspace } from "../shared/scope.ts";

const statusViewSchema = z.strictObject({
  in_flight: z.number(),
  /** The workspace's request window; null where there is none. */
  requests_per_minute: z.strictObject({ limit: z.number(), remaining: z.number() }).nullable(),
  /** The quota; `limit` is null when there is none. */
  monthly_requests: z.strictObject({ limit: z.number().nullable(), used: z.number() }),
  /** Model id to the time until which it is tried last. */
  cooling: z.record(z.string(), z.string()),
  /** Ids of the providers that are down, as the newest event of each says. */
  down: z.array(z.string()),
  /** Those of them whose other models answer. */
  down_in_part: z.array(z.string()),
});
/** Running requests in the workspace. */
export type StatusView = z.infer<typeof statusViewSchema>;

/** Requests in flight, what is left of windows and quota, and models that cool down. */
export async function readWorkspaceStatus(scope: AdminScope): Promise<StatusView> {
  const status = await askWorkspace(scope, (stub) => stub.status());
  const { inFlight, rate, monthly, cooling, down = [], downInPart = [] } = status;
  return {
    in_flight: inFlight,
    requests_per_minute: rate === null ? null : { limit: rate.limit, remaining: rate.remaining },
    monthly_requests: { limit: monthly.limit, used: monthly.used },
    cooling: Object.fromEntries(
      Object.entries(cooling).map(([id, until]) => [id, new Date(until).toISOString()]),
    ),
    down,
    down_in_part: downInPart,
  };
}

const drainSchema = z.strictObject({
  /** From now. */
  seconds: z.number().min(0).max(3600),
});

const runningSchema = z.strictObject({
  /** Generation requests that this process serves now. */
  requests: z.number(),
  /** How many of them are streams. */
  streams: z.number(),
});

/** The routes of health and status. */
export const adminSystemRoutes = [
  defineRoute(
    {
      method: "GET",
      path: "/healthz",
      summary: "Whether the service is running",
      access: "open",
      status: 200,
      answer: z.strictObject({ status: z.literal("ok"), version: z.string() }),
    },
    async () => health,
  ),
  defineRoute(
    {
      method: "GET",
      path: "/api/status",
      summary: "Running requests",
      access: "read",
      status: 200,
      answer: statusViewSchema,
    },
    (_input, { scope }) => readWorkspaceStatus(scope),
  ),
  defineRoute(
    {
      method: "POST",
      path: "/api/drain",
      summary:
        "Announce that this process will stop: streams still running after that many seconds end with an error event",
      access: "root",
      body: { schema: drainSchema },
      status: 204,
    },
    async ({ body }, { services }) => {
      services.drain.endAt(services.now() + body.seconds * 1000);
      await services.workspaces.bookAll();
      const flushed = services.sinks.map((sink) => sink.flush?.());
      await Promise.all([services.drain.saved(), ...flushed]);
    },
  ),
  defineRoute(
    {
      method: "GET",
      path: "/api/drain",
      summary:
        "What this process still serves; application/x-ndjson streams it until a drained process has nothing left to wait for",
      access: "root",
      status: 200,
      answer: runningSchema,
      exports: true,
    },
    async (_input, { services, accept }) =>
      exportFormatOf(accept) === "ndjson" ? drainProgress(services) : services.inFlight.counts(),
  ),
] as const;
