/** Refusals of the admin API and the envelope that all of them have. */
import * as z from "zod";
import { Problem, problemCodes } from "../../core/problem.ts";
import { isNewerStateError } from "../../workspace/storage/schema-version.ts";

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
  return notFound(`there is no harness ${JSON.stringify(harness)}`);
}

/** 401 for a missing or unknown administrator's token. */
export function unauthorized(): Problem {
  return new Problem(
    problemCodes.noKey,
    "The admin API wants `Authorization: Bearer <ADMIN_TOKEN>`.",
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
    `Too many wrong tokens from this address. Try again in ${wait} s; a right token is served at once.`,
    { code: "admin_auth", headers: { "Retry-After": String(wait) } },
  );
}

/** 403 for a workspace's token where the deployment's is needed, or another workspace is named. */
export function forbidden(): Problem {
  return new Problem(problemCodes.unknownKey, "This token does not reach that far.", {
    status: 403,
    code: "forbidden",
  });
}

/** The answer to whatever was thrown; what is not a Problem is a fault of the gateway's own and is logged. */
export function errorResponse(error: unknown): Response {
  const problem = error instanceof Problem ? error : internalError(error);
  const { message, type, code, extra } = problem;
  return Response.json(
    { error: { message, type, code, ...extra } },
    { status: problem.status, headers: problem.headers },
  );
}

function internalError(error: unknown): Problem {
  if (isNewerStateError(error))
    return new Problem(problemCodes.internal, error.message, { code: "newer_state" });
  console.error("an admin request failed:", error instanceof Error ? error.stack : String(error));
  return new Problem(problemCodes.internal, "The gateway failed to serve this request.");
}
