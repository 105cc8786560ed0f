/** What Claude Code 2.1.330 and Anthropic's SDK 1.11 send and act on, as recorded, on providers of several makers. */
import { describe, expect, it } from "vitest";
import {
  events,
  openLane,
  parsed,
  provider,
  replyScript,
  request,
  words,
  type Json,
  type Lane,
  type WireFormat,
} from "../kit/asking.ts";
import { whole, type Received } from "../kit/script.ts";
import { asked, knock, newKey, world, type World } from "./kit.ts";

const anthropic: Json = { kind: "anthropic", format: undefined };

interface Scene {
  where: World;
  lane: Lane;
}

async function scene(format: WireFormat, entry: Json = {}, harness: Json = {}): Promise<Scene> {
  const lane = openLane();
  await lane.answer(replyScript(format, { text: "hello" }, { stream: false }));
  const providers = [provider({ id: "lab", format, lane, ...entry })];
  return {
    where: await world({ providers, harnesses: [{ id: "h", name: "H", ...harness }] }),
    lane,
  };
}

async function posted(lane: Lane): Promise<Received> {
  const sent = (await lane.received()).findLast(({ method }) => method === "POST");
  if (sent === undefined) throw new Error("the provider was not called");
  return sent;
}

const agent = {
  "user-agent": "claude-cli/2.1.330 (external, cli)",
  "anthropic-version": "2023-06-01",
};

function turn(where: World, more: Json = {}, headers: Record<string, string> = {}) {
  const body = request("messages", { model: "lab/m", ...more });
  return asked(where, { client: "messages", body, headers: { ...agent, ...headers } });
}

function refusal(message: string): Json {
  return { type: "error", error: { type: "invalid_request_error", message } };
}

describe("an overflow told by a Messages provider", () => {
  const messages = [
    "input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000, decrease input length or `max_tokens` and try again",
    "prompt is too long: 210000 tokens > 200000 maximum",
    "Input is too long.",
    "max_tokens: 128000 > 64000, which is the maximum allowed number of output tokens for claude-sonnet-4-6",
    "capability_rejected: prompt_too_long",
  ];
  it.each(messages)("passes in its own words: %s", async (message) => {
    const { where, lane } = await scene("messages");
    await lane.answer(whole(refusal(message), 400));
    const { status, error } = await turn(where);
    expect({ status, message: error["message"], type: error["type"] }).toEqual({
      status: 400,
      message,
      type: "invalid_request_error",
    });
  });

  it("is given the two numbers where another format told it", async () => {
    const { where, lane } = await scene("chat");
    const message =
      "This model's maximum context length is 8192 tokens, however you requested 10240 tokens";
    await lane.answer(whole({ error: { message, type: "invalid_request_error" } }, 400));
    const { error } = await turn(where);
    expect(error["message"]).toBe("prompt is too long: 10240 tokens > 8192 maximum");
  });
});

describe("what a provider says of retries", () => {
  it.each([
    [500, "false"],
    [429, "false"],
    [400, "true"],
    [529, "true"],
  ])("passes: %i with %s", async (status, word) => {
    const { where, lane } = await scene("messages");
    const script = whole(refusal("no"), status);
    await lane.answer({
      ...script,
      headers: { ...script.headers, "x-should-retry": word, "retry-after": "1" },
    });
    const answer = await turn(where);
    expect(answer.status).toBe(status);
    expect(answer.headers.get("x-should-retry")).toBe(word);
    // What must not be sent again is not sent again here either.
    const tries = (await lane.received()).length;
    expect(tries).toBe(status === 429 && word === "true" ? 2 : 1);
  });

  it("is ours where it said nothing, and a limit without a pause gets one", async () => {
    const { where, lane } = await scene("messages");
    await lane.answer(whole(refusal("no"), 400));
    expect((await turn(where)).headers.get("x-should-retry")).toBe("false");
    await lane.answer(
      whole({ type: "error", error: { type: "rate_limit_error", message: "slow" } }, 429),
    );
    const limited = await turn(where);
    expect(limited.headers.get("retry-after")).toBe("5");
    expect(limited.headers.has("x-should-retry")).toBe(false);
  });
});

