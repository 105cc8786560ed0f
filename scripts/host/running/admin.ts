/** The gateway's admin API, as far as the launcher needs it. */
import { printable } from "../printable.ts";

export interface Admin {
  /** Whether the gateway takes this token. */
  holds(): Promise<boolean>;
  get(path: string): Promise<unknown>;
  put(path: string, body: unknown): Promise<unknown>;
  post(path: string, body: unknown): Promise<unknown>;
  delete(path: string): Promise<unknown>;
}

/** Calls of the admin API; an error status throws with the API's own message. */
export function adminOf(base: string, token: string): Admin {
  const send = (method: string, path: string, body?: unknown): Promise<Response> =>
    fetch(base + path, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await send(method, path, body);
    const text = await answer.text();
    if (!answer.ok)
      throw new Error(`${method} ${path}: ${answer.status} ${printable(text.slice(0, 400))}`);
    return text === "" ? undefined : JSON.parse(text);
  };
  return {
    async holds() {
      const answer = await send("GET", "/api/config");
      await answer.arrayBuffer();
      return answer.status !== 401;
    },
    get: (path) => call("GET", path),
    put: (path, body) => call("PUT", path, body),
    post: (path, body) => call("POST", path, body),
    delete: (path) => call("DELETE", path),
  };
}

/** Throws, in words for the user, when the state is one that this version can't open. */
export async function checkState(base: string, token: string): Promise<void> {
  const answer = await fetch(`${base}/api/status`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const text = await answer.text();
  if (answer.status !== 500) return;
  // The admin API's own envelope of errors.
  const { error } = JSON.parse(text) as { error: { message: string; code: string } };
  if (error.code === "newer_state") throw new Error(error.message);
}

/** Waits until the gateway answers its health check. */
export async function untilHealthy(base: string, patience = 10_000): Promise<void> {
  const until = Date.now() + patience;
  for (;;) {
    try {
      const answer = await fetch(`${base}/healthz`);
      await answer.arrayBuffer();
      if (answer.ok) return;
    } catch {
      // Not listening yet, or again.
    }
    if (Date.now() > until)
      throw new Error(`the gateway did not become healthy within ${patience / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
