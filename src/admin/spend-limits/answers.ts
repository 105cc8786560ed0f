/** Answers of the spend limits' API, which speaks as Anthropic's admin API does. */
import { newId } from "../../lib/ids.ts";

/** A refusal; `message` names the field where one is at fault. */
export class SpendLimitFault extends Error {
  readonly status: 400 | 401 | 403 | 404 | 429;

  constructor(status: SpendLimitFault["status"], message: string) {
    super(message);
    this.status = status;
  }
}

const types = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  429: "rate_limit_error",
} as const;

/** A field of the body or the query that is wrong. */
export function badField(path: string, message: string): SpendLimitFault {
  return new SpendLimitFault(400, `${path}: ${message}`);
}

/** For a limit that is not there. */
export function noSpendLimit(): SpendLimitFault {
  return new SpendLimitFault(404, "spend limit not found");
}

/** JSON with an id of the request, never kept by anybody on the way. */
export function spendAnswer(body: object): Response {
  const headers = { "request-id": newId("req_"), "cache-control": "no-store" };
  return Response.json(body, { headers });
}

/** The envelope of a refusal. */
export function spendRefusal({ status, message }: SpendLimitFault): Response {
  const id = newId("req_");
  const body = { type: "error", error: { type: types[status], message }, request_id: id };
  return Response.json(body, { status, headers: { "request-id": id } });
}
