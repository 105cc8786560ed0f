import { describe, expect, it } from "vitest";
import { events, openLane, parsed, provider, words, type Json } from "../kit/asking.ts";
import {
  candidateOf,
  question,
  strictChunks,
  textOf as textOfChunks,
} from "../kit/gemini-client.ts";
import type { Lane } from "../kit/lane.ts";
import { stream, whole, type Script } from "../kit/script.ts";
import { endpoints } from "../kit/wire/index.ts";
import type { Said, WireFormat } from "../kit/wire/said.ts";
import { asked, knock, rowOf, world, type World } from "./kit.ts";

const cost = { input: 1, output: 10 };
const searchCost = { input: 2, output: 20 };
const page = { url: "https://example.org/tides", title: "Tides" };

/** The searcher's answer, as Anthropic's own search tells it. */
const searched = {
  id: "msg_s",
  type: "message",
  role: "assistant",
  model: "finder",
  content: [
    { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "tides" } },
    {
      type: "web_search_tool_result",
      tool_use_id: "srvtoolu_1",
      content: [{ type: "web_search_result", ...page, encrypted_content: "abc", page_age: null }],
    },
    { type: "text", text: "High tide is at noon." },
  ],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 50, output_tokens: 10, server_tool_use: { web_search_requests: 1 } },
};

/** The same search, as OpenAI's Responses tell it. */
const searchedInResponses: Json = {
  id: "resp_s",
  object: "response",
  status: "completed",
  model: "finder",
  output: [
    {
      type: "web_search_call",
      id: "ws_1",
      status: "completed",
      action: { type: "search", query: "tides", sources: [{ type: "url", url: page.url }] },
    },
    {
      type: "message",
      id: "msg_1",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: "High tide is at noon.", annotations: [] }],
    },
  ],
  usage: { input_tokens: 50, output_tokens: 10 },
};

/** OpenAI at the address of a lane. */
const openai = {
  kind: "openai",
  format: undefined,
  models: [{ id: "finder", cost: searchCost }],
};

interface Scene {
  readonly where: World;
  readonly model: Lane;
  readonly finder: Lane;
}

async function scene(format: WireFormat, searcher = "web"): Promise<Scene> {
  const [model, finder] = [openLane(), openLane()];
  await finder.answer(whole(searched));
  const providers = [
    provider({ id: "lab", format, lane: model, models: [{ id: "m", cost }] }),
    provider({
      id: "web",
      format: "messages",
      lane: finder,
      models: [{ id: "finder", cost: searchCost }],
    }),
  ];
  const more = searcher === "" ? {} : { web_search: { provider: searcher } };
  const harnesses = [{ id: "h", name: "H", ...more }];
  return { where: await world({ providers, harnesses }), model, finder };
}

const wanted: Said = {
  calls: [{ id: "call_1", name: "web_search", input: '{"query":"tides"}' }],
  usage: { input: 100, cached: 0, output: 5 },
};
const told: Said = {
  text: "High tide is at noon [1].",
  usage: { input: 200, cached: 0, output: 8 },
};

function scriptOf(said: Said, format: WireFormat, streamed: boolean): Script {
  const endpoint = endpoints[format];
  return streamed ? stream(endpoint.events(said, "m")) : whole(endpoint.whole(said, "m"));
}

const sideRequest = (streamed: boolean): Json => ({
  model: "lab/m",
  max_tokens: 1000,
  stream: streamed,
  messages: [{ role: "user", content: "Perform a web search for the query: tides" }],
  tools: [{ type: "web_search_20250305", name: "web_search", max_uses: 8 }],
});

function blocksOf(text: string, streamed: boolean): Json[] {
  if (!streamed) return (JSON.parse(text) as { content: Json[] }).content;
  const sent = text
    .split("\n\n")
    .flatMap((event) => /^data: (.*)$/m.exec(event)?.[1] ?? [])
    .map((data) => JSON.parse(data) as Json);
  return sent.flatMap(({ type, content_block: block }) =>
    type === "content_block_start" ? [block as Json] : [],
  );
}

