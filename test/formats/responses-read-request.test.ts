import { checkRequest } from "../../src/formats/responses/request/check.ts";
import { describe, expect, it } from "vitest";
import { Problem } from "../../src/core/problem.ts";
import { wrapState } from "../../src/translation/opaque-state.ts";
import type { ModelRequest } from "../../src/core/request.ts";
import { responses } from "../../src/formats/responses/index.ts";
import { asArray, type JsonObject, type JsonValue } from "../../src/lib/json.ts";
import { echo } from "../kit/neutral.ts";

const read = (members: JsonObject): ModelRequest =>
  responses.client.readRequest({ model: "m", input: "hi", ...members });
const messages = (...input: JsonValue[]) => read({ input }).messages;

function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof Problem && error.marker === "M300") return error.message;
    throw error;
  }
  throw new Error("it was not refused");
}

const said = (text: string) => ({ kind: "text", text });
const lark = { type: "grammar", syntax: "lark", definition: "start: /.+/" };

describe("what the gateway demands of a Responses request", () => {
  it.each([
    [{}, "model"],
    [{ model: "" }, "model"],
    [{ model: "a\nb" }, "model"],
    [{ model: "m".repeat(513) }, "model"],
    [{ stream: "yes" }, "stream"],
    [{ input: 7 }, "input"],
    [{ input: undefined }, "input"],
    [{ input: ["hi"] }, "input[0]"],
    [{ tools: {} }, "tools"],
  ])("%j is refused by name", (members, field) => {
    const body =
      Object.keys(members).length === 0 ? { input: "hi" } : { model: "m", input: "hi", ...members };
    expect(refusal(() => checkRequest(body)).startsWith(`${field}:`)).toBe(true);
  });

  it("a prompt template or an earlier response stands for the input", () => {
    expect(() => checkRequest({ model: "m", prompt: { id: "p" } })).not.toThrow();
    expect(() => checkRequest({ model: "m", previous_response_id: "resp_1" })).not.toThrow();
  });

  it("items, parts and fields that nobody knows pass", () => {
    const body = {
      model: "m",
      x: 1,
      input: [{ type: "new_item", content: [{ type: "new_part" }] }],
      tools: [{ type: "new" }],
    };
    expect(() => checkRequest(body)).not.toThrow();
  });
});

