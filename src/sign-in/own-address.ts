/** Where this gateway is, as browsers and the identity provider know it. */
import { isHttps } from "../admin/shared/session.ts";
import { hostFor } from "../lib/same-origin.ts";
import type { Env } from "../store/env.ts";

/** `https://gateway.example.com`: the setting `PUBLIC_URL`, else what this browser asked for. */
export function ownOrigin(env: Pick<Env, "PUBLIC_URL">, request: Request): string {
  return publicOrigin(env) ?? askedOrigin(request);
}

/** The setting's origin; undefined where it is not set. */
function publicOrigin({ PUBLIC_URL: setting = "" }: Pick<Env, "PUBLIC_URL">): string | undefined {
  return setting === "" ? undefined : new URL(setting).origin;
}

/** Whether the browser is at another address of this gateway than the one where its cookies are needed. */
export function isElsewhere(env: Pick<Env, "PUBLIC_URL">, request: Request): boolean {
  const origin = publicOrigin(env);
  return origin !== undefined && new URL(origin).host !== hostFor(request);
}

function askedOrigin(request: Request): string {
  return `${isHttps(request) ? "https" : "http"}://${hostFor(request)}`;
}

/** A path of this gateway, with its query; `otherwise` for what leads elsewhere. */
export function ownPath(text: string | undefined, otherwise: string): string {
  if (text === undefined || text.length > 1000 || !/^\/[\w/.~%?&=+:@,-]*$/.test(text))
    return otherwise;
  const url = URL.canParse(text, "http://own.invalid") ? new URL(text, "http://own.invalid") : null;
  return url?.origin === "http://own.invalid" ? url.pathname + url.search : otherwise;
}
