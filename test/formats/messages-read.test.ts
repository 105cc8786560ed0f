import { checkRequest } from "../../src/formats/messages/request/check.ts";
import { describe, expect, it } from "vitest";
import { Problem } from "../../src/core/problem.ts";
import { stateTag, wrapState } from "../../src/translation/opaque-state.ts";
import type { Block, ModelRequest } from "../../src/core/request.ts";
import { checkCountRequest } from "../../src/formats/messages/request/check.ts";
import { messages } from "../../src/formats/messages/index.ts";
import type { JsonObject, JsonValue } from "../../src/lib/json.ts";

const body = (members: JsonObject = {}): JsonObject => ({
  model: "m",
  max_tokens: 100,
  messages: [{ role: "user", content: "hello" }],
  ...members,
});

const read = (members: JsonObject = {}): ModelRequest => messages.client.readRequest(body(members));

/** What one user message with this content is read as. */
function blocks(...content: JsonValue[]): Block[] {
  return read({ messages: [{ role: "user", content }] }).messages[0]?.blocks ?? [];
}

function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof Problem) return `${error.marker} ${error.message}`;
    throw error;
  }
  return "accepted";
}

describe("what the gateway demands of a Messages request", () => {
  const cases: [string, JsonObject][] = [
    ["model", { model: 7 }],
    ["model", { model: "" }],
    ["model", { model: "x".repeat(513) }],
    ["model", { model: "a\nb" }],
    ["stream", { stream: "yes" }],
    ["messages", { messages: [] }],
    ["messages", { messages: "hello" }],
    ["messages[0]", { messages: ["hello"] }],
    ["messages[0].role", { messages: [{ role: "tool", content: "x" }] }],
    ["messages[0].content", { messages: [{ role: "user", content: 1 }] }],
    ["messages[0].content[0]", { messages: [{ role: "user", content: ["x"] }] }],
    ["messages[0].content[0].type", { messages: [{ role: "user", content: [{ text: "x" }] }] }],
    ["tools", { tools: {} }],
    ["max_tokens", { max_tokens: 0 }],
    ["max_tokens", { max_tokens: 1.5 }],
  ];
  it.each(cases)("names %s", (path, members) => {
    expect(refusal(() => checkRequest(body(members)))).toContain(`M300 ${path}:`);
  });

  it("is silent about everything else, unknown blocks included", () => {
    const odd = {
      messages: [{ role: "system", content: [{ type: "new_block", x: 1 }] }, { role: "user" }],
    };
    expect(
      refusal(() => checkRequest(body({ ...odd, anything: 1, tools: null, stream: null }))),
    ).toBe("accepted");
  });

  it("needs max_tokens only where something is to be written", () => {
    const { max_tokens: _, ...count } = body();
    expect(refusal(() => checkRequest(count))).toContain("M300 max_tokens:");
    expect(refusal(() => checkCountRequest(count))).toBe("accepted");
    expect(messages.client.readRequest(count).maxOutput).toBeUndefined();
  });
});

describe("instructions of a Messages request", () => {
  it("are read from a string or from blocks with their breakpoints", () => {
    expect(read({ system: "be brief" }).messages[0]).toEqual({
      role: "instruction",
      voice: "system",
      top: true,
      blocks: [{ kind: "text", text: "be brief" }],
    });
    const marked = { type: "text", text: "b", cache_control: { type: "ephemeral", ttl: "1h" } };
    expect(read({ system: [{ type: "text", text: "a" }, marked] }).messages[0]?.blocks).toEqual([
      { kind: "text", text: "a" },
      { kind: "text", text: "b", cache: { ttl: "1h", path: "system[].cache_control" } },
    ]);
  });

  it("lose the accounting line of Claude Code and nothing else", () => {
    const line = "x-anthropic-billing-header: cc_version=9; cc_entrypoint=cli;";
    const texts = (system: JsonValue) =>
      read({ system }).messages.flatMap((message) =>
        message.role === "instruction"
          ? message.blocks.map((block) => "text" in block && block.text)
          : [],
      );
    expect(
      texts([
        { type: "text", text: line },
        { type: "text", text: "rules" },
      ]),
    ).toEqual(["rules"]);
    expect(texts(`${line}\nrules`)).toEqual(["rules"]);
    expect(texts([{ type: "text", text: `about ${line}` }])).toEqual([`about ${line}`]);
  });

  it("stay where they stand between the messages", () => {
    const turn = read({
      messages: [
        { role: "user", content: "a" },
        { role: "system", content: "b" },
        { role: "assistant", content: "c" },
        { role: "system", content: [{ type: "text", text: "d" }] },
      ],
    });
    expect(turn.messages.map((message) => message.role)).toEqual([
      "user",
      "instruction",
      "assistant",
      "instruction",
    ]);
    expect(turn.messages[1]?.top).toBeUndefined();
  });

  it("for one user turn are over when the next one has come", () => {
    const note = { role: "system", content: "now", clear_at: "next_user_message" };
    const roles = (list: JsonValue[]) =>
      read({ messages: list }).messages.map((message) => message.role);
    const asked = { role: "user", content: "a" };
    expect(roles([asked, note])).toEqual(["user", "instruction"]);
    expect(roles([asked, note, { role: "assistant", content: "b" }, asked])).toEqual([
      "user",
      "assistant",
      "user",
    ]);
  });

  it("may change the effort of the turn they stand in", () => {
    const harder = { role: "system", content: "think", output_config: { effort: "max" } };
    const asked = { role: "user", content: "a" };
    const effort = (list: JsonValue[]) =>
      read({ messages: list, output_config: { effort: "low" } }).reasoning?.effort;
    expect(effort([asked, harder])).toBe("max");
    expect(effort([asked, harder, { role: "assistant", content: "b" }, asked])).toBe("low");
  });
});