describe("the conversation", () => {
  it("a text is one user message; instructions come first", () => {
    expect(read({ instructions: "be brief" }).messages).toEqual([
      { role: "instruction", top: true, blocks: [said("be brief")] },
      { role: "user", blocks: [said("hi")] },
    ]);
  });

  it("items need no type where they have a role, and developers speak in their place", () => {
    expect(
      messages(
        { role: "system", content: "one" },
        { role: "user", content: [{ type: "input_text", text: "two" }] },
        { type: "message", role: "developer", content: "three" },
        {
          role: "assistant",
          content: [
            { type: "output_text", text: "four", annotations: [] },
            { type: "refusal", refusal: "no" },
          ],
        },
      ),
    ).toEqual([
      { role: "instruction", voice: "system", blocks: [said("one")] },
      { role: "user", blocks: [said("two")] },
      { role: "instruction", voice: "developer", blocks: [said("three")] },
      { role: "assistant", blocks: [said("four"), { kind: "refusal", text: "no" }] },
    ]);
  });

  it("what the model said and did in a row is one turn, its results are one user message", () => {
    expect(
      messages(
        {
          type: "reasoning",
          summary: [
            { type: "summary_text", text: "hm" },
            { type: "summary_text", text: "so" },
          ],
        },
        { role: "assistant", content: "I look" },
        { type: "function_call", call_id: "a", name: "f", arguments: '{"x":1}' },
        { type: "custom_tool_call", call_id: "b", name: "patch", input: "*** Begin" },
        { type: "function_call", call_id: "c", name: "g", namespace: "ns", arguments: {} },
        { type: "function_call_output", call_id: "a", output: "1" },
        {
          type: "custom_tool_call_output",
          call_id: "b",
          output: [{ type: "input_image", image_url: "https://x/y.png" }],
        },
        { role: "user", content: "and?" },
      ),
    ).toEqual([
      {
        role: "assistant",
        blocks: [
          { kind: "thinking", text: "hm\n\nso", path: "input[]" },
          said("I look"),
          { kind: "call", id: "a", name: "f", call: "function", input: '{"x":1}' },
          { kind: "call", id: "b", name: "patch", call: "custom", input: "*** Begin" },
          { kind: "call", id: "c", name: "g", namespace: "ns", call: "function", input: "{}" },
        ],
      },
      {
        role: "user",
        blocks: [
          { kind: "result", id: "a", call: "function", blocks: [said("1")], path: "input[]" },
          {
            kind: "result",
            id: "b",
            call: "custom",
            path: "input[]",
            blocks: [
              {
                kind: "media",
                media: "image",
                source: { type: "url", url: "https://x/y.png" },
                path: "input[].output[]",
              },
            ],
          },
        ],
      },
      { role: "user", blocks: [said("and?")] },
    ]);
  });

  it("media keep their bytes, type, name and detail", () => {
    const path = "input[].content[]";
    expect(
      messages({
        role: "user",
        content: [
          { type: "input_image", image_url: "data:image/png;base64,AAAA", detail: "high" },
          { type: "input_image", file_id: "file-1", detail: "auto" },
          { type: "input_image", image_url: "data:application/pdf;base64,BBBB" },
          { type: "input_file", filename: "a.pdf", file_data: "data:application/pdf;base64,CCCC" },
          { type: "input_file", filename: "a.csv", file_data: "RERERA==" },
          { type: "input_file", file_url: "https://x/a.pdf" },
          { type: "input_audio", input_audio: { data: "EEEE", format: "mp3" } },
        ],
      })[0]?.blocks,
    ).toEqual([
      {
        kind: "media",
        media: "image",
        source: { type: "bytes", mime: "image/png", data: "AAAA" },
        detail: "high",
        path,
      },
      {
        kind: "media",
        media: "image",
        source: { type: "file", id: "file-1" },
        detail: "auto",
        path,
      },
      {
        kind: "media",
        media: "document",
        source: { type: "bytes", mime: "application/pdf", data: "BBBB" },
        path,
      },
      {
        kind: "media",
        media: "document",
        source: { type: "bytes", mime: "application/pdf", data: "CCCC" },
        name: "a.pdf",
        path,
      },
      {
        kind: "media",
        media: "document",
        source: { type: "bytes", mime: "text/csv", data: "RERERA==" },
        name: "a.csv",
        path,
      },
      { kind: "media", media: "document", source: { type: "url", url: "https://x/a.pdf" }, path },
      {
        kind: "media",
        media: "audio",
        source: { type: "bytes", mime: "audio/mpeg", data: "EEEE" },
        path,
      },
    ]);
  });

  it("the service's own traces may be left out, what only it can continue may not", () => {
    const weights = messages(
      { type: "web_search_call", id: "ws_1", status: "completed", action: {} },
      { type: "compaction", id: "cmp_1", encrypted_content: "x" },
      { type: "computer_call_output", call_id: "c", output: {} },
    ).flatMap((message) =>
      message.blocks.map((block) => (block.kind === "opaque" ? [block.type, block.weight] : [])),
    );
    expect(weights).toEqual([
      ["web_search_call", "auxiliary"],
      ["compaction", "essential"],
      ["computer_call_output", "essential"],
    ]);
  });

  it("a reference to a stored item is dropped by name", () => {
    const turn = read({
      input: [
        { role: "user", content: "hi" },
        { type: "item_reference", id: "rs_1" },
        { id: "msg_1" },
      ],
    });
    expect(turn.messages).toHaveLength(1);
    expect(turn.unsupported).toEqual(["input[]"]);
  });

  it.each([
    [{ role: "wizard", content: "x" }, "input[0].role"],
    [{ role: "user", content: [{ type: "input_text" }] }, "input[0].content[0].text"],
    [{ role: "user", content: 5 }, "input[0].content"],
    [{ role: "user", content: [{ type: "input_image" }] }, "input[0].content[0].image_url"],
    [{ type: "function_call", call_id: "a" }, "input[0].name"],
    [{ type: "function_call_output", output: "" }, "input[0].call_id"],
    [{ foo: 1 }, "input[0].type"],
  ])("%j is refused with its place", (item, field) => {
    expect(refusal(() => messages(item)).startsWith(`${field}:`)).toBe(true);
  });
});

