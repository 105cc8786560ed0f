/** Where users reach the gateway, as the deployment says. */
import type { Env } from "./env.ts";

/** The origin of `PUBLIC_URL`; undefined where it is not set. */
export function publicOrigin({
  PUBLIC_URL: setting = "",
}: Pick<Env, "PUBLIC_URL">): string | undefined {
  return setting === "" ? undefined : new URL(setting).origin;
}
