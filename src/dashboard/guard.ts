/** Protection of every page: under which hosts it is shown, where writing requests may come from, and what browsers are told to forbid. */
import type { MiddlewareHandler } from "hono";
import { allowsHost } from "../store/allowed-hosts.ts";
import type { Env } from "../store/env.ts";

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
export const sameOriginOnly: MiddlewareHandler = async (c, next) => {
  const { method } = c.req;
  if (method === "GET" || method === "HEAD" || isOwn(c.req.raw)) return await next();
  return c.text("Refused: this request does not come from the dashboard itself.", 403);
};

/** At least one header says "from here", and none says anything else. */
export function isOwn(request: Request): boolean {
  const site = request.headers.get("Sec-Fetch-Site");
  const origin = request.headers.get("Origin");
  if (site !== null && site !== "same-origin") return false;
  // A page that may not say where it is; only the browser's own word can vouch for it.
  if (origin === null || origin === "null") return site === "same-origin";
  return hostOf(origin) === hostFor(request);
}

/** The host that the browser asked for. */
function hostFor(request: Request): string {
  return request.headers.get("Host") ?? new URL(request.url).host;
}

function hostOf(origin: string): string | undefined {
  try {
    return new URL(origin).host;
  } catch {
    return undefined;
  }
}