describe("opaque state", () => {
  const state = { format: "gemini", origin: "lab", type: "thought_signature", data: "s3" } as const;
  const carried = wrapState(state);
  const call = { type: "function_call", call_id: "a", name: "f", arguments: "{}" };
  const reasoning = (encrypted_content: string): JsonObject => ({
    type: "reasoning",
    summary: [],
    encrypted_content,
  });

  it("native state has no origin, tagged state has its maker's", () => {
    expect(messages(reasoning("gAAAA"))[0]?.blocks).toEqual([
      {
        kind: "thinking",
        text: "",
        state: { format: "responses", type: "encrypted_content", data: "gAAAA" },
        path: "input[].encrypted_content",
      },
    ]);
    expect(messages(reasoning(carried))[0]?.blocks[0]).toMatchObject({ kind: "thinking", state });
  });

  it("a call gets the state that stood next to it for it", () => {
    const statePath = "input[].encrypted_content";
    const blocks = [
      { kind: "call", id: "a", name: "f", call: "function", input: "{}", state, statePath },
    ];
    expect(messages(reasoning(`${carried}.next`), call)[0]?.blocks).toEqual(blocks);
    expect(messages(call, reasoning(`${carried}.prev`))[0]?.blocks).toEqual(blocks);
  });

  it("a damaged tag is nobody's state and is listed", () => {
    const turn = read({ input: [reasoning(`${carried.slice(0, 12)}!`)] });
    expect(turn.unsupported).toContain("input[].encrypted_content");
    expect(turn.messages[0]?.blocks[0]).not.toHaveProperty("state");
  });

  it("reasoning without state is marked, so that it is scrubbed, and says nothing when it comes back", () => {
    const reply = {
      blocks: [{ kind: "thinking" as const, text: "hm" }],
      usage: {},
      stop: { reason: "end" as const },
    };
    const input = asArray(responses.client.writeReply(reply, echo())["output"]);
    const turn = read({ input });
    expect(turn.messages[0]?.blocks).toEqual([{ kind: "thinking", text: "hm", path: "input[]" }]);
    expect(turn.unsupported).toEqual(["input[].id"]);
    const body = { model: "m", input };
    expect(responses.provider.scrub(body, "openai")).toEqual(["input[]"]);
    expect(body.input).toEqual([]);
  });

  it("scrubbing takes foreign state out of a relay, with its item, and keeps the provider's own", () => {
    const own = { type: "reasoning", id: "rs_2", summary: [], encrypted_content: "gAAAA" };
    const body = {
      model: "m",
      input: [reasoning(carried), own, reasoning(`${carried}.next`), call],
    };
    expect(responses.provider.scrub(body, "openai")).toEqual(["input[]"]);
    expect(body.input).toEqual([own, call]);
    expect(responses.provider.scrub(body, "openai")).toEqual([]);
  });
});

