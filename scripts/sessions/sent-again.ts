/** Sends a request again that met a connection which the server was about to end. */

/** Several idle connections end at the same time. */
const mostAttempts = 4;

/**
 * What `send` gives. workerd ends idle connections, maybe while a request sets out on one: then it is sent on another,
 * unless `hasArrived` says that it did arrive.
 */
export async function sentAgain<T>(
  send: () => Promise<T>,
  hasArrived: () => boolean = () => false,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send();
    } catch (error) {
      if (attempt === mostAttempts || !wasClosed(error) || hasArrived()) throw error;
    }
  }
}

const closedCodes: ReadonlySet<unknown> = new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"]);

/** `fetch` names its reason in `cause`. */
function wasClosed(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && "code" in cause && closedCodes.has(cause.code);
}
