/** Requests of which one member is very wide, deep or long. */
import type { ClientFormatName } from "../../src/core/format-name.ts";
import type { JsonObject, JsonValue } from "../../src/lib/json.ts";

type WideShape = (count: number) => JsonObject;

const list = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));

const members = (count: number, make: (at: number) => JsonValue): JsonObject =>
  Object.fromEntries(list(count, (at) => [`m${at}`, make(at)]));

/** Texts with many candidates for what routing looks for in the words of a human. */
const texts: Readonly<Record<string, (count: number) => string>> = {
  words: (count) => "prove that it holds. ".repeat(count),
  lines: (count) => "- a) item\n".repeat(count),
  fences: (count) => "```\nultrathink\n".repeat(count),
  quotes: (count) => '"think harder" '.repeat(count),
  "open quotes": (count) => "\u201cthink harder ".repeat(count),
  "open tags": (count) => "<system-reminder>".repeat(count),
  "closed tags": (count) => "<system-reminder>x</system-reminder>".repeat(count),
  "closing tags": (count) => "</system-reminder>".repeat(count),
  "angle brackets": (count) => "<".repeat(count * 4),
  "angle brackets and letters": (count) => "<a".repeat(count * 4),
  "different tags": (count) => list(count, (at) => `<t${at}>`).join(""),
  spaces: (count) => " ".repeat(count * 8),
  "blank lines": (count) => "\n \t".repeat(count * 4),
  "routing words": (count) => "route this to the strongest model ".repeat(count),
  digits: (count) => "1".repeat(count * 8),
  numbers: (count) => "1,2.".repeat(count * 4),
  base64: (count) => "QUJD".repeat(count * 8),
  braces: (count) => "{".repeat(count * 8),
  backslashes: (count) => "\\".repeat(count * 8),
  "data URLs": (count) => "data:image/png;base64,AAAA ".repeat(count),
  "long words": (count) => "a".repeat(count * 8),
  ideograms: (count) => "\u6a21\u578b\u3002".repeat(count * 4),
  headings: (count) => "## My request for Codex:".repeat(count),
};

const schema = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: "object",
  properties,
  ...more,
});

/** Schemas that grow. */
const schemas: Readonly<Record<string, (count: number) => JsonObject>> = {
  "many properties": (count) =>
    schema(
      members(count, () => ({ type: "string" })),
      { required: list(count, (at) => `m${at}`) },
    ),
  "many alternatives": (count) => ({
    anyOf: list(count, (at) =>
      schema({ [`m${at}`]: { type: "string" } }, { required: [`m${at}`] }),
    ),
  }),
  "many parts": (count) => ({
    type: "object",
    allOf: list(count, (at) =>
      schema({ [`m${at}`]: { type: "string" } }, { required: [`m${at}`] }),
    ),
  }),
  "wide alternatives": (count) => ({
    oneOf: list(2, () =>
      schema(
        members(count, () => ({ type: "string" })),
        { required: list(count, (at) => `m${at}`) },
      ),
    ),
  }),
  "many references": (count) =>
    schema(
      members(count, () => ({ $ref: "#/$defs/one" })),
      { $defs: { one: schema({ a: { type: "string" } }) } },
    ),
  "many references to wide": (count) =>
    schema(
      members(count, () => ({ $ref: "#/$defs/one" })),
      { $defs: { one: schema(members(count, () => ({ type: "string" }))) } },
    ),
  "a chain of references": (count) =>
    schema(
      { a: { $ref: "#/$defs/m0" } },
      {
        $defs: members(count, (at) => ({ $ref: `#/$defs/m${at + 1}` })),
      },
    ),
  "a doubling chain": (count) =>
    schema(
      { a: { $ref: "#/$defs/m0" } },
      {
        $defs: members(count, (at) =>
          schema({ a: { $ref: `#/$defs/m${at + 1}` }, b: { $ref: `#/$defs/m${at + 1}` } }),
        ),
      },
    ),
  "a doubling chain of parts": (count) => ({
    $ref: "#/$defs/m0",
    $defs: members(count, (at) => ({
      allOf: [{ $ref: `#/$defs/m${at + 1}` }, { $ref: `#/$defs/m${at + 1}` }],
    })),
  }),
  "a long path": (count) => schema({ a: { $ref: `#${"/a".repeat(count)}` } }),
  "a long enumeration": (count) => schema({ a: { enum: list(count, (at) => at) } }),
  "many bounds": (count) => schema(members(count, () => ({ type: "string", minLength: 1 }))),
};

