/** Under which address this gateway was asked, for the absolute addresses that programs are told. */
import { allowsHost } from "../../store/allowed-hosts.ts";
import { type Env, modeOf } from "../../store/env.ts";

/**
 * Whether programs can be signed in: where people can. Claude Code takes the sign-in of gateways in private networks
 * only, so a public address does not offer it.
 */
export function offersDeviceSignIn(env: Env): boolean {
  return modeOf(env) !== "cloud" && (env.OIDC_ISSUER ?? "") !== "";
}

/**
 * The origin that the client used, or undefined where it asked for a host that is not known. What `PUBLIC_URL` says goes
 * first where that is its host; elsewhere a proxy in front may say that it was asked by HTTPS: a wrong word only
 * misleads whoever sent it.
 */
export function baseAddressOf(request: Request, env: Env): string | undefined {
  const url = new URL(request.url);
  const host = request.headers.get("host") ?? url.host;
  const open = publicOrigin(env);
  if (open !== undefined && open.host === host.toLowerCase()) return open.origin;
  if (!allowsHost(env, host)) return open?.origin;
  const stated = request.headers.get("x-forwarded-proto")?.split(",")[0]?.trim();
  const scheme = stated === "https" ? "https:" : url.protocol;
  const base = `${scheme}//${host}`;
  return URL.canParse(base) ? new URL(base).origin : open?.origin;
}

function publicOrigin({ PUBLIC_URL: setting = "" }: Env): URL | undefined {
  return URL.canParse(setting) ? new URL(setting) : undefined;
}