describe("tools", () => {
  it("functions, freeform tools and namespaces are laid open", () => {
    expect(
      read({
        tools: [
          {
            type: "function",
            name: "f",
            description: "d",
            parameters: { type: "object" },
            strict: true,
          },
          { type: "function", name: "g", parameters: null, strict: null },
          { type: "custom", name: "apply_patch", description: "p", format: lark },
          {
            type: "namespace",
            name: "agents",
            description: "",
            tools: [{ type: "function", name: "spawn" }],
          },
          { type: "web_search", external_web_access: true },
          { type: "mcp", server_label: "x" },
        ],
      }).tools,
    ).toEqual([
      {
        kind: "function",
        name: "f",
        description: "d",
        schema: { type: "object" },
        strict: true,
        path: "tools[]",
      },
      { kind: "function", name: "g", path: "tools[]" },
      { kind: "custom", name: "apply_patch", description: "p", grammar: lark, path: "tools[]" },
      { kind: "function", name: "spawn", namespace: "agents", path: "tools[].tools[]" },
      {
        kind: "hosted",
        format: "responses",
        type: "web_search",
        means: "web_search",
        raw: { type: "web_search", external_web_access: true },
        path: "tools[]",
      },
      {
        kind: "hosted",
        format: "responses",
        type: "mcp",
        raw: { type: "mcp", server_label: "x" },
        path: "tools[]",
      },
    ]);
  });

  it("those of additional_tools items and of a search's findings are offered too, a later one in place of an earlier", () => {
    const f = (description: string): JsonObject => ({ type: "function", name: "f", description });
    const turn = read({
      tools: [f("old")],
      input: [
        {
          type: "additional_tools",
          role: "developer",
          tools: [{ type: "namespace", name: "code", tools: [{ type: "function", name: "exec" }] }],
        },
        { role: "user", content: "hi" },
        { type: "tool_search_call", call_id: "s", execution: "client", arguments: { query: "q" } },
        {
          type: "tool_search_output",
          call_id: "s",
          execution: "client",
          tools: [f("new"), { type: "function", name: "g" }],
        },
      ],
    });
    expect(
      turn.tools.map((tool) =>
        tool.kind === "function" ? [tool.namespace, tool.name, tool.description] : [],
      ),
    ).toEqual([
      [undefined, "f", "new"],
      ["code", "exec", undefined],
      [undefined, "g", undefined],
    ]);
    expect(turn.messages.slice(1)).toEqual([
      {
        role: "assistant",
        blocks: [
          { kind: "call", id: "s", name: "tool_search", call: "function", input: '{"query":"q"}' },
        ],
      },
      {
        role: "user",
        blocks: [
          {
            kind: "result",
            id: "s",
            call: "function",
            blocks: [said("Loaded tools: f, g")],
            path: "input[]",
          },
        ],
      },
    ]);
  });

  it("a search that the provider ran carries no call id: its two items still belong together", () => {
    const [, assistant, user] = messages(
      { role: "user", content: "hi" },
      { type: "tool_search_call", call_id: null, execution: "server", arguments: { paths: ["a"] } },
      {
        type: "tool_search_output",
        call_id: null,
        execution: "server",
        tools: [{ type: "namespace", name: "n", tools: [{ type: "function", name: "a" }] }],
      },
    );
    const [call, result] = [assistant?.blocks[0], user?.blocks[0]];
    expect(call?.kind === "call" && result?.kind === "result" && call.id === result.id).toBe(true);
    expect(result).toMatchObject({ blocks: [said("Loaded tools: n__a")] });
  });

  it("tools that the client runs under a type of their own are functions; those the provider runs are hosted", () => {
    const kinds = (tools: JsonValue[]) =>
      read({ tools }).tools.map((tool) =>
        tool.kind === "hosted" ? `hosted ${tool.type}` : tool.name,
      );
    expect(
      kinds([
        { type: "tool_search", execution: "client" },
        { type: "local_shell" },
        { type: "shell" },
        { type: "apply_patch" },
      ]),
    ).toEqual(["tool_search", "local_shell", "shell", "apply_patch"]);
    expect(
      kinds([
        { type: "tool_search" },
        { type: "shell", environment: { type: "container_auto" } },
        { type: "computer" },
      ]),
    ).toEqual(["hosted tool_search", "hosted shell", "hosted computer"]);
    expect(kinds([{ type: "shell" }, { type: "function", name: "shell" }])).toEqual([
      "hosted shell",
      "shell",
    ]);
  });

  it("their calls and outputs in the history are ordinary ones", () => {
    const blocks = messages(
      {
        type: "local_shell_call",
        id: "lsh_1",
        call_id: "a",
        status: "completed",
        action: { type: "exec", command: ["ls"], env: {} },
      },
      { type: "local_shell_call_output", id: "lsh_1", output: "x" },
      { type: "shell_call", call_id: "b", action: { commands: ["ls"] } },
      {
        type: "shell_call_output",
        call_id: "b",
        output: [{ stdout: "out", stderr: "", outcome: { type: "exit", exit_code: 2 } }],
      },
      {
        type: "apply_patch_call",
        call_id: "c",
        status: "completed",
        operation: { type: "delete_file", path: "p" },
      },
      { type: "apply_patch_call_output", call_id: "c", status: "failed", output: "no such file" },
    ).flatMap((message) => message.blocks);
    expect(blocks).toEqual([
      {
        kind: "call",
        id: "a",
        name: "local_shell",
        call: "function",
        input: '{"command":["ls"],"env":{}}',
      },
      { kind: "result", id: "a", call: "function", blocks: [said("x")], path: "input[]" },
      { kind: "call", id: "b", name: "shell", call: "function", input: '{"commands":["ls"]}' },
      {
        kind: "result",
        id: "b",
        call: "function",
        blocks: [said("out\n[exit code 2]")],
        path: "input[]",
      },
      {
        kind: "call",
        id: "c",
        name: "apply_patch",
        call: "function",
        input: '{"operation":{"type":"delete_file","path":"p"}}',
      },
      {
        kind: "result",
        id: "c",
        call: "function",
        blocks: [said("no such file")],
        isError: true,
        path: "input[]",
      },
    ]);
  });

  it.each([
    ["none", { type: "none" }],
    [
      { type: "function", name: "f" },
      { type: "tool", name: "f" },
    ],
    [
      { type: "custom", name: "p" },
      { type: "tool", name: "p", custom: true },
    ],
    [{ type: "web_search_preview" }, { type: "hosted", raw: { type: "web_search_preview" } }],
    [
      { type: "allowed_tools", mode: "required", tools: [{ type: "function", name: "f" }] },
      { type: "allowed", mode: "required", names: ["f"] },
    ],
  ])("the choice %j keeps its meaning", (tool_choice, choice) => {
    expect(read({ tool_choice }).choice).toEqual(choice);
  });
});