const longName = (at: number): string => `${"tool.".repeat(20)}${at}`;
const sameStart = (at: number): string => `${"x".repeat(80)}${at}`;
const colliding = (at: number): string =>
  `a${at.toString(2).padStart(18, "0").replaceAll("0", ".").replaceAll("1", ":")}`;

const toolNames: Readonly<Record<string, (at: number) => string>> = {
  "many tools": (at) => `tool_${at}`,
  "equal names": () => "tool",
  "illegal names": longName,
  "names that start alike": sameStart,
  "names that collide": colliding,
};

function chatTexts(): Record<string, WideShape> {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [
      `text of ${name}`,
      (count: number) => ({
        model: "auto",
        messages: [
          { role: "system", content: text(count) },
          { role: "user", content: text(count) },
        ],
      }),
    ]),
  );
}

const chatTool = (name: string, parameters: JsonObject = {}): JsonObject => ({
  type: "function",
  function: { name, parameters },
});

const user = (content: JsonValue): JsonObject => ({ role: "user", content });
const chat = (more: JsonObject): JsonObject => ({ model: "auto", messages: [user("hi")], ...more });
const chatParts =
  (make: (at: number) => JsonObject): WideShape =>
  (count) => ({
    model: "auto",
    messages: [user(list(count, make))],
  });