describe("content of a Messages request", () => {
  const path = "messages[].content[]";

  it("holds images and documents from every kind of source", () => {
    expect(
      blocks(
        { type: "image", source: { type: "base64", media_type: "image/png", data: "AA==" } },
        { type: "image", source: { type: "url", url: "https://e.com/i.png" } },
        { type: "image", source: { type: "file", file_id: "file_1" } },
        {
          type: "document",
          source: { type: "text", media_type: "text/plain", data: "t" },
          title: "T",
          context: "c",
        },
      ),
    ).toEqual([
      {
        kind: "media",
        media: "image",
        source: { type: "bytes", mime: "image/png", data: "AA==" },
        path,
      },
      { kind: "media", media: "image", source: { type: "url", url: "https://e.com/i.png" }, path },
      { kind: "media", media: "image", source: { type: "file", id: "file_1" }, path },
      {
        kind: "media",
        media: "document",
        source: { type: "text", text: "t" },
        name: "T",
        context: "c",
        path,
      },
    ]);
  });

  it("holds documents of blocks, search results among them", () => {
    const content = [{ type: "text", text: "x" }];
    expect(blocks({ type: "document", source: { type: "content", content } })[0]).toMatchObject({
      source: { type: "blocks", blocks: [{ kind: "text", text: "x" }] },
    });
    expect(
      blocks({ type: "search_result", source: "https://e.com", title: "T", content })[0],
    ).toMatchObject({
      media: "document",
      name: "T",
      context: "https://e.com",
      source: { type: "blocks", blocks: [{ kind: "text", text: "x" }] },
    });
  });

  it("holds calls with their input as JSON, and results of text, parts or nothing", () => {
    const turn = read({
      messages: [
        {
          role: "assistant",
          content: [{ type: "tool_use", id: "t1", name: "f", input: { a: [1] } }],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "t1", content: "out", is_error: true },
            { type: "tool_result", tool_use_id: "t2" },
            {
              type: "tool_result",
              tool_use_id: "t3",
              content: [{ type: "text", text: "p" }],
              is_error: false,
            },
          ],
        },
      ],
    });
    expect(turn.messages[0]?.blocks).toEqual([
      {
        kind: "call",
        id: "t1",
        name: "f",
        call: "function",
        input: '{"a":[1]}',
        object: { a: [1] },
      },
    ]);
    expect(turn.messages[1]?.blocks).toEqual([
      {
        kind: "result",
        id: "t1",
        call: "function",
        blocks: [{ kind: "text", text: "out" }],
        isError: true,
        path,
      },
      { kind: "result", id: "t2", call: "function", blocks: [], path },
      { kind: "result", id: "t3", call: "function", blocks: [{ kind: "text", text: "p" }], path },
    ]);
  });

  it("that is not what its type says is refused by name", () => {
    expect(refusal(() => blocks({ type: "text" }))).toContain("M300 messages[].content[].text:");
    expect(refusal(() => blocks({ type: "image" }))).toContain("M300 messages[].content[].source:");
    expect(refusal(() => blocks({ type: "tool_result" }))).toContain("tool_use_id");
    const source = { type: "hologram" };
    expect(refusal(() => blocks({ type: "image", source }))).toContain("source.type");
  });

  it("of the model's own turns may leave out what only its maker knows; a user's may not", () => {
    const search = { type: "server_tool_use", id: "s", name: "web_search", input: {} };
    const [trace] =
      read({ messages: [{ role: "assistant", content: [search] }] }).messages[0]?.blocks ?? [];
    expect(trace).toMatchObject({ kind: "opaque", format: "messages", weight: "auxiliary", path });
    const [upload] = blocks({ type: "container_upload", file_id: "file_1" });
    expect(upload).toMatchObject({ kind: "opaque", weight: "essential" });
  });

  it("keeps the summary that stands for an earlier conversation", () => {
    const content = [{ type: "compaction", content: "so far" }];
    expect(read({ messages: [{ role: "assistant", content }] }).messages[0]?.blocks).toEqual([
      { kind: "text", text: "so far" },
    ]);
  });
});