describe("fields", () => {
  it("have their neutral names, and the client's own for reports", () => {
    const turn = read({
      stream: true,
      max_output_tokens: 9,
      temperature: 0,
      top_p: 0.5,
      parallel_tool_calls: false,
      reasoning: { effort: "high", summary: "auto" },
      text: {
        verbosity: "low",
        format: { type: "json_schema", name: "n", schema: {}, strict: true },
      },
      store: false,
      metadata: { a: "b" },
      prompt_cache_key: "k",
      service_tier: "flex",
      user: "u",
      top_logprobs: 2,
      include: ["message.output_text.logprobs"],
      stream_options: { include_obfuscation: false },
      previous_response_id: "resp_1",
    });
    expect(turn).toMatchObject({
      stream: true,
      maxOutput: 9,
      sampling: { temperature: 0, topP: 0.5, topLogprobs: 2, logprobs: true },
      parallelTools: false,
      reasoning: { effort: "high", summary: "auto" },
      verbosity: "low",
      output: { type: "schema", name: "n", schema: {}, strict: true },
      store: false,
      metadata: { a: "b" },
      cacheKey: "k",
      serviceTier: "flex",
      user: "u",
      previousResponseId: "resp_1",
      openaiOnly: { stream_options: { include_obfuscation: false } },
      unsupported: [],
    });
    expect(turn.paths).toMatchObject({
      maxOutput: "max_output_tokens",
      topP: "top_p",
      reasoning: "reasoning.effort",
      verbosity: "text.verbosity",
      output: "text.format",
      previousResponseId: "previous_response_id",
    });
  });

  it("that have no neutral form are listed once each, by the client's path", () => {
    const turn = read({
      client_metadata: { a: "b" },
      include: ["reasoning.encrypted_content"],
      truncation: "auto",
      reasoning: { effort: "low", context: "all_turns" },
      text: { future: 1 },
      safety_identifier: null,
      moderation: {},
      input: [
        {
          type: "message",
          id: "msg_1",
          role: "user",
          content: [
            { type: "input_text", text: "a", odd: 1 },
            { type: "input_text", text: "b", odd: 2 },
          ],
        },
        { type: "message", id: "msg_2", role: "assistant", phase: "commentary", content: "c" },
      ],
    });
    expect(turn.unsupported.toSorted()).toEqual([
      "client_metadata",
      "include",
      "input[].content[].odd",
      "input[].id",
      "input[].phase",
      "reasoning.context",
      "text.future",
      "truncation",
    ]);
  });

  it("that only a Responses provider can honour are named as such", () => {
    expect(
      read({ conversation: "conv_1", background: true, prompt: { id: "p" } }).responsesOnly,
    ).toEqual(["conversation", "prompt", "background"]);
    expect(read({ background: false, conversation: null })).not.toHaveProperty("responsesOnly");
  });

  it.each([
    [{ temperature: "hot" }, "temperature"],
    [{ max_output_tokens: "9" }, "max_output_tokens"],
    [{ text: { format: { type: "json_schema" } } }, "text.format.schema"],
    [{ text: { format: { type: "xml" } } }, "text.format.type"],
    [{ tool_choice: 5 }, "tool_choice"],
    [{ tools: [{ type: "function" }] }, "tools[0].name"],
  ])("%j is refused by name", (members, field) => {
    expect(refusal(() => read(members)).startsWith(`${field}:`)).toBe(true);
  });
});
