/** Where this gateway is, as browsers know it. */
import { originFor } from "../../lib/same-origin.ts";
import type { Env } from "../../store/env.ts";
import { publicOrigin } from "../../store/public-origin.ts";

/** `https://gateway.example.com`: the setting `PUBLIC_URL`, else what was asked for. */
export function ownOrigin(env: Pick<Env, "PUBLIC_URL">, request: Request): string {
  return publicOrigin(env) ?? originFor(request);
}
