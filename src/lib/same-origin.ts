/** Whether a browser's request comes from a page of the same origin. */

/**
 * At least one header says "from here", and none says anything else. Scheme, host and port must be the same: a page of
 * the same host without TLS may be anybody's. `publicOrigin`: where users reach the gateway, if the deployment says so.
 */
export function isOwn(request: Request, publicOrigin?: string): boolean {
  const site = request.headers.get("Sec-Fetch-Site");
  const origin = request.headers.get("Origin");
  if (site !== null && site !== "same-origin") return false;
  // A page that may not say where it is; only the browser's own word can vouch for it.
  if (origin === null || origin === "null") return site === "same-origin";
  if (!URL.canParse(origin)) return false;
  const { host, protocol } = new URL(origin);
  if (host !== hostFor(request)) return false;
  // The browser has compared the schemes; a proxy that does not tell that it speaks TLS leaves nothing to compare here.
  if (site === "same-origin" || origin === publicOrigin) return true;
  return protocol === (isHttps(request) ? "https:" : "http:");
}

/** Whether a header says "from elsewhere": browsers say where whatever writes comes from, programs say nothing. */
export function isForeign(request: Request, publicOrigin?: string): boolean {
  const { headers } = request;
  const isBrowsers = headers.has("Sec-Fetch-Site") || headers.has("Origin");
  return isBrowsers && !isOwn(request, publicOrigin);
}

/** By the request itself, or by the word of a proxy. */
export function isHttps({ url, headers }: Request): boolean {
  return new URL(url).protocol === "https:" || headers.get("X-Forwarded-Proto") === "https";
}

/** The origin that was asked for: `https://gateway.example.com`. It may be no origin where a client sends another host. */
export function originFor(request: Request): string {
  return `${isHttps(request) ? "https" : "http"}://${hostFor(request)}`;
}

/** The host that was asked for. */
export function hostFor(request: Request): string {
  return request.headers.get("Host") ?? new URL(request.url).host;
}