const chatShapes: Record<string, WideShape> = {
  ...chatTexts(),
  ...Object.fromEntries(
    Object.entries(schemas).flatMap(([name, make]) => [
      [`schema of ${name}`, (count: number) => chat({ tools: [chatTool("look", make(count))] })],
      [
        `output schema of ${name}`,
        (count: number) =>
          chat({
            response_format: {
              type: "json_schema",
              json_schema: { name: "x", schema: make(count) },
            },
          }),
      ],
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(toolNames).map(([name, of]) => [
      name,
      (count: number) => chat({ tools: list(count, (at) => chatTool(of(at))) }),
    ]),
  ),
  "allowed tools": (count) =>
    chat({
      tools: list(count, (at) => chatTool(`tool_${at}`)),
      tool_choice: {
        type: "allowed_tools",
        allowed_tools: {
          mode: "auto",
          tools: list(count, (at) => ({ type: "function", function: { name: `tool_${at}` } })),
        },
      },
    }),
  "allowed tools that are none": (count) =>
    chat({
      tools: list(count, (at) => chatTool(`tool_${at}`)),
      tool_choice: {
        type: "allowed_tools",
        allowed_tools: {
          mode: "required",
          tools: list(count, (at) => ({ type: "function", function: { name: `none_${at}` } })),
        },
      },
    }),
  "hosted tools": (count) =>
    chat({
      tools: list(count, (at) => ({ type: at % 2 ? "web_search" : `code_execution_${at}` })),
    }),
  "calls of one message": (count) => ({
    model: "auto",
    messages: [
      user("hi"),
      {
        role: "assistant",
        tool_calls: list(count, (at) => ({
          id: `c${at}`,
          type: "function",
          function: { name: `look.${at}`, arguments: "{}" },
        })),
      },
      ...list(count, (at) => ({ role: "tool", tool_call_id: `c${at}`, content: "x" })),
    ],
  }),
  "calls of one message with one id": (count) => ({
    model: "auto",
    messages: [
      user("hi"),
      {
        role: "assistant",
        tool_calls: list(count, () => ({
          id: "c",
          type: "function",
          function: { name: "look", arguments: "{}" },
        })),
      },
      user("wait"),
      ...list(count, () => ({ role: "tool", tool_call_id: "c", content: "x" })),
    ],
  }),
  "text parts": chatParts(() => ({ type: "text", text: "x" })),
  "cache marks": chatParts(() => ({
    type: "text",
    text: "x",
    cache_control: { type: "ephemeral", ttl: "1h" },
  })),
  images: chatParts(() => ({
    type: "image_url",
    image_url: { url: "data:image/png;base64,iVBORw0KGgo=" },
  })),
  "image addresses": chatParts((at) => ({
    type: "image_url",
    image_url: { url: `https://a/${at}` },
  })),
  files: chatParts(() => ({
    type: "file",
    file: { filename: "a.pdf", file_data: "data:application/pdf;base64,JVBERi0=" },
  })),
  sounds: chatParts(() => ({ type: "input_audio", input_audio: { data: "AAAA", format: "wav" } })),
  "unknown parts": chatParts((at) => ({ type: `t${at}`, text: "x" })),
  "unknown members of parts": chatParts((at) => ({ type: "text", text: "x", [`z${at}`]: 1 })),
  "unknown members": (count) => chat(members(count, () => 1)),
  "unknown members of messages": (count) => ({
    model: "auto",
    messages: list(count, (at) => ({ role: "user", content: "x", [`z${at}`]: 1 })),
  }),
  "a text in data": (count) =>
    chat({
      messages: [
        user([
          {
            type: "file",
            file: { filename: "a.txt", file_data: `data:text/plain,${"%20".repeat(count * 8)}` },
          },
        ]),
      ],
    }),
  "a picture's bytes": (count) =>
    chat({
      messages: [
        user([
          {
            type: "image_url",
            image_url: { url: `data:image/jpeg;base64,/9j/${"/+AA".repeat(count * 8)}` },
          },
        ]),
      ],
    }),
  "a document's bytes": (count) =>
    chat({
      messages: [
        user([
          {
            type: "file",
            file: { filename: "a.pdf", file_data: btoa("%PDF /Type /Page ".repeat(count)) },
          },
        ]),
      ],
    }),
  annotations: (count) => ({
    model: "auto",
    messages: [
      user("hi"),
      {
        role: "assistant",
        content: "x".repeat(count),
        annotations: list(count, (at) => ({
          type: "url_citation",
          url_citation: { url: "https://a", title: "t", start_index: at, end_index: at + 1 },
        })),
      },
      user("go on"),
    ],
  }),
  "reasoning details": (count) => ({
    model: "auto",
    messages: [
      user("hi"),
      {
        role: "assistant",
        content: "x",
        reasoning_details: list(count, (at) => ({
          type: "reasoning.text",
          text: "t",
          id: `r${at}`,
        })),
      },
      user("go on"),
    ],
  }),
  "stop strings": (count) => chat({ stop: list(count, (at) => `s${at}`) }),
  metadata: (count) => chat({ store: true, metadata: members(count, () => "x") }),
  "long arguments": (count) => ({
    model: "auto",
    messages: [
      user("hi"),
      {
        role: "assistant",
        tool_calls: [
          {
            id: "c",
            type: "function",
            function: { name: "look", arguments: JSON.stringify(members(count, (at) => at)) },
          },
        ],
      },
      { role: "tool", tool_call_id: "c", content: JSON.stringify(members(count, (at) => at)) },
    ],
  }),
  "a long id": (count) => ({
    model: "auto",
    messages: [
      user("hi"),
      {
        role: "assistant",
        tool_calls: [
          {
            id: ".".repeat(count * 8),
            type: "function",
            function: { name: "x".repeat(count * 8) },
          },
        ],
      },
    ],
  }),
  "a long model": (count) => chat({ user: "u".repeat(count * 8) }),
  "function results by name": (count) => ({
    model: "auto",
    messages: [
      user("hi"),
      ...list(count, (at) => ({
        role: "assistant",
        content: null,
        function_call: { name: "look", arguments: `{"a":${at}}` },
      })),
      ...list(count, () => ({ role: "function", name: "look", content: "x" })),
    ],
  }),
};

const responses = (more: JsonObject): JsonObject => ({ model: "auto", input: "hi", ...more });
const responsesTool = (name: string): JsonObject => ({ type: "function", name, parameters: {} });

const responsesShapes: Record<string, WideShape> = {
  "parts of a message": (count) =>
    responses({ input: [user(list(count, () => ({ type: "input_text", text: "x" })))] }),
  "annotations of a message": (count) =>
    responses({
      input: [
        {
          role: "assistant",
          content: [
            {
              type: "output_text",
              text: "x",
              annotations: list(count, (at) => ({
                type: "url_citation",
                url: "https://a",
                start_index: at,
                end_index: at + 1,
              })),
            },
          ],
        },
        user("go on"),
      ],
    }),
  namespaces: (count) =>
    responses({
      tools: list(count, (at) => ({
        type: "namespace",
        name: `n${at}`,
        tools: [responsesTool("look")],
      })),
    }),
  "tools of one long namespace": (count) =>
    responses({
      tools: [
        {
          type: "namespace",
          name: "n".repeat(count * 4),
          tools: list(count, (at) => responsesTool(`t${at}`)),
        },
      ],
    }),
  "calls into one long namespace": (count) =>
    responses({
      tools: [{ type: "namespace", name: "n".repeat(count * 4), tools: [responsesTool("look")] }],
      input: list(count, (at) => ({
        type: "function_call",
        call_id: `c${at}`,
        namespace: "n",
        name: `t${at}`,
        arguments: "{}",
      })),
    }),
  "additional tools": (count) =>
    responses({
      input: list(count, (at) => ({ type: "additional_tools", tools: [responsesTool(`t${at}`)] })),
    }),
  "additional tools in one item": (count) =>
    responses({
      input: [
        { type: "additional_tools", tools: list(count, (at) => responsesTool(`t${at}`)) },
        { type: "additional_tools", tools: list(count, (at) => responsesTool(`t${at}`)) },
      ],
    }),
  "found tools": (count) =>
    responses({
      tools: [{ type: "tool_search", execution: "client" }],
      input: list(count, (at) => [
        { type: "tool_search_call", call_id: `c${at}`, execution: "client", arguments: {} },
        {
          type: "tool_search_output",
          call_id: `c${at}`,
          execution: "client",
          tools: [responsesTool(`t${at}`)],
        },
      ]).flat(),
    }),
  "deferred tools": (count) =>
    responses({
      tools: list(count, (at) => ({ ...responsesTool(`t${at}`), defer_loading: true })),
    }),
  "allowed tools": (count) =>
    responses({
      tools: list(count, (at) => responsesTool(`t${at}`)),
      tool_choice: {
        type: "allowed_tools",
        mode: "auto",
        tools: list(count, (at) => ({ type: "function", name: `t${at}` })),
      },
    }),
  "allowed tools in namespaces": (count) =>
    responses({
      tools: list(count, (at) => ({
        type: "namespace",
        name: `n${at}`,
        tools: [responsesTool(`t${at}`)],
      })),
      tool_choice: {
        type: "allowed_tools",
        mode: "required",
        tools: list(count, (at) => ({ type: "function", name: `t${at}` })),
      },
    }),
  "custom tools": (count) =>
    responses({
      tools: list(count, (at) => ({
        type: "custom",
        name: `t${at}`,
        format: { type: "grammar", syntax: "lark", definition: "x" },
      })),
    }),
  "hosted tools": (count) =>
    responses({
      tools: list(count, (at) => ({ type: ["web_search", "local_shell", "x"][at % 3] ?? "x" })),
    }),
  includes: (count) => responses({ include: list(count, (at) => `i${at}`) }),
  "unknown members": (count) => responses(members(count, () => 1)),
  "unknown members of items": (count) =>
    responses({ input: list(count, (at) => ({ ...user("x"), [`z${at}`]: 1 })) }),
  "item references": (count) =>
    responses({ input: list(count, (at) => ({ type: "item_reference", id: `i${at}` })) }),
  "unknown items": (count) =>
    responses({ input: [user("x"), ...list(count, (at) => ({ type: `t${at}`, text: "x" }))] }),
  "unknown outputs": (count) =>
    responses({
      input: [user("x"), ...list(count, (at) => ({ type: `t${at}_output`, text: "x" }))],
    }),
  "reasoning with many parts": (count) =>
    responses({
      input: [
        user("x"),
        {
          type: "reasoning",
          summary: list(count, () => ({ type: "summary_text", text: "s" })),
          content: list(count, () => ({ type: "reasoning_text", text: "s" })),
        },
      ],
    }),
  "tagged reasoning": (count) =>
    responses({
      input: list(count, () => ({
        type: "reasoning",
        summary: [],
        encrypted_content: "gw1.eyJmIjoiY2hhdCIsIm8iOiJsYWIiLCJ0IjoieCIsImQiOiJ4In0.next",
      })),
    }),
  "tagged reasoning and calls": (count) =>
    responses({
      input: list(count, (at) => [
        {
          type: "reasoning",
          summary: [],
          encrypted_content: "gw1.eyJmIjoiY2hhdCIsIm8iOiJsYWIiLCJ0IjoieCIsImQiOiJ4In0.prev",
        },
        { type: "function_call", call_id: `c${at}`, name: "look", arguments: "{}" },
      ]).flat(),
    }),
  "outputs with many parts": (count) =>
    responses({
      input: [
        { type: "function_call", call_id: "c", name: "look", arguments: "{}" },
        {
          type: "function_call_output",
          call_id: "c",
          output: list(count, () => ({ type: "input_text", text: "x" })),
        },
      ],
    }),
};

const messages = (more: JsonObject): JsonObject => ({
  model: "auto",
  max_tokens: 100,
  messages: [user("hi")],
  ...more,
});
const messagesTool = (name: string): JsonObject => ({ name, input_schema: { type: "object" } });

const messagesShapes: Record<string, WideShape> = {
  "parts of a message": (count) =>
    messages({ messages: [user(list(count, () => ({ type: "text", text: "x" })))] }),
  "cache marks": (count) =>
    messages({
      messages: [
        user(
          list(count, () => ({ type: "text", text: "x", cache_control: { type: "ephemeral" } })),
        ),
      ],
    }),
  "cache marks of tools": (count) =>
    messages({
      tools: list(count, (at) => ({
        ...messagesTool(`t${at}`),
        cache_control: { type: "ephemeral" },
      })),
    }),
  "system parts": (count) => messages({ system: list(count, () => ({ type: "text", text: "x" })) }),
  "citations of a text": (count) =>
    messages({
      messages: [
        user("hi"),
        {
          role: "assistant",
          content: [
            {
              type: "text",
              text: "x",
              citations: list(count, () => ({
                type: "web_search_result_location",
                url: "https://a",
                title: "t",
                cited_text: "c",
                encrypted_index: "e",
              })),
            },
          ],
        },
        user("go on"),
      ],
    }),
  "documents of many blocks": (count) =>
    messages({
      messages: [
        user([
          {
            type: "document",
            source: { type: "content", content: list(count, () => ({ type: "text", text: "x" })) },
          },
        ]),
      ],
    }),
  "documents of text": (count) =>
    messages({
      messages: [
        user(
          list(count, () => ({
            type: "document",
            source: { type: "text", media_type: "text/plain", data: "x" },
          })),
        ),
      ],
    }),
  "search results": (count) =>
    messages({
      messages: [
        user(
          list(count, (at) => ({
            type: "search_result",
            source: `s${at}`,
            title: "t",
            content: [{ type: "text", text: "x" }],
          })),
        ),
      ],
    }),
  "tools added": (count) =>
    messages({
      messages: [
        user(
          list(count, (at) => ({
            type: "tool_addition",
            tool: { type: "definition", definition: messagesTool(`t${at}`) },
          })),
        ),
      ],
    }),
  "tools removed": (count) =>
    messages({
      tools: list(count, (at) => messagesTool(`t${at}`)),
      messages: [
        user(
          list(count, (at) => ({
            type: "tool_removal",
            tool: { type: "reference", name: `t${count - at}` },
          })),
        ),
      ],
    }),
  "tools removed and added again": (count) =>
    messages({
      tools: list(count, (at) => messagesTool(`t${at}`)),
      messages: [
        user([
          ...list(count, (at) => ({ type: "tool_removal", tool: { name: `t${at}` } })),
          ...list(count, (at) => ({ type: "tool_addition", tool: { name: `n${at}` } })),
        ]),
      ],
    }),
  "tool references": (count) =>
    messages({
      tools: list(count, (at) => ({ ...messagesTool(`t${at}`), defer_loading: true })),
      messages: [
        user("hi"),
        {
          role: "assistant",
          content: [{ type: "tool_use", id: "c", name: "find", input: {} }],
        },
        user([
          {
            type: "tool_result",
            tool_use_id: "c",
            content: list(count, (at) => ({ type: "tool_reference", tool_name: `t${at}` })),
          },
        ]),
      ],
    }),
  "hosted tools": (count) =>
    messages({
      tools: list(count, (at) => ({
        type: ["web_search_20250305", "code_execution_20250825", "x_1"][at % 3] ?? "x",
        name: `n${at}`,
      })),
    }),
  "client tools": (count) =>
    messages({ tools: list(count, () => ({ type: "bash_20250124", name: "bash" })) }),
  "unknown members": (count) => messages(members(count, () => 1)),
  "unknown members of parts": (count) =>
    messages({
      messages: [user(list(count, (at) => ({ type: "text", text: "x", [`z${at}`]: 1 })))],
    }),
  "unknown parts": (count) =>
    messages({ messages: [user(list(count, (at) => ({ type: `t${at}`, text: "x" })))] }),
  "thoughts and calls of one message": (count) =>
    messages({
      messages: [
        user("hi"),
        {
          role: "assistant",
          content: list(count, (at) => [
            { type: "thinking", thinking: "", signature: "gw1.e30.next" },
            { type: "tool_use", id: `c${at}`, name: "look", input: {} },
            { type: "thinking", thinking: "hm", signature: "s" },
          ]).flat(),
        },
      ],
    }),
  "results with many parts": (count) =>
    messages({
      messages: [
        user("hi"),
        { role: "assistant", content: [{ type: "tool_use", id: "c", name: "look", input: {} }] },
        user([
          {
            type: "tool_result",
            tool_use_id: "c",
            content: list(count, () => ({
              type: "image",
              source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" },
            })),
          },
        ]),
      ],
    }),
  "stop strings": (count) => messages({ stop_sequences: list(count, (at) => `s${at}`) }),
  "wide input of a call": (count) =>
    messages({
      messages: [
        user("hi"),
        {
          role: "assistant",
          content: [{ type: "tool_use", id: "c", name: "look", input: members(count, (at) => at) }],
        },
      ],
    }),
};

const gemini = (more: JsonObject): JsonObject => ({
  model: "auto",
  contents: [{ role: "user", parts: [{ text: "hi" }] }],
  ...more,
});

const part = (role: string, ...parts: JsonObject[]): JsonObject => ({ role, parts });

const geminiCall = (more: JsonObject): JsonObject => ({ functionCall: { name: "look", ...more } });

const geminiShapes: Record<string, WideShape> = {
  ...Object.fromEntries(
    Object.entries(texts).map(([name, text]): [string, WideShape] => [
      `a text of ${name}`,
      (count) => gemini({ contents: [part("user", { text: text(count) })] }),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(schemas).flatMap(([name, make]): [string, WideShape][] => [
      [
        `a tool with ${name}`,
        (count) =>
          gemini({ tools: [{ functionDeclarations: [{ name: "t", parameters: make(count) }] }] }),
      ],
      [
        `an output with ${name}`,
        (count) => gemini({ generationConfig: { responseJsonSchema: make(count) } }),
      ],
    ]),
  ),
  "parts of one message": (count) =>
    gemini({ contents: [part("user", ...list(count, (at) => ({ text: `t${at}` })))] }),
  "pieces of one answer": (count) =>
    gemini({
      contents: list(count, (at) =>
        part("model", { text: `t${at}` }, { text: "hm", thought: true }),
      ),
    }),
  "thoughts in pieces": (count) =>
    gemini({
      contents: list(count, () => part("model", { text: "hm", thought: true })),
    }),
  "signed thoughts": (count) =>
    gemini({
      contents: [
        part(
          "model",
          ...list(count, () => ({ text: "hm", thought: true, thoughtSignature: "cw==" })),
        ),
      ],
    }),
  "calls without ids, then results without ids": (count) =>
    gemini({
      contents: [
        part("model", ...list(count, () => geminiCall({}))),
        part(
          "user",
          ...list(count, () => ({ functionResponse: { name: "look", response: { a: 1 } } })),
        ),
      ],
    }),
  "calls with ids that made ones would have": (count) =>
    gemini({
      contents: [
        part("model", ...list(count, (at) => geminiCall({ id: `call_${at}` }))),
        part("model", ...list(count, () => geminiCall({}))),
      ],
    }),
  "results by id, then by name": (count) =>
    gemini({
      contents: [
        part("model", ...list(count, (at) => geminiCall({ id: `c${at}` }))),
        part(
          "user",
          ...list(count, (at) => ({
            functionResponse: { id: `c${at}`, name: "look", response: {} },
          })),
        ),
        part("user", ...list(count, () => ({ functionResponse: { name: "look", response: {} } }))),
      ],
    }),
  "results with many parts": (count) =>
    gemini({
      contents: [
        part("model", geminiCall({ id: "c" })),
        part("user", {
          functionResponse: {
            id: "c",
            name: "look",
            response: members(count, (at) => at),
            parts: list(count, () => ({ inlineData: { mimeType: "image/png", data: "AAAA" } })),
          },
        }),
      ],
    }),
  "tool entries": (count) =>
    gemini({
      tools: list(count, (at) => ({ functionDeclarations: [{ name: `t.${at}` }], urlContext: {} })),
    }),
  "hosted tools": (count) => gemini({ tools: [members(count, () => ({}))] }),
  "allowed names": (count) =>
    gemini({
      tools: [{ functionDeclarations: [{ name: "t" }] }],
      toolConfig: {
        functionCallingConfig: { mode: "ANY", allowedFunctionNames: list(count, (at) => `t${at}`) },
      },
    }),
  "ordered properties": (count) =>
    gemini({
      generationConfig: {
        responseSchema: {
          type: "OBJECT",
          properties: members(count, () => ({ type: "STRING" })),
          propertyOrdering: list(count, (at) => `m${count - 1 - at}`),
        },
      },
    }),
  "unknown settings": (count) =>
    gemini({ generationConfig: members(count, () => 1), ...members(count, () => 1) }),
  "names with underscores": (count) =>
    gemini({ [`a${"_b".repeat(count)}`]: 1, ["_".repeat(count)]: 1 }),
  "stop strings": (count) =>
    gemini({ generationConfig: { stopSequences: list(count, (at) => `s${at}`) } }),
  "a wide call": (count) =>
    gemini({ contents: [part("model", geminiCall({ args: members(count, (at) => at) }))] }),
  instructions: (count) =>
    gemini({ systemInstruction: { parts: list(count, (at) => ({ text: `i${at}` })) } }),
  signatures: (count) =>
    gemini({
      contents: [part("model", { text: "a", thoughtSignature: `Z3cxL${"A".repeat(count)}` })],
    }),
};

/** By the format that the client speaks. */
export const wideShapes: Readonly<Record<ClientFormatName, Readonly<Record<string, WideShape>>>> = {
  chat: chatShapes,
  responses: responsesShapes,
  messages: messagesShapes,
  gemini: geminiShapes,
};
