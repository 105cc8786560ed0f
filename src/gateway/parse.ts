/** The body of a request: read, parsed, and checked as its endpoint demands. */
import type { JsonObject } from "../lib/json.ts";
import { letOthersRun } from "../lib/pace.ts";
import { clientRequest, type ClientRequest } from "../upstream/client-request.ts";
import { bodyBounds, isLarge, parseBody } from "./request/body.ts";
import type { Planner } from "./candidates/candidates.ts";
import type { Identified } from "./identify.ts";

export interface Parsed extends Identified {
  readonly request: ClientRequest;
  /** Missing: as for a generation. */
  readonly planner?: Planner;
}

/**
 * Throws M300 (400, 413, 415) for what is not a JSON object, M501 where there is no memory for it. `requestOf`: finds the
 * request in the body, where that may hold it inside.
 */
export async function parse(
  identified: Identified,
  requestOf = (body: JsonObject): JsonObject => body,
): Promise<Parsed> {
  const { memory, client, address } = identified;
  const text = await identified.body.text(bodyBounds(identified));
  if (isLarge(text.length)) await letOthersRun();
  const whole = parseBody(text, memory.holds);
  if (isLarge(text.length)) await letOthersRun();
  const body = requestOf(whole);
  const sent = {
    body,
    text: body === whole ? text : JSON.stringify(body),
    ...(address !== undefined && { address }),
  };
  const request = clientRequest(client, sent);
  if (isLarge(text.length)) await letOthersRun();
  return { ...identified, request };
}

/** The same request, which has what its endpoint demands. Throws M300 that names the field. */
export function checked(parsed: Parsed): Parsed {
  const { client, request, address } = parsed;
  client.checkRequest(request.body, address);
  return parsed;
}
