/** Refusals of the admin API and the envelope that all of them have. */
import * as z from "zod";
import { withExplanation } from "../../core/docs-address.ts";
import { Problem, problemCodes } from "../../core/problem.ts";
import { isDeletedWorkspaceError } from "../../workspace/storage/tables/erasure-mark.ts";
import { isNewerStateError } from "../../workspace/storage/sql/schema-version.ts";

/** The body of every answer that is an error. */
export const errorSchema = z.object({
  error: z.object({ message: z.string(), type: z.string(), code: z.string() }),
});

/** 404 for something that the request names and that does not exist. */
export function notFound(message: string): Problem {
  return new Problem(problemCodes.unknownPath, message);
}

/** 404 for a harness that the document does not have. */
export function noHarness(harness: string): Problem {
  return notFound(`There is no harness ${JSON.stringify(harness)}`);
}

/** 409: the document is not the one that the caller saw. */
export function configConflict(message: string): Problem {
  return new Problem(problemCodes.internal, message, {
    status: 409,
    type: "invalid_request_error",
    code: "configuration_changed",
  });
}

/** 409 where there is no room for one more. */
export function tooMany(message: string): Problem {
  return new Problem(problemCodes.internal, message, {
    status: 409,
    type: "invalid_request_error",
    code: "too_many",
  });
}

/** 401 without a token or session that holds. */
export function unauthorized(): Problem {
  return new Problem(
    problemCodes.noKey,
    "Not signed in: send `Authorization: Bearer <token>` with the admin token or an access token, or sign in on the dashboard.",
    {
      code: "admin_auth",
      headers: { "WWW-Authenticate": "Bearer" },
    },
  );
}

/** 429 for a wrong administrator's token after too many of them. `wait`: whole seconds. */
export function tooManyWrongTokens(wait: number): Problem {
  return new Problem(
    problemCodes.addressRate,
    `Too many wrong tokens from this address. Try again in ${wait} s; the right token is accepted immediately.`,
    { code: "admin_auth", headers: { "Retry-After": String(wait) } },
  );
}

/** 403 where the caller's role has no right to the route, or they do not belong to the workspace that is named. */
export function forbidden(): Problem {
  return new Problem(
    problemCodes.unknownKey,
    "Your role does not allow this, or you are not a member of this workspace.",
    {
      status: 403,
      code: "forbidden",
    },
  );
}

/**
 * The answer to whatever was thrown; what is not a Problem is a fault of the gateway's own and is logged. `origin`: where
 * its caller reaches the gateway, and so the explanation.
 */
export function errorResponse(error: unknown, origin: string): Response {
  const problem = error instanceof Problem ? error : problemOf(error);
  const { type, code, extra } = problem;
  const message = withExplanation(problem.message, problem, origin);
  return Response.json(
    { error: { message, type, code, ...extra } },
    { status: problem.status, headers: problem.headers },
  );
}

function problemOf(error: unknown): Problem {
  return isDeletedWorkspaceError(error)
    ? notFound("This workspace was deleted.")
    : internalError(error);
}

function internalError(error: unknown): Problem {
  if (isNewerStateError(error))
    return new Problem(problemCodes.internal, error.message, { code: "newer_state" });
  console.error("an admin request failed:", error instanceof Error ? error.stack : String(error));
  return new Problem(problemCodes.internal, "The gateway failed to serve this request.");
}
