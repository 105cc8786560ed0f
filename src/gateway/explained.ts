/** What a problem says to a client: the variant's words, and where they are explained. */
import { withExplanation } from "../core/docs-address.ts";
import type { Problem } from "../core/problem.ts";
import { originFor } from "../lib/same-origin.ts";
import type { Received } from "./received.ts";

/** What the address of an explanation follows from. */
export type Explaining = Pick<Received, "http" | "policy" | "publicOrigin">;

/** `[gateway M005] This key is unknown or was revoked. See https://gateway.example.com/docs/errors#m005`. */
export function explainedMessage(problem: Problem, explaining: Explaining): string {
  const { policy } = explaining;
  return withExplanation(policy.message(problem), problem, originOf(explaining));
}

/** The address where clients reach the gateway: the deployment's setting, otherwise the one of this request. */
function originOf({ http, publicOrigin }: Explaining): string {
  if (publicOrigin !== undefined) return publicOrigin;
  const asked = originFor(http);
  return URL.canParse(asked) ? new URL(asked).origin : new URL(http.url).origin;
}