/** What the answer says in words. */
function textOf(text: string, streamed: boolean): string {
  const deltas = [...text.matchAll(/"type":"text_delta","text":("(?:[^"\\\\]|\\\\.)*")/g)];
  if (streamed) return deltas.map(([, piece = '""']) => JSON.parse(piece) as string).join("");
  return blocksOf(text, false)
    .map((block) => String(block["text"] ?? ""))
    .join("");
}

describe("a Messages client that insists on a search, at a chat server that has none", () => {
  it.each([true, false])(
    "gets results of the harness's searcher (stream: %s)",
    async (streamed) => {
      const { where, model, finder } = await scene("chat");
      await model.answer(scriptOf(wanted, "chat", streamed), scriptOf(told, "chat", streamed));
      const got = await asked(where, { client: "messages", body: sideRequest(streamed) });
      expect(got.status).toBe(200);
      const blocks = blocksOf(got.text, streamed);
      expect(blocks.map(({ type }) => type)).toEqual([
        "server_tool_use",
        "web_search_tool_result",
        "text",
      ]);
      expect(blocks[1]).toMatchObject({ content: [{ type: "web_search_result", ...page }] });
      expect(textOf(got.text, streamed)).toBe("High tide is at noon [1].");
      expect(got.text).toContain("web_search_result_location");
      expect(got.text).not.toContain("call_1");

      const [first, second] = (await model.received()).map(({ text }) => JSON.parse(text) as Json);
      expect(first).toMatchObject({
        tools: [{ function: { name: "web_search" } }],
        tool_choice: { function: { name: "web_search" } },
      });
      expect(second).toMatchObject({ tool_choice: "auto" });
      const results = ((second?.["messages"] ?? []) as Json[]).filter(
        ({ role }) => role === "tool",
      );
      expect(results).toHaveLength(1);
      expect(results[0]?.["content"]).toContain("[1] Tides (https://example.org/tides)");
      const [sought] = await finder.received();
      expect(JSON.parse(sought?.text ?? "")).toMatchObject({
        tools: [{ type: "web_search_20250305", name: "web_search" }],
      });
    },
  );

  it("is billed for every turn and for the search", async () => {
    const { where, model } = await scene("chat");
    await model.answer(scriptOf(wanted, "chat", true), scriptOf(told, "chat", true));
    const got = await asked(where, { client: "messages", body: sideRequest(true) });
    const row = await rowOf(where, got.headers.get("X-Gateway-Request-Id"));
    const turns = (300 * cost.input + 13 * cost.output) / 1e6;
    const search = (50 * searchCost.input + 10 * searchCost.output) / 1e6;
    expect(row).toMatchObject({
      usage: { input_tokens: 300, output_tokens: 13, estimated: false },
      cost: expect.closeTo(turns + search, 12) as number,
      attempts: [{ model: "web/finder" }, { model: "lab/m" }],
    });
  });

  it.each([true, false])("is told where nobody searches (stream: %s)", async (streamed) => {
    const { where, model } = await scene("chat", "");
    const got = await asked(where, { client: "messages", body: sideRequest(streamed) });
    expect(got.status).toBe(200);
    expect(blocksOf(got.text, streamed)[1]).toMatchObject({
      type: "web_search_tool_result",
      content: { type: "web_search_tool_result_error", error_code: "unavailable" },
    });
    expect(await model.received()).toEqual([]);
  });

  it("is told of a search that failed, and the model goes on", async () => {
    const { where, model, finder } = await scene("chat");
    await finder.answer(whole({ type: "error", error: { type: "api_error", message: "no" } }, 500));
    await model.answer(
      scriptOf(wanted, "chat", true),
      scriptOf({ text: "Unknown." }, "chat", true),
    );
    const got = await asked(where, { client: "messages", body: sideRequest(true) });
    expect(blocksOf(got.text, true)[1]).toMatchObject({
      content: { type: "web_search_tool_result_error" },
    });
    expect(textOf(got.text, true)).toBe("Unknown.");
  });

  it("gets results of OpenAI, which searches in Responses and not in chat", async () => {
    const [model, finder] = [openLane(), openLane()];
    await finder.answer(whole(searchedInResponses));
    const providers = [
      provider({ id: "lab", format: "chat", lane: model, models: [{ id: "m", cost }] }),
      { ...provider({ id: "web", format: "responses", lane: finder }), ...openai },
    ];
    const web_search = { provider: "web", model: "finder" };
    const where = await world({ providers, harnesses: [{ id: "h", name: "H", web_search }] });
    await model.answer(scriptOf(wanted, "chat", false), scriptOf(told, "chat", false));
    const got = await asked(where, { client: "messages", body: sideRequest(false) });
    expect(blocksOf(got.text, false)[1]).toMatchObject({ content: [{ url: page.url }] });
    // The list of its models is asked for as well.
    const request = (await finder.received()).at(-1);
    expect(JSON.parse(request?.text ?? "")).toMatchObject({ tools: [{ type: "web_search" }] });
  });

  it("gets a search of the named model itself where its provider searches in another format", async () => {
    const finder = openLane();
    await finder.answer(whole(searchedInResponses));
    const providers = [
      { ...provider({ id: "web", format: "responses", lane: finder }), ...openai },
    ];
    const where = await world({ providers, harnesses: [{ id: "h", name: "H" }] });
    const got = await asked(where, {
      client: "messages",
      body: { ...sideRequest(false), model: "web/finder" },
    });
    expect(blocksOf(got.text, false)[1]).toMatchObject({ content: [{ url: page.url }] });
    // The list of its models is asked for as well.
    const request = (await finder.received()).at(-1);
    expect(JSON.parse(request?.text ?? "")).toMatchObject({ tools: [{ type: "web_search" }] });
  });

  describe("whose harness names a search endpoint", () => {
    const found = { results: [{ ...page, content: "Noon." }, { url: "javascript:alert(1)" }] };

    async function endpointScene(answer: Script): Promise<Scene> {
      const [model, finder] = [openLane(), openLane()];
      await finder.answer(answer);
      const providers = [
        provider({ id: "lab", format: "chat", lane: model, models: [{ id: "m", cost }] }),
      ];
      const web_search = { url: `${finder.url}/search?q={query}&format=json` };
      const where = await world({ providers, harnesses: [{ id: "h", name: "H", web_search }] });
      await model.answer(scriptOf(wanted, "chat", false), scriptOf(told, "chat", false));
      return { where, model, finder };
    }

    it("gets the pages that it lists, and is billed for the turns alone", async () => {
      const { where, model, finder } = await endpointScene(whole(found));
      const got = await asked(where, { client: "messages", body: sideRequest(false) });
      expect(blocksOf(got.text, false)[1]).toMatchObject({ content: [page] });
      expect((await finder.received()).map(({ method, path }) => `${method} ${path}`)).toEqual([
        "GET /search?q=tides&format=json",
      ]);
      const [, second] = await model.received();
      expect(second?.text).toContain("[1] Tides (https://example.org/tides)");
      expect(second?.text).toContain("Noon.");
      expect(second?.text).not.toContain("javascript:");
      const row = await rowOf(where, got.headers.get("X-Gateway-Request-Id"));
      const turns = (300 * cost.input + 13 * cost.output) / 1e6;
      expect(row).toMatchObject({ cost: expect.closeTo(turns, 12) as number });
    });

    it("leaves out pages that the client does not want", async () => {
      const { where } = await endpointScene(whole(found));
      const tool = { type: "web_search_20250305", name: "web_search" };
      const tools = [{ ...tool, blocked_domains: ["example.org"] }];
      const body = { ...sideRequest(false), tools };
      const got = await asked(where, { client: "messages", body });
      expect(blocksOf(got.text, false)[1]).toMatchObject({ content: [] });
    });

    it.each([
      ["an error", whole({ error: "no" }, 500)],
      ["no JSON", { headers: { "content-type": "text/html" }, body: "<html>" }],
      ["a redirect", { status: 302, headers: { location: "http://127.0.0.1:1/" } }],
    ] as const)("tells of a failure where it answers with %s", async (_, answer) => {
      const { where } = await endpointScene(answer);
      const got = await asked(where, { client: "messages", body: sideRequest(false) });
      expect(blocksOf(got.text, false)[1]).toMatchObject({
        content: { type: "web_search_tool_result_error" },
      });
    });
  });

  it("never takes words of a searcher that did not search for findings", async () => {
    const { where, model, finder } = await scene("chat");
    const invented = { ...searched, content: [{ type: "text", text: "I think noon." }], usage: {} };
    await finder.answer(whole(invented));
    await model.answer(scriptOf(wanted, "chat", false), scriptOf(told, "chat", false));
    await asked(where, { client: "messages", body: sideRequest(false) });
    const [, second] = await model.received();
    expect(second?.text).toContain("The search failed.");
    expect(second?.text).not.toContain("I think noon.");
  });

  it("stops at the searches that the client allows", async () => {
    const { where, model, finder } = await scene("chat");
    await model.answer(scriptOf(wanted, "chat", false));
    const body = {
      ...sideRequest(false),
      tools: [{ type: "web_search_20250305", name: "web_search", max_uses: 2 }],
    };
    const got = await asked(where, { client: "messages", body });
    expect(got.status).toBe(200);
    expect(await finder.received()).toHaveLength(2);
    expect((await model.received()).length).toBeLessThanOrEqual(12);
    expect(got.text).toContain("max_uses_exceeded");
  });
});

describe("what else the model calls", () => {
  it("goes to the client, with the searches of the same turn done", async () => {
    const { where, model } = await scene("chat");
    const both: Said = {
      calls: [...(wanted.calls ?? []), { id: "call_2", name: "read", input: '{"file":"a"}' }],
    };
    await model.answer(scriptOf(both, "chat", true));
    const search = sideRequest(true);
    const body = {
      ...search,
      tools: [
        ...(search["tools"] as Json[]),
        {
          name: "read",
          input_schema: { type: "object", properties: { file: { type: "string" } } },
        },
      ],
    };
    const got = await asked(where, { client: "messages", body });
    const types = blocksOf(got.text, true).map(({ type }) => type);
    expect(new Set(types)).toEqual(
      new Set(["server_tool_use", "tool_use", "web_search_tool_result"]),
    );
    expect(got.text).toContain('"stop_reason":"tool_use"');
    expect(await model.received()).toHaveLength(1);
  });
});

describe("other clients", () => {
  it("of Responses get the search as an item, and citations", async () => {
    const { where, model } = await scene("chat");
    await model.answer(scriptOf(wanted, "chat", false), scriptOf(told, "chat", false));
    const body = { model: "lab/m", input: "tides?", tools: [{ type: "web_search" }] };
    const got = await asked(where, { client: "responses", body });
    expect(parsed(got.text)).toMatchObject({
      output: [
        {
          type: "web_search_call",
          status: "completed",
          action: { type: "search", query: "tides" },
        },
        { type: "message", content: [{ annotations: [{ type: "url_citation", url: page.url }] }] },
      ],
    });
  });

  it("of Responses are told step by step in a stream", async () => {
    const { where, model } = await scene("chat");
    await model.answer(scriptOf(wanted, "chat", true), scriptOf(told, "chat", true));
    const body = { model: "lab/m", input: "tides?", stream: true, tools: [{ type: "web_search" }] };
    const got = await asked(where, { client: "responses", body });
    const types = events(got.text).map(({ json }) => String(json["type"]).replace("response.", ""));
    expect(types.slice(2, 8)).toEqual([
      "output_item.added",
      "web_search_call.in_progress",
      "web_search_call.searching",
      "web_search_call.completed",
      "output_item.done",
      "output_item.added",
    ]);
    expect(types.at(-1)).toBe("completed");
  });

  it.each([true, false])("of chat get citations (stream: %s)", async (streamed) => {
    const { where, model, finder } = await scene("chat");
    await model.answer(scriptOf(wanted, "chat", streamed), scriptOf(told, "chat", streamed));
    const body = {
      model: "lab/m",
      stream: streamed,
      messages: [{ role: "user", content: "tides?" }],
      web_search_options: {},
    };
    const got = await asked(where, { client: "chat", body });
    expect(await finder.received()).toHaveLength(1);
    expect(words("chat", got)).toBe("High tide is at noon [1].");
    expect(got.text).toContain('"url_citation"');
    expect(got.text).toContain(page.url);
    expect(got.text).not.toContain("tool_calls");
  });

  it.each(["generateContent", "streamGenerateContent?alt=sse"])(
    "of Gemini get grounding: %s",
    async (method) => {
      const streamed = method.startsWith("stream");
      const { where, model, finder } = await scene("chat");
      await model.answer(scriptOf(wanted, "chat", streamed), scriptOf(told, "chat", streamed));
      const answer = await knock(`/v1beta/models/lab/m:${method}`, {
        method: "POST",
        headers: { "x-goog-api-key": where.key, "content-type": "application/json" },
        body: JSON.stringify(question({ tools: [{ googleSearch: {} }] })),
      });
      expect(answer.status).toBe(200);
      const text = await answer.text();
      const chunks = streamed ? strictChunks(text) : [parsed(text)];
      expect(textOfChunks(chunks)).toBe("High tide is at noon [1].");
      expect(candidateOf(chunks.at(-1) ?? {})).toMatchObject({
        finishReason: "STOP",
        groundingMetadata: {
          webSearchQueries: ["tides"],
          groundingChunks: [{ web: { uri: page.url, title: page.title } }],
          groundingSupports: [{ segment: { startIndex: 21, endIndex: 24, text: "[1]" } }],
        },
      });
      expect(await finder.received()).toHaveLength(1);
    },
  );

  it("that insist get an error where nobody searches", async () => {
    const { where, model } = await scene("chat", "");
    const body = {
      model: "lab/m",
      input: "tides?",
      tools: [{ type: "web_search" }],
      tool_choice: { type: "web_search" },
    };
    const got = await asked(where, { client: "responses", body });
    expect(got.status).toBe(400);
    expect(got.text).toContain("web_search");
    expect(await model.received()).toEqual([]);
  });
});

describe("`auto`", () => {
  it.each(["", "lab"])(
    "asks a model whose provider searches, where the client insists",
    async (searcher) => {
      const { where, model, finder } = await scene("chat", searcher);
      const got = await asked(where, {
        client: "messages",
        body: { ...sideRequest(false), model: "auto" },
      });
      expect(parsed(got.text)).toMatchObject({ content: searched.content });
      expect(await finder.received()).toHaveLength(1);
      expect(await model.received()).toEqual([]);
    },
  );
});

it("a later relay to Anthropic is sent the findings in words, not as its own results", async () => {
  const { where, model, finder } = await scene("chat");
  await model.answer(scriptOf(wanted, "chat", false), scriptOf(told, "chat", false));
  const got = await asked(where, { client: "messages", body: sideRequest(false) });
  const { content } = parsed(got.text) as { content: Json[] };
  const body = {
    model: "web/finder",
    max_tokens: 100,
    messages: [
      { role: "user", content: "tides?" },
      { role: "assistant", content },
      { role: "user", content: "thanks" },
    ],
  };
  await asked(where, { client: "messages", body });
  const sent = (await finder.received()).at(-1)?.text ?? "";
  expect(sent).not.toContain("server_tool_use");
  expect(sent).not.toContain("gw1.");
  expect(sent).toContain("https://example.org/tides");
});
