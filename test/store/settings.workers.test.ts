import { createExecutionContext } from "cloudflare:test";
import { env as bindings } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import type { Env } from "../../src/store/env.ts";
import worker from "../../src/worker.ts";

// The pool gives the bindings of wrangler.toml, which Env describes.
const env = bindings as unknown as Env;

async function ask(path: string, settings: Partial<Env>): Promise<Response> {
  const request = new Request(`http://gateway.test${path}`, { method: "POST" });
  return await worker.fetch(request, { ...env, ...settings }, createExecutionContext());
}

describe("a deployed worker", () => {
  it.each(["/v1/chat/completions", "/api/config", "/dashboard", "/healthz"])(
    "with a wrong setting answers %s with 500, and its log says which",
    async (path) => {
      const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
      const answer = await ask(path, { VARIANT: "C" });
      expect(answer.status).toBe(500);
      expect(await answer.json()).toMatchObject({ error: { type: "server_error" } });
      expect(log.mock.calls.flat().join()).toContain('VARIANT is "C"');
      log.mockRestore();
    },
  );

  it("with an admin token that can be guessed answers 500, and its log does not tell the token", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const answer = await ask("/healthz", { ADMIN_TOKEN: "hunter2" });
    expect(answer.status).toBe(500);
    expect(log.mock.calls.flat().join()).toContain("ADMIN_TOKEN has 7 characters");
    expect(log.mock.calls.flat().join()).not.toContain("hunter2");
    log.mockRestore();
  });

  it("runs variant B in all its parts when the setting is in lower case", async () => {
    const answer = await ask("/v1/chat/completions", { VARIANT: "b" });
    expect(answer.status).toBe(401);
    expect(answer.headers.get("x-gateway-tier")).toBe("none");
    const { error } = await answer.json<{ error: { message: string; code: unknown } }>();
    expect(error.code).toBe(401);
    expect(error.message).not.toContain("[gateway");
  });
});
