/** The documentation as the gateway serves it, and the address at the end of what it says itself. */
import { describe, expect, it } from "vitest";
import { gatewayBase, gatewayEnv, send, sendIn } from "../matrix/kit/gateway.ts";

async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  return await send(new Request(gatewayBase + path, { redirect: "manual", ...init }));
}

describe("/docs", () => {
  it("shows pages as HTML, and as they were written, to everybody", async () => {
    const page = await ask("/docs/errors");
    expect([page.status, page.headers.get("content-type")]).toEqual([
      200,
      "text/html; charset=utf-8",
    ]);
    expect(page.headers.get("content-security-policy")).toContain("default-src 'self'");
    expect(await page.text()).toContain('<h3 id="m005">');
    const plain = await ask("/docs/errors.md");
    expect(plain.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
    expect(await plain.text()).toMatch(/^# Error codes\n/);
  });

  it("asks browsers to look again each time, and tells them when nothing is new", async () => {
    const page = await ask("/docs/errors");
    await page.body?.cancel();
    const tag = page.headers.get("etag") ?? "";
    expect(page.headers.get("cache-control")).toBe("no-cache");
    const again = await ask("/docs/errors", { headers: { "if-none-match": `W/"x", ${tag}` } });
    expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", tag]);
  });

  it("has the colours that the browser chose on the dashboard", async () => {
    const plain = await ask("/docs/errors");
    expect(await plain.text()).toContain('data-theme="auto"');
    const dark = await ask("/docs/errors", { headers: { cookie: "gateway_theme=dark" } });
    expect(await dark.text()).toContain('data-theme="dark"');
    expect(dark.headers.get("vary")).toContain("Cookie");
    expect(dark.headers.get("etag")).not.toBe(plain.headers.get("etag"));
  });

  it("answers HEAD without a body", async () => {
    const head = await ask("/docs/errors", { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });

  it.each([
    ["/docs", "/docs/"],
    ["/docs/README", "/docs/"],
    ["/docs/errors/", "/docs/errors"],
  ])("leads from %s to %s", async (path, to) => {
    const led = await ask(path);
    expect([led.status, led.headers.get("location")]).toEqual([308, to]);
  });

  it.each(["/docs/none", "/docs/none.md", "/docs/%2e%2e%2fwrangler.toml", "/docs/errors%2emd"])(
    "shows the list of all pages for %s",
    async (path) => {
      const page = await ask(path);
      expect(page.status).toBe(404);
      expect(await page.text()).toContain('href="/docs/errors"');
    },
  );

  it("opens under known hosts alone", async () => {
    const own = sendIn({ ...gatewayEnv, ALLOWED_HOSTS: "gateway.test" });
    const headers = { host: "evil.example" };
    const refused = await own(new Request("http://evil.example/docs/", { headers }));
    expect(refused.status).toBe(421);
    await refused.body?.cancel();
  });
});

describe("a message of the gateway's own", () => {
  const key = { authorization: "Bearer wrong" };
  const explained = (code: string): RegExp =>
    new RegExp(` See ${gatewayBase.replaceAll(".", "\\.")}/docs/errors#${code}"`);

  it.each([
    ["/v1/chat/completions", "m003"],
    ["/v1/responses", "m003"],
    ["/v1/messages", "m003"],
    ["/v1beta/models/auto:generateContent", "m003"],
    ["/v1/embeddings", "m003"],
    ["/v1/none", "m301"],
    ["/api/config", "admin_auth"],
  ])("at %s ends with its address", async (path, code) => {
    const method = path === "/api/config" ? "GET" : "POST";
    const init = { method, headers: key, ...(method === "POST" && { body: "{}" }) };
    expect(await (await ask(path, init)).text()).toMatch(explained(code));
  });

  it.each(["/v1/chat/completions", "/v1/responses", "/v1/messages"])(
    "at %s ends so where it is rendered as an answer, whole and streamed",
    async (path) => {
      for (const stream of [false, true]) {
        const headers = { ...key, accept: "text/event-stream" };
        const answer = await ask(path, { method: "POST", headers, body: `{"stream":${stream}}` });
        expect(answer.status).toBe(200);
        expect(await answer.text()).toMatch(explained("m003"));
      }
    },
  );

  it("names the address that was asked where the deployment names none", async () => {
    const { PUBLIC_URL: _, ...bare } = gatewayEnv;
    const url = "https://other.example:8443/v1/models";
    const answer = await sendIn(bare)(new Request(url, { headers: key }));
    expect(await answer.text()).toContain("See https://other.example:8443/docs/errors#m003");
  });

  it("of the admin API names the member at fault, then its address", async () => {
    const headers = { authorization: `Bearer ${gatewayEnv.ADMIN_TOKEN}` };
    const body = JSON.stringify({ providers: [{ id: "X" }] });
    const answer = await ask("/api/config", { method: "PUT", headers, body });
    const text = await answer.text();
    expect(answer.status).toBe(400);
    expect(text).toMatch(/"message":"providers\[0\]\./);
    expect(text).toMatch(explained("m300"));
  });
});