describe("thinking in a Messages request", () => {
  const thinking = (signature: string, text = "hm"): JsonObject => ({
    type: "thinking",
    thinking: text,
    signature,
  });
  const said = (...content: JsonValue[]) =>
    read({ messages: [{ role: "assistant", content }] }).messages[0]?.blocks;
  const path = "messages[].content[]";
  const state = {
    format: "gemini",
    origin: "lab",
    type: "thought_signature",
    data: "c2ln",
  } as const;

  it("signed by Anthropic has a state without an origin", () => {
    expect(said(thinking("native"), { type: "redacted_thinking", data: "hidden" })).toEqual([
      {
        kind: "thinking",
        text: "hm",
        path,
        state: { format: "messages", type: "signature", data: "native" },
      },
      {
        kind: "thinking",
        text: "",
        path,
        redacted: true,
        state: { format: "messages", type: "redacted", data: "hidden" },
      },
    ]);
  });

  it("with this gateway's tag carries another provider's state, or none", () => {
    expect(said(thinking(wrapState(state)))).toEqual([
      { kind: "thinking", text: "hm", path, state },
    ]);
    expect(said(thinking(`${stateTag}unsigned`))).toEqual([{ kind: "thinking", text: "hm", path }]);
    expect(said(thinking(`${stateTag}damaged`))).toEqual([{ kind: "thinking", text: "hm", path }]);
  });

  it("gives a call the state that travelled beside it", () => {
    const use = { type: "tool_use", id: "t1", name: "f", input: {} };
    const expected = [
      {
        kind: "call",
        id: "t1",
        name: "f",
        call: "function",
        input: "{}",
        object: {},
        state,
        statePath: "messages[].content[].signature",
      },
    ];
    expect(said(thinking(`${wrapState(state)}.next`, ""), use)).toEqual(expected);
    expect(said(use, thinking(`${wrapState(state)}.prev`, ""))).toEqual(expected);
  });

  it("keeps such a state when its call is gone", () => {
    const alone = [{ kind: "thinking", text: "", path, state }];
    expect(said(thinking(`${wrapState(state)}.next`, ""))).toEqual(alone);
    expect(said(thinking(`${wrapState(state)}.prev`, ""))).toEqual(alone);
  });
});

