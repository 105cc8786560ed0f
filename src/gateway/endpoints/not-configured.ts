/** The refusal of a deployment whose settings are wrong or incomplete; it serves nothing until they are corrected. */
import { Problem, problemCodes } from "../../core/problem.ts";
import { newId } from "../../lib/ids.ts";
import { policyOf } from "../../policy/choose.ts";
import { variantA } from "../../policy/variant-a.ts";
import type { Policy } from "../../policy/policy.ts";
import { type Env, SettingsError } from "../../store/env.ts";
import { baseHeaders } from "../headers.ts";
import { errorDetails } from "../refuse.ts";
import { formatOf } from "../request/format-of.ts";
import { letFinish } from "../request/unread-body.ts";

/** 503 `not_configured` in the caller's format; never rendered. Only the log names the setting. */
export async function refuseNotConfigured(http: Request, env: Env): Promise<Response> {
  const received = { id: newId("req_"), http, client: formatOf(http), policy: knownPolicy(env) };
  const problem = new Problem(
    problemCodes.internal,
    "This gateway is not configured, or a setting is wrong. Its log names the setting.",
    { status: 503, code: "not_configured" },
  );
  await letFinish(http);
  return Response.json(received.client.writeError(errorDetails(problem, received), received.id), {
    status: problem.status,
    headers: {
      ...baseHeaders({ received, rate: null, routing: undefined, refusedWith: problem.marker }),
      "x-should-retry": "false",
    },
  });
}

/** The variant decides how errors look; where its own setting is wrong they look as usual. */
function knownPolicy({ VARIANT }: Env): Policy {
  try {
    return policyOf({ ...(VARIANT !== undefined && { VARIANT }) });
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return variantA;
  }
}