describe("request headers of Anthropic's", () => {
  const sent = {
    "anthropic-workspace-id": "wrkspc_1",
    "anthropic-future-thing": "on",
    "anthropic-beta": "claude-code-20250219,context-1m-2025-08-07",
    "anthropic-dangerous-direct-browser-access": "true",
    "anthropic-api-key": "mine",
    "anthropic-auth-token": "mine",
  };

  it("reach a Messages provider, whatever their names, but no credentials", async () => {
    const { where, lane } = await scene("messages");
    await turn(where, {}, sent);
    const { headers } = await posted(lane);
    const found = Object.entries(headers).filter(([name]) => name.startsWith("anthropic-"));
    expect(Object.fromEntries(found)).toEqual({
      "anthropic-version": "2023-06-01",
      "anthropic-workspace-id": "wrkspc_1",
      "anthropic-future-thing": "on",
      "anthropic-beta": "claude-code-20250219,context-1m-2025-08-07",
    });
  });

  it.each(["chat", "responses", "gemini"] as const)("reach no %s provider", async (format) => {
    const { where, lane } = await scene(format);
    await turn(where, {}, sent);
    const { headers } = await posted(lane);
    expect(Object.keys(headers).filter((name) => name.startsWith("anthropic-"))).toEqual([]);
  });

  it("give way to the connection's own", async () => {
    const { where, lane } = await scene("messages", {
      headers: { "anthropic-workspace-id": "set" },
    });
    await turn(where, {}, sent);
    expect((await posted(lane)).headers["anthropic-workspace-id"]).toBe("set");
  });
});

describe("a limit of the answer beyond the model's", () => {
  const models = [{ id: "m", max_output: 8192 }];
  const limits: Record<string, (body: Json) => unknown> = {
    chat: (body) => body["max_tokens"] ?? body["max_completion_tokens"],
    responses: (body) => body["max_output_tokens"],
    gemini: (body) => (body["generationConfig"] as Json)["maxOutputTokens"],
    messages: (body) => body["max_tokens"],
  };
  it.each([
    ["chat", 8192],
    ["responses", 8192],
    ["gemini", 8192],
    ["messages", 32_000],
  ] as const)("is the model's own in %s: %i", async (format, expected) => {
    const { where, lane } = await scene(format, { models });
    const answer = await turn(where, { max_tokens: 32_000 });
    expect(answer.status, answer.text).toBe(200);
    expect(limits[format]?.(parsed((await posted(lane)).text))).toBe(expected);
    expect(answer.headers.get("x-gateway-dropped") ?? "").not.toContain("max_tokens");
  });

  it("and a smaller one stays", async () => {
    const { where, lane } = await scene("chat", { models });
    await turn(where, { max_tokens: 100 });
    expect(parsed((await posted(lane)).text)["max_tokens"]).toBe(100);
  });
});

describe("limits of the user's own subscription", () => {
  const told = {
    "anthropic-ratelimit-unified-status": "allowed_warning",
    "anthropic-ratelimit-unified-5h-utilization": "0.9",
    "anthropic-organization-id": "org_1",
    "anthropic-ratelimit-requests-limit": "50",
  };
  const shown = (headers: Headers): Json =>
    Object.fromEntries([...headers].filter(([name]) => name.startsWith("anthropic-")));
  const own = {
    "anthropic-ratelimit-unified-status": "allowed_warning",
    "anthropic-ratelimit-unified-5h-utilization": "0.9",
    "anthropic-organization-id": "org_1",
  };
  const subscribed = { ...anthropic, auth: "subscription" };

  it.each([
    ["subscription", subscribed, own],
    ["key", anthropic, {}],
  ])("are shown over a %s as they should be", async (_, entry, expected) => {
    const { where, lane } = await scene("messages", entry);
    const script = replyScript("messages", { text: "hi" }, { stream: false });
    await lane.answer({ ...script, headers: { ...script.headers, ...told } });
    const model = entry === subscribed ? "lab/m-subscription" : "lab/m";
    const good = await turn(where, { model });
    expect(good.status, good.text).toBe(200);
    expect(shown(good.headers)).toEqual(expected);
    const limited = whole(
      { type: "error", error: { type: "rate_limit_error", message: "slow" } },
      429,
    );
    await lane.answer({
      ...limited,
      headers: { ...limited.headers, ...told, "retry-after": "60" },
    });
    expect(shown((await turn(where, { model })).headers)).toEqual(expected);
  });

  it("give way to the key's own limit", async () => {
    const limits = [{ metric: "cost", period: "day", max: 5, action: "block" }];
    const { where: made, lane } = await scene("messages", subscribed);
    const where = { ...made, key: await newKey(made.token, "h", { limits }) };
    const script = replyScript("messages", { text: "hi" }, { stream: false });
    await lane.answer({ ...script, headers: { ...script.headers, ...told } });
    const { headers } = await turn(where, { model: "lab/m-subscription" });
    expect(headers.get("anthropic-ratelimit-unified-status")).toBe("allowed");
    expect(headers.has("anthropic-ratelimit-unified-5h-utilization")).toBe(false);
  });
});

