/**
 * The company sign-in of coding tools as a Hono app: where it is not offered, its paths are unknown. The page on which a
 * person confirms belongs to the dashboard.
 */
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { Problem } from "../../core/problem.ts";
import type { Services, WaitUntil } from "../../gateway/services.ts";
import type { Env } from "../../store/env.ts";
import { deviceRefusal } from "./answers.ts";
import { authorizeDevice } from "./authorization.ts";
import { baseAddressOf, offersDeviceSignIn } from "./base-address.ts";
import { devicePaths, signInMetadata } from "./metadata.ts";
import { revokeToken } from "./revocation.ts";
import { answerSettings } from "./settings-answer.ts";
import { grantToken } from "./token.ts";

type DeviceContext = Context<{ Bindings: Env }>;

/** Mounted at the root. */
export function deviceSignIn(servicesOf: (env: Env) => Services): Hono<{ Bindings: Env }> {
  const app = new Hono<{ Bindings: Env }>();
  app.get(devicePaths.metadata, offered, (c) =>
    withBase(c, (base) => c.json(signInMetadata(base))),
  );
  app.post(devicePaths.authorization, offered, (c) =>
    withBase(c, (base) => authorizeDevice(c.req.raw, c.env, base)),
  );
  app.post(devicePaths.token, offered, (c) =>
    grantToken(c.req.raw, { env: c.env, waitUntil: waitUntilOf(c) }),
  );
  app.post(devicePaths.revocation, offered, (c) => revokeToken(c.req.raw, c.env));
  app.get("/managed/settings", offered, (c) =>
    answerSettings({ http: c.req.raw, waitUntil: waitUntilOf(c) }, servicesOf(c.env)),
  );
  app.onError((error) => {
    // A body that is too long, too slow or broken off.
    if (error instanceof Problem && error.status < 500) return deviceRefusal("invalid_request");
    throw error;
  });
  return app;
}

function waitUntilOf(c: DeviceContext): WaitUntil {
  return (promise) => c.executionCtx.waitUntil(promise);
}

/** Elsewhere the next app answers, which does not know the path. */
const offered: MiddlewareHandler<{ Bindings: Env }> = async (c, next) => {
  if (offersDeviceSignIn(c.env)) return await next();
  return c.notFound();
};

/** Pages and addresses are shown under known hosts only. */
function withBase(
  c: DeviceContext,
  answer: (base: string) => Response | Promise<Response>,
): Response | Promise<Response> {
  const base = baseAddressOf(c.req.raw, c.env);
  if (base !== undefined) return answer(base);
  const description = "Unknown host: set PUBLIC_URL or ALLOWED_HOSTS.";
  return deviceRefusal("invalid_request", { description });
}
