/**
 * The end of an SDK's program: it does what its parent asks, one message a job, and says how it ended.
 * In: `{ id, way, action, at: { gateway, key, model } }` or `{ id, abort: true }`. Out: `{ id, piece }` for each piece of a
 * stream, then `{ id, value }` or `{ id, error: { name, status, message } }`.
 */

const running = new Map();

/** Does what the parent asks with the functions of these ways of using the SDK. */
export function serve(ways) {
  process.on("message", ({ id, way, action, at, abort }) => {
    if (abort === true) return running.get(id)?.abort();
    const controller = new AbortController();
    running.set(id, controller);
    const onText = (piece) => process.send({ id, piece });
    const act = ways[way][action];
    return act({ ...at, onText, controller, signal: controller.signal })
      .then(
        (value) => process.send({ id, value }),
        (error) => process.send({ id, error: described(error) }),
      )
      .finally(() => running.delete(id));
  });
  // An SDK's own promise that nobody waits for is no reason to end.
  process.on("unhandledRejection", (error) => console.error("unhandled:", error));
  process.send({ id: 0, value: "ready" });
}

/** What a program would see of an exception. */
function described(error) {
  return {
    name: error?.constructor?.name ?? typeof error,
    status: error?.status ?? error?.statusCode ?? error?.code ?? null,
    message: String(error?.message ?? error),
  };
}
