/** What Codex sends and needs back, in front of providers of every other dialect. */
import { describe, expect, it } from "vitest";
import { collect, type ReplyBlock } from "../../src/core/reply.ts";
import { responses } from "../../src/formats/responses/index.ts";
import { providerFormats } from "../../src/formats/index.ts";
import { asArray, type JsonObject } from "../../src/lib/json.ts";
import { grammars } from "../kit/grammar.ts";
import { context, echo, target } from "../kit/neutral.ts";
import { providerStream } from "../kit/providers.ts";
import { random } from "../kit/random.ts";

const parameters = {
  type: "object",
  properties: { cmd: { type: "string" } },
  required: ["cmd"],
  additionalProperties: false,
};
const grammar = { type: "grammar", syntax: "lark", definition: "start: begin_patch" };
const patch = '*** Begin Patch\n*** Add File: a.txt\n+"quoted" \\ ünïcode 🏔️\n*** End Patch';

const request: JsonObject = {
  model: "auto",
  stream: true,
  store: false,
  tool_choice: "auto",
  parallel_tool_calls: true,
  reasoning: { effort: "high", summary: "auto" },
  include: ["reasoning.encrypted_content"],
  prompt_cache_key: "k",
  text: { verbosity: "low" },
  client_metadata: { session_id: "s" },
  input: [
    {
      type: "additional_tools",
      role: "developer",
      tools: [
        {
          type: "namespace",
          name: "code",
          description: "d",
          tools: [{ type: "custom", name: "exec", description: "d", format: grammar }],
        },
      ],
    },
    {
      type: "message",
      id: "msg_1",
      role: "developer",
      content: [{ type: "input_text", text: "You are Codex." }],
    },
    {
      type: "message",
      id: "msg_2",
      role: "user",
      content: [{ type: "input_text", text: "patch it" }],
    },
    {
      type: "reasoning",
      id: "rs_1",
      summary: [{ type: "summary_text", text: "hm" }],
      encrypted_content: "gAAAA",
    },
    {
      type: "message",
      id: "msg_3",
      role: "assistant",
      phase: "commentary",
      content: [{ type: "output_text", text: "I look.", annotations: [], logprobs: [] }],
    },
    {
      type: "custom_tool_call",
      id: "ctc_1",
      call_id: "p0",
      name: "apply_patch",
      input: patch,
      status: "completed",
    },
    {
      type: "function_call",
      id: "fc_1",
      call_id: "v0",
      name: "view_image",
      arguments: '{"path":"a.png"}',
    },
    {
      type: "tool_search_call",
      id: "tsc_1",
      call_id: "t0",
      execution: "client",
      status: "completed",
      arguments: { query: "mail" },
    },
    { type: "custom_tool_call_output", id: "ctco_1", call_id: "p0", output: "Done" },
    {
      type: "function_call_output",
      id: "fco_1",
      call_id: "v0",
      output: [{ type: "input_image", image_url: "data:image/png;base64,AAAA" }],
    },
    {
      type: "tool_search_output",
      id: "tso_1",
      call_id: "t0",
      execution: "client",
      status: "completed",
      tools: [
        {
          type: "namespace",
          name: "mail",
          description: "d",
          tools: [
            {
              type: "function",
              name: "send",
              description: "d",
              parameters,
              strict: false,
              defer_loading: true,
            },
          ],
        },
      ],
    },
  ],
  tools: [
    { type: "function", name: "exec_command", description: "d", strict: false, parameters },
    { type: "custom", name: "apply_patch", description: "d", format: grammar },
    {
      type: "namespace",
      name: "multi_agent_v1",
      description: "d",
      tools: [
        { type: "function", name: "spawn_agent", description: "d", strict: false, parameters },
      ],
    },
    {
      type: "tool_search",
      execution: "client",
      description: "d",
      parameters: { type: "object", properties: { query: { type: "string" } } },
    },
    { type: "web_search", external_web_access: true },
  ],
};

const others = ["chat", "messages", "gemini"] as const;

describe.each(others)("Codex in front of a provider of %s", (format) => {
  const turn = responses.client.readRequest(request);
  const written = providerFormats[format].writeRequest(
    turn,
    target(format, { webSearch: false, customTools: false }),
  );
  const text = JSON.stringify(written.body);

  it("offers every tool that it can run, and says its whole conversation", () => {
    for (const [name, namespace] of [
      ["exec_command"],
      ["apply_patch"],
      ["tool_search"],
      ["spawn_agent", "multi_agent_v1"],
      ["exec", "code"],
      ["send", "mail"],
    ] as const)
      expect(text).toContain(`"name":"${written.names.toWire(name, namespace)}"`);
    for (const said of [
      "You are Codex.",
      "patch it",
      "I look.",
      "*** Begin Patch",
      "Done",
      "AAAA",
      "begin_patch",
    ])
      expect(text).toContain(said);
    expect(text).not.toContain("gAAAA");
    expect(written.dropped).toContain("client_metadata");
    expect(written.dropped).toContain("include");
  });

  it("gets its calls back as what they are to it", () => {
    const call = (
      id: string,
      [name, namespace]: readonly [string, string?],
      input: string,
    ): ReplyBlock => ({
      kind: "call",
      id,
      name: written.names.toWire(name, namespace),
      call: "function",
      input,
    });
    const blocks = [
      call("p", ["apply_patch"], JSON.stringify({ input: patch })),
      call("s", ["spawn_agent", "multi_agent_v1"], '{"cmd":"x"}'),
      call("e", ["exec", "code"], JSON.stringify({ input: patch })),
      call("t", ["tool_search"], '{"query":"q"}'),
      call("m", ["send", "mail"], '{"cmd":"y"}'),
    ];
    const said = {
      id: "id1",
      model: "m",
      blocks,
      usage: { input: 3, output: 4 },
      stop: { reason: "tools" as const },
    };
    const reader = providerFormats[format].eventReader(context("lab", written.names));
    const events = [...reader.feed(providerStream(format, said, random(1))), ...reader.end()];
    const writer = responses.client.eventWriter(echo({ request }));
    const stream = events.map((event) => writer.write([event])).join("");
    expect(grammars.responses(stream, { wantsUsage: true })).toEqual({
      ended: "normal",
      broken: [],
    });
    const reply = collect(events);
    if ("failure" in reply) throw new Error(reply.failure.message);
    const output = asArray(responses.client.writeReply(reply, echo({ request }))["output"]);
    expect(
      output.map((item) => ({ ...(item as JsonObject), id: "", call_id: "", status: "" })),
    ).toEqual([
      {
        id: "",
        call_id: "",
        status: "",
        type: "custom_tool_call",
        name: "apply_patch",
        input: patch,
      },
      {
        id: "",
        call_id: "",
        status: "",
        type: "function_call",
        name: "spawn_agent",
        namespace: "multi_agent_v1",
        arguments: '{"cmd":"x"}',
      },
      {
        id: "",
        call_id: "",
        status: "",
        type: "custom_tool_call",
        name: "exec",
        namespace: "code",
        input: patch,
      },
      {
        id: "",
        call_id: "",
        status: "",
        type: "tool_search_call",
        execution: "client",
        arguments: { query: "q" },
      },
      {
        id: "",
        call_id: "",
        status: "",
        type: "function_call",
        name: "send",
        namespace: "mail",
        arguments: '{"cmd":"y"}',
      },
    ]);
    for (const item of output) expect(stream).toContain(`"item":${JSON.stringify(item)}`);
  });
});