describe("tools of a Messages request", () => {
  const tool = (name: string, more: JsonObject = {}): JsonObject => ({
    name,
    input_schema: { type: "object" },
    ...more,
  });
  const names = (members: JsonObject) =>
    read(members).tools.map((one) => (one.kind === "hosted" ? one.type : one.name));

  it("that wait to be loaded are offered, their placeholder is not", () => {
    const tools = [
      tool("ToolSearch"),
      tool("DeferredToolPlaceholder", { defer_loading: true }),
      tool("NotebookEdit", { defer_loading: true }),
    ];
    const turn = read({ tools });
    expect(names({ tools })).toEqual(["ToolSearch", "NotebookEdit"]);
    expect(turn.tools.every((one) => one.kind !== "function" || one.deferred !== true)).toBe(true);
    expect(turn.unsupported).toContain("tools[].defer_loading");
  });

  it("that a result names are told in words", () => {
    const content = [{ type: "tool_reference", tool_name: "NotebookEdit" }];
    const [block] = blocks({ type: "tool_result", tool_use_id: "t1", content });
    expect(block).toMatchObject({ blocks: [{ kind: "reference", tool: "NotebookEdit" }] });
  });

  it("may come and go in the middle of the conversation", () => {
    const change = (type: string, inner: JsonObject): JsonObject => ({
      role: "system",
      content: [{ type, tool: inner }],
    });
    const asked = { role: "user", content: "a" };
    const added = change("tool_addition", { type: "tool_definition", definition: tool("late") });
    const gone = change("tool_removal", { type: "tool_reference", name: "early" });
    const back = change("tool_addition", { type: "tool_reference", name: "early" });
    const tools = [tool("early")];
    expect(names({ tools, messages: [asked, added, gone] })).toEqual(["late"]);
    expect(names({ tools, messages: [asked, gone, back] })).toEqual(["early"]);
  });

  it("of Anthropic's that the client runs are functions with their known input", () => {
    const [bash, editor] = read({
      tools: [
        { type: "bash_20250124", name: "bash" },
        { type: "text_editor_20250728", name: "str_replace_based_edit_tool" },
      ],
    }).tools;
    expect(bash).toMatchObject({
      kind: "function",
      name: "bash",
      schema: { properties: { command: {} } },
    });
    expect(editor).toMatchObject({ kind: "function", schema: { required: ["command", "path"] } });
  });

  it("that the provider runs keep their own form", () => {
    const raw = { type: "web_search_20250305", name: "web_search", max_uses: 3 };
    const turn = read({ tools: [raw], tool_choice: { type: "tool", name: "web_search" } });
    expect(turn.tools).toEqual([
      {
        kind: "hosted",
        format: "messages",
        type: raw.type,
        means: "web_search",
        raw,
        path: "tools[]",
      },
    ]);
    expect(turn.choice?.type).toBe("hosted");
  });

  it.each([
    [{ type: "auto" }, { type: "auto" }],
    [{ type: "any" }, { type: "required" }],
    [{ type: "none" }, { type: "none" }],
    [
      { type: "tool", name: "f" },
      { type: "tool", name: "f" },
    ],
  ])("are chosen by %j", (wire, neutral) => {
    expect(read({ tools: [tool("f")], tool_choice: wire }).choice).toEqual(neutral);
  });

  it("may be kept from running side by side", () => {
    const serial = { type: "auto", disable_parallel_tool_use: true };
    expect(read({ tool_choice: serial }).parallelTools).toBe(false);
    expect(
      read({ tool_choice: { type: "auto", disable_parallel_tool_use: false } }).parallelTools,
    ).toBeUndefined();
  });
});

describe("settings of a Messages request", () => {
  it.each<[JsonObject, unknown]>([
    [
      { thinking: { type: "enabled", budget_tokens: 2000 } },
      { mode: "budget", budget: 2000, summary: "auto" },
    ],
    [{ thinking: { type: "adaptive", display: "omitted" } }, { mode: "adaptive" }],
    [{ thinking: { type: "between_tools" } }, { mode: "adaptive", summary: "auto" }],
    [{ thinking: { type: "disabled" } }, { mode: "off" }],
    [{ output_config: { effort: "xhigh" } }, { effort: "xhigh" }],
    [{}, undefined],
  ])("%j asks for thinking", (members, reasoning) => {
    expect(read(members).reasoning).toEqual(reasoning);
  });

  it("ask for a schema in the new place and in the old one", () => {
    const format = { type: "json_schema", schema: { type: "object" } };
    const expected = { type: "schema", schema: { type: "object" }, strict: true };
    expect(read({ output_config: { format } }).output).toEqual(expected);
    expect(read({ output_format: format }).output).toEqual(expected);
  });

  it("have their places in the neutral form", () => {
    const turn = read({
      temperature: 0,
      top_p: 0.5,
      top_k: 4,
      stop_sequences: ["END"],
      metadata: { user_id: "u" },
      service_tier: "standard_only",
      stream: true,
    });
    expect(turn).toMatchObject({
      sampling: { temperature: 0, topP: 0.5, topK: 4 },
      stop: ["END"],
      user: "u",
      serviceTier: "default",
      stream: true,
      maxOutput: 100,
    });
    expect(turn.unsupported).toEqual([]);
  });

  it("without one are named once each, by the client's paths", () => {
    const citing = {
      type: "document",
      source: { type: "url", url: "https://e.com/a.pdf" },
      citations: { enabled: true },
    };
    const turn = read({
      context_management: { edits: [] },
      mcp_servers: [],
      metadata: { user_id: "u", other: 1 },
      output_config: { effort: "low", task_budget: {} },
      thinking: { type: "adaptive", block_binding: {} },
      cache_control: null,
      tools: [{ name: "f", input_schema: {}, eager_input_streaming: true }],
      messages: [{ role: "user", content: [citing, citing], extra: 1 }],
    });
    expect(new Set(turn.unsupported)).toEqual(
      new Set([
        "context_management",
        "mcp_servers",
        "metadata.other",
        "output_config.task_budget",
        "thinking.block_binding",
        "tools[].eager_input_streaming",
        "messages[].content[].citations",
        "messages[].extra",
      ]),
    );
    expect(turn.unsupported).toHaveLength(8);
  });
});
