/** What a test of a connection says, over real sockets: each cause at its field, and nothing secret in any of them. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import http, { type RequestListener } from "node:http";
import https from "node:https";
import net, { type AddressInfo, type Server } from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { lookAt } from "../../scripts/host/server-check.ts";
import { cleanKey, keyFault } from "../../src/providers/connection/api-key.ts";
import { connectionOf } from "../../src/providers/connection/connection.ts";
import { findLocal } from "../../src/providers/models/local-servers.ts";
import { testProvider } from "../../src/providers/models/test-connection.ts";
import type { ProviderEntry } from "../../src/store/config.ts";

const secret = "sk-test-not-to-be-told-0123";
const servers: Server[] = [];
let folder = "";

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "causes-"));
  const files = ["-keyout", `${folder}/key.pem`, "-out", `${folder}/cert.pem`];
  const self = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...files];
  execFileSync("openssl", [...self, "-subj", "/CN=localhost"], { stdio: "ignore" });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function listening(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A listening TCP server has such an address.
  return (server.address() as AddressInfo).port;
}

const answering = (listener: RequestListener) => listening(http.createServer(listener));
const json =
  (status: number, body: unknown): RequestListener =>
  (_request, response) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

/** Looks as the launcher does. */
async function testOf(
  entry: Omit<ProviderEntry, "id">,
  reach: "everywhere" | "public" = "everywhere",
) {
  const check = (url: URL) =>
    lookAt({
      host: url.hostname.replace(/^\[|\]$/g, ""),
      port: Number(url.port === "" ? "443" : url.port),
      secure: url.protocol === "https:",
      reach,
    });
  const { api_key: key = secret } = entry;
  const connection = connectionOf({ id: "p", ...entry });
  const test = await testProvider(connection, { secret: key }, { reach, check });
  expect(JSON.stringify(test.ok ? test.message : test.fault)).not.toContain(key);
  return test;
}

const custom = (base_url: string) => ({ kind: "custom", format: "chat", base_url }) as const;
const fault = (cause: string, field?: string, more: object = {}) => ({
  ok: false,
  fault: { cause, ...(field !== undefined && { field }), ...more },
});

describe("a server that is not reached", () => {
  it("refused", async () => {
    const server = net.createServer();
    const port = await listening(server);
    await new Promise((resolve) => server.close(resolve));
    expect(await testOf(custom(`http://127.0.0.1:${port}/v1`))).toMatchObject(
      fault("refused", "base_url"),
    );
  });

  it("a name that nobody has", async () => {
    expect(await testOf(custom("https://nobody.invalid/v1"))).toMatchObject(
      fault("dns", "base_url"),
    );
  });

  it("a certificate that nobody vouches for", async () => {
    const tls = {
      key: readFileSync(`${folder}/key.pem`),
      cert: readFileSync(`${folder}/cert.pem`),
    };
    const port = await listening(https.createServer(tls, json(200, { data: [] })));
    expect(await testOf(custom(`https://localhost:${port}/v1`))).toMatchObject(
      fault("certificate", "base_url"),
    );
    // Called without TLS, which it wants.
    expect(await testOf(custom(`http://127.0.0.1:${port}/v1`))).toMatchObject(
      fault("scheme", "base_url"),
    );
  });

  it("plain HTTP where HTTPS is tried, with what answers", async () => {
    const port = await answering(json(200, { data: [{ id: "m" }] }));
    expect(await testOf(custom(`https://127.0.0.1:${port}/v1`))).toMatchObject(
      fault("scheme", "base_url", { suggestion: { base_url: `http://127.0.0.1:${port}/v1` } }),
    );
  });

  it("one that closes each connection", async () => {
    const port = await listening(net.createServer((socket) => socket.destroy()));
    expect(await testOf(custom(`http://127.0.0.1:${port}/v1`))).toMatchObject(
      fault("closed", "base_url"),
    );
  });

  it("one that never answers", { timeout: 30_000 }, async () => {
    const port = await listening(net.createServer((socket) => void socket.on("error", () => 0)));
    expect(await testOf(custom(`http://127.0.0.1:${port}/v1`))).toMatchObject(
      fault("timeout", "base_url"),
    );
  });

  it("a name that leads into a private network, where that is closed", async () => {
    expect(await lookAt({ host: "localhost", port: 80, secure: false, reach: "public" })).toBe(
      "private_address",
    );
    expect(await testOf(custom("https://10.0.0.1/v1"), "public")).toMatchObject(
      fault("private_address", "base_url"),
    );
  });
});