describe("the list of models for Claude Code's picker", () => {
  const models = [{ id: "m", context_window: 131_072, max_output: 8192 }];

  it("has every model under a name with its maker's, told apart, with its sizes", async () => {
    const { where } = await scene("chat", { models });
    const get = (path: string) =>
      knock(path, { headers: { ...agent, authorization: `Bearer ${where.key}` } });
    const list = (await (await get("/v1/models?limit=1000")).json()) as { data: Json[] };
    const ids = list.data.map(({ id }) => id);
    const dials = ["auto:eco", "auto:quality", "claude-auto-eco", "claude-auto-quality"];
    expect(ids).toEqual(["auto", "lab/m", "anthropic.lab/m", ...dials, "claude-auto"]);
    const sizes = { max_input_tokens: 131_072, max_tokens: 8192, description: "m from lab" };
    expect(list.data[2]).toMatchObject({ ...sizes, display_name: "m", type: "model" });
    expect(await (await get("/v1/models/anthropic.lab%2Fm")).json()).toMatchObject({
      id: "anthropic.lab/m",
      ...sizes,
    });
  });

  it("is as before for others", async () => {
    const { where } = await scene("chat", { models });
    const answer = await knock("/v1/models", { headers: { authorization: `Bearer ${where.key}` } });
    const { data } = (await answer.json()) as { data: Json[] };
    expect(data.map(({ id }) => id)).toEqual(["auto", "lab/m"]);
    expect(data[1]).not.toHaveProperty("description");
  });

  it("names what can be asked: in requests, tiers, aliases and behind walls", async () => {
    const routing = { auto: false, tiers: { default: ["anthropic.lab/m"] } };
    const set = { routing, aliases: { mine: "anthropic.lab/m" } };
    const { where, lane } = await scene("chat", { models }, set);
    for (const model of ["anthropic.lab/m", "mine", "auto"]) {
      const answer = await turn(where, { model });
      expect(answer.status, answer.text).toBe(200);
      expect(answer.headers.get("x-gateway-model")).toBe("lab/m");
      expect(parsed((await posted(lane)).text)["model"]).toBe("m");
    }
    const walled = await scene("chat", { models }, { models: ["other/*"] });
    expect((await turn(walled.where, { model: "anthropic.lab/m" })).status).toBe(403);
    expect((await turn(where, { model: "anthropic.lab/none" })).status).toBe(404);
  });
});

