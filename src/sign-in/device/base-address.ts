/** Under which address this gateway was asked, for the absolute addresses that programs are told. */
import { hostFor, originFor } from "../../lib/same-origin.ts";
import { allowsHost } from "../../store/allowed-hosts.ts";
import { type Env, modeOf } from "../../store/env.ts";
import { oidcOf } from "../../store/oidc-settings.ts";

/**
 * Whether programs can be signed in: where people can. Claude Code takes the sign-in of gateways in private networks
 * only, so a public address does not offer it.
 */
export function offersDeviceSignIn(env: Env): boolean {
  return modeOf(env) !== "cloud" && oidcOf(env) !== null;
}

/**
 * The origin that the client used, as clients believe no other; what `PUBLIC_URL` says where that is its host, or where
 * the client asked for a host that is not known. Undefined: neither.
 */
export function baseAddressOf(request: Request, env: Env): string | undefined {
  const { PUBLIC_URL: setting = "" } = env;
  const named = setting === "" ? undefined : new URL(setting);
  const host = hostFor(request);
  if (named?.host === host.toLowerCase() || !allowsHost(env, host)) return named?.origin;
  const asked = originFor(request);
  return URL.canParse(asked) ? new URL(asked).origin : named?.origin;
}
