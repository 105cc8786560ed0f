/** What rows of the log keep of texts and errors: what the harness's rules leave of them. */
import { describe, expect, it } from "vitest";
import {
  asks,
  at,
  openLane,
  provider,
  replyScript,
  request,
  type Json,
  type Script,
} from "../kit/asking.ts";
import { secretTexts } from "../redaction/kit.ts";
import { admin, asked, rowOf, world } from "./kit.ts";

const [secret = ""] = secretTexts;
const words = `ann@example.com 4111 1111 1111 1111 ${secret} ACME-123456`;

/** The row of a request, with these words in it, that the provider answers so. */
async function row(given: { ask?: (typeof asks)[number]; scripts: Script[]; harness?: Json }) {
  const { ask = { client: "chat", stream: false } as const, scripts, harness } = given;
  const lane = openLane();
  await lane.answer(...scripts);
  const where = await world({
    providers: [
      provider({ id: "bad", format: ask.client, lane, models: [{ id: "m" }, { id: "n" }] }),
    ],
    harnesses: [{ id: "h", name: "H", log_text: true, errors: "status", ...harness }],
  });
  const text = { chat: "messages", responses: "input", messages: "messages" }[ask.client];
  const said = ask.client === "responses" ? words : [{ role: "user", content: words }];
  const body = request(ask.client, { stream: ask.stream, [text]: said });
  const answer = await asked(where, { client: ask.client, body });
  return await rowOf(where, answer.headers.get("x-gateway-request-id"));
}

describe("texts", () => {
  it.each(asks)("of request and answer are redacted: $client, stream $stream", async (ask) => {
    const reply = replyScript(ask.client, { text: `so: ${words}.` }, { stream: ask.stream });
    const harness = { redact: { patterns: ["ACME-[0-9]+"] } };
    const { text } = await row({ ask, scripts: [reply], harness });
    expect(at(text, "answer")).toBe("so: [email] [card] [secret] [redacted].");
    expect(at(text, "request")).toContain('"[email] [card] [secret] [redacted]"');
  });

  it("are kept of a request that no model answered: its prompt finds it", async () => {
    const busy = { status: 503, body: JSON.stringify({ error: { message: "busy" } }) };
    const found = await row({
      scripts: [busy],
      harness: { redact: { patterns: ["ACME-[0-9]+"] } },
    });
    expect(found).toMatchObject({ outcome: "failed", model: null });
    expect(at(found, "text", "request")).toContain('"[email] [card] [secret] [redacted]"');
    expect(at(found, "text", "answer")).toBe("");
  });

  it("are kept of a request that the gateway itself could not serve, not of a blocked one", async () => {
    const limits = [{ metric: "requests", period: "month", max: 1, action: "block" }];
    const where = await world({
      providers: [provider({ id: "bad", format: "chat", lane: openLane() })],
      harnesses: [{ id: "h", name: "H", log_text: true, errors: "status", limits }],
    });
    const messages = [{ role: "user", content: "find me" }];
    const ask = async (model: string): Promise<Json> => {
      const body = { model, messages };
      const { headers } = await asked(where, { client: "chat", body });
      return await rowOf(where, headers.get("x-gateway-request-id"));
    };
    const unknown = await ask("nobody/none");
    expect(unknown).toMatchObject({ outcome: "failed", attempts: [] });
    expect(at(unknown, "text", "request")).toContain("find me");
    await ask("bad/m");
    const blocked = await ask("bad/m");
    expect(blocked).toMatchObject({ outcome: "blocked" });
    expect(blocked["text"]).toBeUndefined();
  });

  it("are kept as they are where the harness has no rules", async () => {
    const reply = replyScript("chat", { text: words }, { stream: false });
    const { text } = await row({ scripts: [reply], harness: { redact: { rules: [] } } });
    expect(at(text, "answer")).toBe(words);
  });
});

describe("errors", () => {
  const refused = (status: number): Script => ({
    status,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ error: { message: `${".".repeat(380)} can't: ${words}` } }),
  });
  const kept = `${".".repeat(380)} can't: [email] [card] [secret] [redacted]`;

  it("are redacted by every rule, in texts' harness and in others, and cut behind that", async () => {
    for (const rules of [["email"], []]) {
      const harness = { log_text: false, redact: { rules, patterns: ["ACME-[0-9]+"] } };
      const found = await row({ scripts: [refused(400)], harness });
      expect(found["text"]).toBeUndefined();
      const quoted = `${".".repeat(380)} can't: [email]`;
      expect(found["error"]).toBe(quoted);
      expect(at(found, "attempts", 0, "error")).toBe(quoted);
    }
  });

  it("quote nothing of the request where its texts are not kept", async () => {
    const message = `can't read {"content":"${words}"} of bad/m`;
    const refusal = { ...refused(400), body: JSON.stringify({ error: { message } }) };
    const quiet = await row({ scripts: [refusal], harness: { log_text: false } });
    expect(quiet["error"]).toBe(`can't read {"content":"[email]"} of bad/m`);
    const loud = await row({ scripts: [refusal] });
    expect(loud["error"]).toContain("[card] [secret] ACME-123456");
  });

  it("of attempts that another followed are redacted too", async () => {
    const reply = replyScript("chat", { text: "ok" }, { stream: false });
    const harness = { routing: { fallbacks: { "bad/m": ["bad/n"] } } };
    const found = await row({ scripts: [refused(503), reply], harness });
    expect(found["error"]).toBeNull();
    expect(at(found, "attempts", 0, "error")).toBe(kept.replace("[redacted]", "ACME-123456"));
  });

  it("in the middle of an answer are redacted", async () => {
    const body = [`data: ${JSON.stringify({ error: { message: words } })}\n\n`];
    const content = replyScript("chat", { text: "so" }, { stream: true });
    const first = Array.isArray(content.body) ? content.body.slice(0, 2) : [];
    const scripts = [{ ...content, body: [...first, ...body] }];
    const found = await row({ ask: { client: "chat", stream: true }, scripts });
    expect(found["error"]).toBe("[email] [card] [secret] ACME-123456");
    expect(at(found, "attempts", 0, "error")).toBe(found["error"]);
  });
});

describe("a harness's own patterns", () => {
  const put = async (redact: unknown): Promise<unknown> => {
    const where = await world({ providers: [], harnesses: [{ id: "h", name: "H" }] });
    const harnesses = [{ id: "h", name: "H", redact }];
    return await admin(where.token, "PUT /api/config", { harnesses });
  };

  it("are kept with the document", async () => {
    const redact = { rules: ["email"], patterns: ["ACME-[0-9]{6}"] };
    expect(at(await put(redact), "harnesses", 0, "redact")).toEqual(redact);
  });

  it.each([
    [{ patterns: ["ok", "(a+)\\1"] }, "harnesses[0].redact.patterns[1]: character 5: \\\\1 is not"],
    [{ patterns: ["a*"] }, "harnesses[0].redact.patterns[0]: matches empty text"],
    [{ patterns: ["a".repeat(201)] }, "harnesses[0].redact.patterns[0]: "],
    [
      { patterns: Array.from({ length: 21 }, () => "a") },
      "harnesses[0].redact.patterns: at most 20",
    ],
    [{ rules: ["phone"] }, "harnesses[0].redact.rules[0]: "],
    [{ pattern: [] }, "harnesses[0].redact.pattern: unknown member"],
  ])("are refused with the place and plain words: %j", async (redact, message) => {
    await expect(put(redact)).rejects.toThrow(message);
  });
});
