/** Addresses of this gateway that a sign-in comes from and goes to. */
import { publicOrigin } from "../store/public-origin.ts";
import { hostFor } from "../lib/same-origin.ts";
import type { Env } from "../store/env.ts";

/** Whether the browser is at another address of this gateway than the one where its cookies are needed. */
export function isElsewhere(env: Pick<Env, "PUBLIC_URL">, request: Request): boolean {
  const origin = publicOrigin(env);
  return origin !== undefined && new URL(origin).host !== hostFor(request);
}

/**
 * A path of this gateway, with its query; `otherwise` for what leads elsewhere. `/.//host` is a path of this gateway, and
 * becomes `//host`, which is none.
 */
export function ownPath(text: string | undefined, otherwise: string): string {
  if (text === undefined || text.length > 1000 || !/^\/[\w/.~%?&=+:@,-]*$/.test(text))
    return otherwise;
  const url = URL.canParse(text, "http://own.invalid") ? new URL(text, "http://own.invalid") : null;
  if (url?.origin !== "http://own.invalid" || url.pathname.startsWith("//")) return otherwise;
  return url.pathname + url.search;
}
