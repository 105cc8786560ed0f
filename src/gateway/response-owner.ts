/**
 * Whose answers a request may go on from. Harnesses share their providers' keys, so a provider gives the answer of
 * one to any other that knows its id. What a harness was given is known from the conversations that its workspace
 * remembers; only a harness that wants it strict is asked about, with one call more.
 */
import { Problem, problemCodes } from "../core/problem.ts";
import { responseSessionKey } from "../routing/session/session-key.ts";
import type { Planned } from "./plan.ts";
import type { Services } from "./services.ts";

/** The code of a refusal, in OpenAI's words: clients that know it send the whole conversation instead. */
export const unknownResponseCode = "previous_response_not_found";

/** Ids are short and plain. Anything else is not looked up, because a provider may read it as another id. */
const plainId = /^[\x21-\x7e]{1,512}$/;

/** Throws where a strict harness names a response that it was not given, or that is forgotten. */
export async function checkResponseOwner(planned: Planned, services: Services): Promise<void> {
  const { plan, policy, request } = planned;
  if (plan.harness.response_owner !== "strict" || !policy.ownsResponses) return;
  const { continues } = request.description;
  if (continues === undefined) return;
  const { path, id = "" } = continues;
  if (plainId.test(id) && (await wasGiven(id, planned, services))) return;
  throw new Problem(
    problemCodes.invalidRequest,
    `Previous response with id '${id.slice(0, 200)}' not found.`,
    { code: unknownResponseCode, extra: { param: path }, exact: true },
  );
}

async function wasGiven(
  id: string,
  { plan: { harness }, holder }: Planned,
  { workspaces }: Services,
): Promise<boolean> {
  const { session } = await workspaces.foresee(holder.workspace, {
    harness: harness.id,
    candidates: [],
    flexible: false,
    session: responseSessionKey(harness.id, id),
  });
  return session !== null;
}
