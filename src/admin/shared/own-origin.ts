/** Where this gateway is, as browsers know it. */
import { hostFor } from "../../lib/same-origin.ts";
import type { Env } from "../../store/env.ts";
import { isHttps } from "./session.ts";

/** `https://gateway.example.com`: the setting `PUBLIC_URL`, else what was asked for. */
export function ownOrigin(env: Pick<Env, "PUBLIC_URL">, request: Request): string {
  return publicOrigin(env) ?? `${isHttps(request) ? "https" : "http"}://${hostFor(request)}`;
}

/** The setting's origin; undefined where it is not set. */
export function publicOrigin({
  PUBLIC_URL: setting = "",
}: Pick<Env, "PUBLIC_URL">): string | undefined {
  return setting === "" ? undefined : new URL(setting).origin;
}