describe("a conversation that is to be kept as a thread", () => {
  const create = { thread: { type: "create" } };
  const goOn = { thread: { type: "continue", previous_message_id: "msg_1" } };
  const unsupported = { error_code: "thread_unsupported_request", unsupported: ["thread"] };

  it.each(
    (["chat", "responses", "gemini", "messages"] as const).flatMap((format) =>
      [create, goOn].flatMap((thread) =>
        [true, false].map((stream) => ({ format, thread, stream })),
      ),
    ),
  )(
    "is refused where nobody keeps it: $format, $thread.thread.type, stream $stream",
    async (given) => {
      const { where, lane } = await scene(given.format);
      const answer = await turn(where, { ...given.thread, stream: given.stream });
      expect(answer.status).toBe(400);
      expect(answer.json["type"]).toBe("error");
      expect(answer.error["details"]).toEqual(unsupported);
      expect(await lane.received()).toEqual([]);
    },
  );

  it("is kept by Anthropic's own service, whose word on lost ones passes", async () => {
    const { where, lane } = await scene("messages", anthropic);
    expect((await turn(where, create)).status).toBe(200);
    expect(parsed((await posted(lane)).text)["thread"]).toEqual(create.thread);
    expect((await turn(where, { ...goOn, messages: [] })).status).toBe(200);
    const details = { error_code: "thread_not_found" };
    await lane.answer(
      whole(
        { type: "error", error: { type: "invalid_request_error", message: "lost", details } },
        400,
      ),
    );
    expect((await turn(where, goOn)).error["details"]).toEqual(details);
  });

  it("is lost where `auto` goes on with another provider, and never told to it", async () => {
    const routing = { auto: false, tiers: { default: ["lab/m"] } };
    const { where, lane } = await scene("chat", {}, { routing });
    const answer = await turn(where, { ...goOn, model: "auto", stream: true });
    expect(answer.status).toBe(400);
    expect(answer.error["details"]).toEqual({ error_code: "thread_not_found" });
    expect(await lane.received()).toEqual([]);
  });

  it("does not fall back to a provider without threads", async () => {
    const [own, other] = [openLane(), openLane()];
    await own.answer(whole({ type: "error", error: { type: "api_error", message: "down" } }, 500));
    const providers = [
      provider({ id: "own", format: "messages", lane: own, ...anthropic }),
      provider({ id: "other", format: "chat", lane: other }),
    ];
    const routing = { fallbacks: { "own/m": ["other/m"] } };
    const where = await world({ providers, harnesses: [{ id: "h", name: "H", routing }] });
    expect((await turn(where, { model: "own/m", ...goOn })).status).toBe(500);
    expect(await other.received()).toEqual([]);
  });

  it.each([null, undefined])("is not meant by %s", async (thread) => {
    const { where } = await scene("chat");
    expect((await turn(where, { thread })).status).toBe(200);
  });
});

describe("a path that is not served", () => {
  it.each([
    ["/v1/files", agent],
    ["/v1/skills", agent],
    ["/v1/messages/batches", {}],
    ["/v1/organizations/me", agent],
  ])("%s is refused in Anthropic's words to Anthropic's clients", async (path, headers) => {
    const answer = await knock(path, { headers });
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({
      type: "error",
      error: { type: "not_found_error" },
      request_id: answer.headers.get("request-id"),
    });
  });

  it("and in OpenAI's to others", async () => {
    const answer = await knock("/v1/files", {});
    expect(await answer.json()).toMatchObject({ error: { code: "not_found", param: null } });
  });
});

describe("its web search, a request whose only tool is the provider's", () => {
  const search = (model: string): Json => ({
    model,
    stream: true,
    max_tokens: 32_000,
    system: [{ type: "text", text: "You are an assistant for performing a web search tool use" }],
    messages: [{ role: "user", content: "Perform a web search for the query: tides" }],
    tools: [{ type: "web_search_20250305", name: "web_search", max_uses: 8 }],
    tool_choice: { type: "tool", name: "web_search" },
  });

  it("is never answered by a model that makes results up", async () => {
    const { where, lane } = await scene("chat");
    const answer = await turn(where, search("lab/m"));
    expect(await lane.received()).toEqual([]);
    const types = events(answer.text).flatMap(
      ({ json }) => (json["content_block"] as Json | undefined)?.["type"] ?? [],
    );
    expect(types).toEqual(["server_tool_use", "web_search_tool_result", "text"]);
    expect(answer.text).toContain('"web_search_tool_result_error"');
    expect(answer.text).toContain('"stop_reason":"end_turn"');
  });

  it("passes to a provider that has it as it stands", async () => {
    const { where, lane } = await scene("messages");
    await lane.answer(replyScript("messages", { text: "found" }, { stream: true }));
    await turn(where, search("lab/m"));
    const sent = parsed((await posted(lane)).text);
    expect(sent["tools"]).toEqual(search("lab/m")["tools"]);
    expect(sent["tool_choice"]).toEqual({ type: "tool", name: "web_search" });
  });
});

