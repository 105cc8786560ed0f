/** Protection of every page: under which hosts it is shown, where writing requests may come from, and what browsers are told to forbid. */
import type { MiddlewareHandler } from "hono";
import { hostFor, isOwn } from "../lib/same-origin.ts";
import { allowsHost } from "../store/allowed-hosts.ts";
import type { Env } from "../store/env.ts";
import { publicOrigin } from "../store/public-origin.ts";

/**
 * No inline script or style, nothing from elsewhere, no frames. The referrer stays within this origin; forbidding
 * it altogether would make browsers send `Origin: null` with forms, and the check below would be blind
 * where `Sec-Fetch-Site` is not sent (plain HTTP in a local network).
 */
const headers = {
  "Content-Security-Policy":
    "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; img-src 'self' data:; object-src 'none'",
  "X-Frame-Options": "DENY",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
} as const;

/** Adds the security headers to every answer. */
export const safeHeaders: MiddlewareHandler = async (c, next) => {
  await next();
  for (const [name, value] of Object.entries(headers)) c.res.headers.set(name, value);
  if (!c.res.headers.has("Cache-Control")) c.res.headers.set("Cache-Control", "no-store");
};

/**
 * Pages are shown under the gateway's own hosts only. An answer without a body shows nothing, and clients probe `/`
 * by whatever name they have.
 */
export const ownHostOnly: MiddlewareHandler<{ Bindings: Env }> = async (c, next) => {
  const host = hostFor(c.req.raw);
  if (c.req.method === "HEAD" || allowsHost(c.env, host)) return await next();
  const shown = JSON.stringify(host.slice(0, 200));
  return c.text(
    `Refused: ${shown} is not known as a host of this gateway. To open its pages there, add the name to the setting ALLOWED_HOSTS, or set PUBLIC_URL.\n`,
    421,
  );
};

/** Lets a writing request pass only when the browser itself says that it comes from one of these pages. */
export const sameOriginOnly: MiddlewareHandler<{ Bindings: Env }> = async (c, next) => {
  const { method } = c.req;
  if (method === "GET" || method === "HEAD") return await next();
  if (isOwn(c.req.raw, publicOrigin(c.env))) return await next();
  return c.text("Refused: this request does not come from the gateway's own pages.", 403);
};
