/** Answers of the sign-in's endpoints, in the words of OAuth 2.0 and its device flow (RFC 6749, 8628). */

/** Why a program does not get what it asked for. */
export type DeviceError =
  | "invalid_request"
  | "unsupported_grant_type"
  | "invalid_grant"
  | "authorization_pending"
  | "slow_down"
  | "access_denied"
  | "expired_token";

/** A person or their access is gone (401), a program asks too often (429); everything else is its own fault. */
const statuses: Partial<Record<DeviceError, number>> = { invalid_grant: 401, slow_down: 429 };

/** Nothing of these answers may be kept by anybody on the way. */
const headers = { "cache-control": "no-store", pragma: "no-cache" };

/** A whole answer as JSON. */
export function deviceAnswer(body: object): Response {
  return Response.json(body, { headers });
}

/** A refusal; `description` is for people. `retryAfter`: whole seconds. */
export function deviceRefusal(
  error: DeviceError,
  { description, retryAfter }: { description?: string; retryAfter?: number } = {},
): Response {
  const body = { error, ...(description !== undefined && { error_description: description }) };
  const more: Record<string, string> = { ...headers };
  if (retryAfter !== undefined) more["retry-after"] = String(retryAfter);
  return Response.json(body, { status: statuses[error] ?? 400, headers: more });
}
