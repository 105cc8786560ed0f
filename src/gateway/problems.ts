/** Whatever was thrown, as a problem that may be told. */
import { Problem, problemCodes } from "../core/problem.ts";

/** Nothing of a fault's inside leaves. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return new Problem(
    problemCodes.internal,
    "The gateway failed to serve this request. Its log has the details.",
  );
}

/** The same; a fault of the gateway's own is written to the log of its process. */
export function loggedProblem(error: unknown): Problem {
  const problem = asProblem(error);
  if (problem.marker === problemCodes.internal)
    console.error(
      "request failed:",
      error instanceof Error ? (error.stack ?? error.message) : String(error),
    );
  return problem;
}