describe("errors that it acts on", () => {
  const unknown = `gw_${"x".repeat(43)}`;

  it.each([true, false])("come by their status (stream: %s)", async (stream) => {
    const { where } = await scene("chat");
    const bad = await asked(where, {
      client: "messages",
      body: request("messages", { model: "lab/m", stream }),
      headers: agent,
      key: unknown,
    });
    expect([bad.status, bad.error["type"]]).toEqual([401, "authentication_error"]);
    expect(bad.headers.get("x-should-retry")).toBe("false");
    const missing = await turn(where, { model: "lab/none", stream });
    expect([missing.status, missing.error["type"]]).toEqual([404, "not_found_error"]);
  });

  it("are words to other clients of streams", async () => {
    const { where } = await scene("chat");
    const body = request("messages", { model: "lab/none", stream: true });
    const answer = await asked(where, { client: "messages", body });
    expect([answer.status, words("messages", answer)]).toEqual([
      200,
      expect.stringContaining("[gateway M302]"),
    ]);
  });
});

describe("a key's limit of money", () => {
  const limits = [{ metric: "cost", period: "day", max: 0.0001, action: "block" }];

  it("is seen in the program, and its end is told as a matter of billing", async () => {
    const { where: made, lane } = await scene(
      "chat",
      { models: [{ id: "m", cost: { input: 100, output: 100 } }] },
      { errors: "status" },
    );
    await lane.answer(
      replyScript(
        "chat",
        { text: "hi", usage: { input: 5, cached: 0, output: 5 } },
        { stream: false },
      ),
    );
    const key = await newKey(made.token, "h", { limits: [{ ...limits[0], max: 0.006 }] });
    const where = { ...made, key };
    const first = await turn(where, { max_tokens: 10 });
    expect(first.status, first.text).toBe(200);
    expect(first.headers.get("anthropic-ratelimit-unified-status")).toBe("allowed");
    expect(
      Number(first.headers.get("anthropic-ratelimit-unified-overage-utilization")),
    ).toBeLessThan(0.99);
    const usage = await knock("/api/oauth/usage", {
      headers: { ...agent, authorization: `Bearer ${key}` },
    });
    expect(usage.status).toBe(200);
    const spent = { ...made, key: await newKey(made.token, "h", { limits }) };
    const refused = await turn(spent, { max_tokens: 1000 });
    expect([refused.status, refused.error["type"]]).toEqual([429, "billing_error"]);
    expect(refused.headers.get("x-should-retry")).toBe("false");
    expect(refused.headers.get("anthropic-ratelimit-unified-status")).toBe("rejected");
  });
});

describe("its hints of what a request is for", () => {
  it.each([
    [{ "x-claude-code-request-class": "main" }, "main"],
    [{ "x-claude-code-request-class": "subagent", "x-claude-code-agent-type": "Plan" }, "plan"],
    [{ "x-claude-code-request-class": "subagent" }, "subagent"],
    [
      { "x-claude-code-request-class": "compaction", "x-claude-code-compaction": "auto" },
      "compaction",
    ],
    [
      {
        "x-claude-code-request-class": "auxiliary",
        "x-claude-1p-request-class": "summary-extraction",
      },
      "background",
    ],
  ])("are read: %j", async (hints, role) => {
    const routing = { auto: false, tiers: { default: ["lab/m"] } };
    const { where } = await scene("chat", {}, { routing });
    const answer = await turn(where, { model: "auto" }, hints);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.headers.get("x-gateway-role")).toBe(role);
  });

  it("show the classifier of actions by its form", async () => {
    const routing = { auto: false, tiers: { default: ["lab/m"] } };
    const { where } = await scene("chat", {}, { routing });
    const stage = {
      model: "auto",
      max_tokens: 64,
      stop_sequences: ["</block>"],
      system: [{ type: "text", text: "You are a security monitor for autonomous AI agents." }],
    };
    const answer = await turn(where, stage, { "x-claude-code-request-class": "auxiliary" });
    expect(answer.headers.get("x-gateway-role")).toBe("safety");
  });
});