describe("a server that answers", () => {
  const error = (message: string, code = "x") => ({ error: { message, code } });

  it.each([
    [401, error(`Incorrect API key provided: ${secret}`), fault("key_refused", "api_key")],
    [403, error("not for you"), fault("key_refused", "api_key")],
    [
      400,
      error("API key not valid. Please pass a valid API key."),
      fault("key_refused", "api_key"),
    ],
    [402, error("Payment required"), fault("no_credit")],
    [429, error("You exceeded your current quota", "insufficient_quota"), fault("no_credit")],
    [429, error("Too many requests"), fault("rate_limited")],
    [400, error("Your credit balance is too low"), fault("no_credit")],
    [404, error("no such route"), fault("not_found", "base_url")],
    [503, error("overloaded"), fault("status")],
    [200, { hello: 1 }, fault("not_found", "base_url")],
    [200, { data: ["x".repeat(9 * 1024 * 1024)] }, fault("too_large", "base_url")],
  ])("HTTP %i %j", async (status, body, expected) => {
    const port = await answering(json(status, body));
    expect(await testOf(custom(`http://127.0.0.1:${port}/v1`))).toMatchObject(expected);
  });

  it("a web page, with the address that answers", async () => {
    const port = await answering((request, response) =>
      request.url === "/v1/models"
        ? json(200, { data: [{ id: "m" }] })(request, response)
        : response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html>"),
    );
    const root = `http://127.0.0.1:${port}`;
    for (const address of [root, `${root}/v1/chat/completions`])
      expect(await testOf(custom(address))).toMatchObject(
        fault("web_page", "base_url", { suggestion: { base_url: `${root}/v1` } }),
      );
  });

  it("an address with /v1 too many", async () => {
    const port = await answering((request, response) =>
      json(request.url === "/models" ? 200 : 404, { data: [{ id: "m" }] })(request, response),
    );
    expect(await testOf(custom(`http://127.0.0.1:${port}/v1`))).toMatchObject(
      fault("not_found", "base_url", { suggestion: { base_url: `http://127.0.0.1:${port}` } }),
    );
  });

  it("a redirect, with where it leads", async () => {
    const port = await answering((_request, response) =>
      response.writeHead(308, { location: "http://127.0.0.2:1/api/v1/models?key=x" }).end(),
    );
    const test = await testOf(custom(`http://127.0.0.1:${port}/v1`));
    expect(test).toMatchObject(
      fault("redirect", "base_url", { suggestion: { base_url: "http://127.0.0.2:1/api/v1" } }),
    );
  });

  it("a redirect to what is no address of a server, without a suggestion", async () => {
    const port = await answering((_request, response) =>
      response.writeHead(308, { location: "javascript:alert(1)//v1/models" }).end(),
    );
    const test = await testOf(custom(`http://127.0.0.1:${port}/v1`));
    const message = expect.stringContaining("redirects to another address. ");
    expect(test).toMatchObject(fault("redirect", "base_url", { message }));
    expect(test).not.toHaveProperty("fault.suggestion");
  });

  it("an endpoint of Anthropic's where OpenAI's was named", async () => {
    const port = await answering((request, response) =>
      request.headers["x-api-key"] === secret
        ? json(200, { data: [{ type: "model", id: "claude" }], has_more: false })(request, response)
        : json(401, { error: { message: "x-api-key header is required" } })(request, response),
    );
    expect(await testOf(custom(`http://127.0.0.1:${port}/v1`))).toMatchObject(
      fault("format", "format", { suggestion: { format: "messages" } }),
    );
  });

  it("the same at an address that lacks its version", async () => {
    const port = await answering((request, response) =>
      request.headers["x-api-key"] !== secret
        ? json(401, { error: { message: "invalid x-api-key" } })(request, response)
        : json(request.url === "/v1/models" ? 200 : 404, {
            data: [{ type: "model", id: "claude" }],
            has_more: false,
          })(request, response),
    );
    expect(await testOf(custom(`http://127.0.0.1:${port}`))).toMatchObject(
      fault("format", "format", { suggestion: { format: "messages" } }),
    );
  });

  it("a version is added to no address that has one", async () => {
    const asked: string[] = [];
    const port = await answering((request, response) => {
      asked.push(request.url ?? "");
      json(401, error("no"))(request, response);
    });
    await testOf(custom(`http://127.0.0.1:${port}/v1`));
    expect(asked.map((url) => url.split("?")[0])).toEqual(asked.map(() => "/v1/models"));
  });

  it("an answer that is no list is told for what it is", async () => {
    const bodies = {
      '{"data":[{"id":': "not valid JSON",
      "": "is empty",
      "{}": "not a list of models",
    };
    for (const [body, words] of Object.entries(bodies)) {
      const port = await answering((_request, response) => response.writeHead(200).end(body));
      expect(await testOf(custom(`http://127.0.0.1:${port}/v1`))).toMatchObject(
        fault("not_found", "base_url", {}),
      );
      const test = await testOf(custom(`http://127.0.0.1:${port}/v1`));
      expect(test.ok ? "" : test.fault.message).toContain(words);
    }
  });

  it("what to do about a refused key, and which address answers", async () => {
    const refusing = await answering(json(401, error("no")));
    const refused = await testOf(custom(`http://127.0.0.1:${refusing}/v1`));
    expect(refused.ok ? "" : refused.fault.message).toContain("Copy it again");
    const port = await answering((request, response) =>
      json(request.url === "/v1/models" ? 200 : 404, { data: [{ id: "m" }] })(request, response),
    );
    const missed = await testOf(custom(`http://127.0.0.1:${port}`));
    expect(missed.ok ? "" : missed.fault.message).toContain(
      `The API answers at http://127.0.0.1:${port}/v1.`,
    );
  });

  it("its models come newest first, with prices", async () => {
    const data = [
      { id: "gpt-4o-mini", created: 1_721_172_741 },
      { id: "undated" },
      { id: "gpt-5", created: 1_754_425_777 },
    ];
    const port = await answering(json(200, { data }));
    const test = await testOf({ kind: "openai", base_url: `http://127.0.0.1:${port}/v1` });
    const models = test.ok ? test.models : [];
    expect(models.map(({ info }) => info.id)).toEqual(["gpt-5", "gpt-4o-mini", "undated"]);
    expect(models[0]?.info.prices?.input).toBeGreaterThan(0);
  });
});

