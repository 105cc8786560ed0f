/** Whether a browser's request comes from a page of the same origin. */

/** At least one header says "from here", and none says anything else. */
export function isOwn(request: Request): boolean {
  const site = request.headers.get("Sec-Fetch-Site");
  const origin = request.headers.get("Origin");
  if (site !== null && site !== "same-origin") return false;
  // A page that may not say where it is; only the browser's own word can vouch for it.
  if (origin === null || origin === "null") return site === "same-origin";
  return hostOf(origin) === hostFor(request);
}

/** Whether a header says "from elsewhere": browsers say where whatever writes comes from, programs say nothing. */
export function isForeign(request: Request): boolean {
  const { headers } = request;
  return (headers.has("Sec-Fetch-Site") || headers.has("Origin")) && !isOwn(request);
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

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
