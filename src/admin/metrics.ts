/** `GET /metrics`: what Prometheus asks for. Outside `/v1` and `/api`, where scrapers look for it. */
import { Hono } from "hono";
import type { Services } from "../gateway/services.ts";
import { hashKey } from "../store/keys.ts";
import { metricsTokenOf } from "../store/metrics-settings.ts";
import type { Env } from "../store/env.ts";
import { metricsPage, type ScrapedState } from "../telemetry/metrics/page.ts";
import { textType } from "../telemetry/metrics/text.ts";
import { addressOf } from "../workspace/address/address.ts";
import { webhookStats } from "../workspace/events/stats.ts";
import { unwritten } from "../workspace/storage/unwritten.ts";
import { bearerToken } from "./shared/credentials/bearer.ts";
import { errorResponse, tooManyWrongTokens, unauthorized } from "./shared/errors.ts";
import { judgeToken } from "./shared/credentials/judge-token.ts";
import { ownOrigin } from "./shared/own-origin.ts";
import { version } from "./shared/health/version.ts";

/** Mounted at the root. In cloud mode the path is unknown. */
export function metricsApp(servicesOf: (env: Env) => Services): Hono<{ Bindings: Env }> {
  const app = new Hono<{ Bindings: Env }>();
  app.get("/metrics", async (c, next) => {
    const services = servicesOf(c.env);
    if (services.metrics === undefined) return await next();
    const refused = await refusal(c.env, c.req.raw);
    if (refused !== undefined) return refused;
    const text = metricsPage(services.metrics, stateOf(services));
    return new Response(text, { headers: { "content-type": textType, ...neverKept } });
  });
  return app;
}

const neverKept = { "cache-control": "no-store" };

/** Wrong tokens count as they do at `/api`; a right one is never held up by them. */
async function refusal(env: Env, request: Request): Promise<Response | undefined> {
  const token = bearerToken(request.headers.get("authorization"));
  const refusedAs = refusing(ownOrigin(env, request));
  if (token === "") return refusedAs(unauthorized());
  if (await isMetricsToken(env, token)) return undefined;
  const address = addressOf(request.headers, env);
  const { found, ...wrong } = await judgeToken(env, token, { address, entry: "bearer" });
  if (found?.kind === "deployment") return undefined;
  const wait = "wait" in wrong ? wrong.wait : 0;
  return refusedAs(wait > 0 ? tooManyWrongTokens(wait) : unauthorized());
}

function refusing(origin: string): (error: Error) => Response {
  return (error) => {
    const response = errorResponse(error, origin);
    for (const [name, value] of Object.entries(neverKept)) response.headers.set(name, value);
    if (response.status === 401) response.headers.set("www-authenticate", 'Bearer realm="metrics"');
    return response;
  };
}

/** Hashes are compared, so that timing reveals nothing. */
async function isMetricsToken(env: Env, token: string): Promise<boolean> {
  const wanted = metricsTokenOf(env);
  return wanted !== undefined && (await hashKey(token)) === (await hashKey(wanted));
}

function stateOf({ sinks, inFlight, memory, now }: Services): ScrapedState {
  return {
    version,
    now: now(),
    inFlight: inFlight.counts(),
    memory: memory.usage(),
    sinks: [...sinks.flatMap((sink) => sink.stats?.() ?? []), webhookStats()],
    storageFailures: unwritten.failures,
  };
}