describe("keys as they are pasted", () => {
  it.each([
    ` ${secret}\n`,
    `"${secret}"`,
    `'${secret}' `,
    `OPENAI_API_KEY="${secret}"`,
    `export OPENAI_API_KEY=${secret}`,
    `Bearer ${secret}`,
    `Authorization: Bearer ${secret}`,
  ])("%j", (pasted) => expect(cleanKey(pasted)).toBe(secret));

  it("a key with something inside, or of another provider, is not sent", () => {
    expect(keyFault("sk-ab cd", "openai")).toMatchObject({ cause: "key_form" });
    expect(keyFault("sk-proj-…", "openai")).toMatchObject({ cause: "key_form" });
    expect(keyFault("sk-ant-api03-x", "openai")).toMatchObject({
      cause: "key_of_other",
      message: expect.stringContaining("Anthropic"),
    });
    expect(keyFault("sk-or-v1-x", "anthropic")?.message).toContain("OpenRouter");
    expect(keyFault("sk-proj-x", "openai")).toBeUndefined();
    expect(keyFault("whatever", "openai")).toBeUndefined();
  });
});

describe("local servers", () => {
  it("are found on another host too, at the address by which they are called there", async () => {
    const server = http.createServer(json(200, { data: [{ id: "m" }] }));
    servers.push(server);
    // Another address of this machine, where nobody else listens.
    await new Promise<void>((resolve) => server.listen(11_434, "127.0.0.7", resolve));
    expect(await findLocal("127.0.0.7")).toContainEqual({
      kind: "ollama",
      name: "Ollama",
      baseUrl: "http://127.0.0.7:11434/v1",
      models: 1,
    });
  });
});
