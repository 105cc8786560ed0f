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

/** What a closed deployment answers and logs. */
async function closed(path: string, settings: Partial<Env>) {
  const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
  vi.spyOn(Date, "now").mockReturnValueOnce((later += 60_000));
  const answer = await ask(path, settings);
  const lines = log.mock.calls.flat().join();
  vi.restoreAllMocks();
  return { status: answer.status, headers: answer.headers, body: await answer.json(), lines };
}

/** A fault is logged at most every ten seconds. */
let later = Date.now();

const fault = { type: "server_error", code: "not_configured" };
const words = expect.stringContaining("not configured");

describe("a deployed worker", () => {
  it.each([
    ["/v1/chat/completions", { error: { ...fault, param: null } }],
    ["/v1/responses", { error: { ...fault, param: null } }],
    ["/v1/messages", { type: "error", error: { type: "api_error", code: fault.code } }],
    ["/v1/models", { error: fault }],
    ["/api/config", { error: fault }],
    ["/dashboard", { error: fault }],
    ["/", { error: fault }],
  ])("with a wrong setting answers %s with 503 in the caller's format", async (path, body) => {
    const answer = await closed(path, { VARIANT: "C" });
    expect(answer.status).toBe(503);
    expect(answer.body).toMatchObject(body);
    expect(answer.body).toMatchObject({ error: { message: words } });
    expect(answer.headers.get("x-gateway-request-id")).toMatch(/^req_/);
    expect(answer.headers.get("x-should-retry")).toBe("false");
    expect(answer.lines).toContain('VARIANT can\'t be "C"');
  });

  it.each<[Partial<Env>, string]>([
    [{ ADMIN_TOKEN: "" }, "ADMIN_TOKEN, or OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET"],
    [{ ENCRYPTION_KEY: "" }, "ENCRYPTION_KEY is missing"],
    [{ ENCRYPTION_KEY: btoa("sixteen bytes 16") }, "ENCRYPTION_KEY has 16 bytes"],
    [{ ENCRYPTION_KEY: "!!!" }, "ENCRYPTION_KEY is not base64"],
    [{ OIDC_ISSUER: "https://id.example.com" }, "OIDC_CLIENT_ID, OIDC_CLIENT_SECRET is missing"],
    [{ OIDC_ALLOWED_DOMAINS: "example.com" }, "OIDC_ISSUER"],
    [{ TRUSTED_IP_HEADER: "x real ip" }, "TRUSTED_IP_HEADER"],
    [{ PUBLIC_URL: "gateway" }, "PUBLIC_URL"],
    [{ KEEP_ALIVE_AFTER: "5s" }, "KEEP_ALIVE_AFTER"],
    [{ KEEP_ALIVE_AFTER: "-1" }, "KEEP_ALIVE_AFTER"],
    [{ THROTTLE_LIMIT: "many" }, "THROTTLE_LIMIT"],
    // wrangler.toml may say so.
    [{ THROTTLE_LIMIT: 100 as unknown as string }, "in quotes: THROTTLE_LIMIT"],
    [{ ADMIN_TOKEN: "hunter2" }, "ADMIN_TOKEN has 7 characters"],
  ])("in cloud mode is closed with %j, and its log says why", async (settings, line) => {
    const answer = await closed("/v1/models", { MODE: "cloud", ...settings });
    expect(answer.status).toBe(503);
    expect(answer.lines).toContain(line);
    expect(answer.lines).not.toContain("hunter2");
    expect(JSON.stringify(answer.body)).not.toMatch(/[A-Z]+_[A-Z]+/);
  });

  it("names everything that is missing at once", async () => {
    const { lines } = await closed("/", { MODE: "cloud", ADMIN_TOKEN: "", ENCRYPTION_KEY: "" });
    expect(lines).toContain("ENCRYPTION_KEY");
    expect(lines).toContain("ADMIN_TOKEN");
  });

  it("answers its health check all the same", async () => {
    const answer = await closed("/healthz", { MODE: "cloud", ENCRYPTION_KEY: "" });
    expect(answer).toMatchObject({ status: 200, body: { status: "ok" } });
  });

  it("never renders it, and says it in variant B's words there", async () => {
    const answer = await closed("/v1/chat/completions", { VARIANT: "B", ENCRYPTION_KEY: "" });
    expect(answer.body).toMatchObject({ error: { type: "server_error", code: 503 } });
    expect(answer.headers.get("x-gateway-tier")).toBe("none");
    expect(answer.lines).toContain("ENCRYPTION_KEY");
  });

  it("serves in cloud mode with a key and either way in", async () => {
    const signIn = { OIDC_ISSUER: "https://id.example.com", OIDC_CLIENT_ID: "a" };
    const ways = [{}, { ADMIN_TOKEN: "", ...signIn, OIDC_CLIENT_SECRET: "b" }];
    for (const way of ways)
      expect((await ask("/v1/chat/completions", { MODE: "cloud", ...way })).status).toBe(401);
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
