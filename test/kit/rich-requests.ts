/** Requests that use much of what their format has, for tests of what becomes of each member. */
import type { ClientFormatName, FormatName } from "../../src/core/format-name.ts";
import { wrapState } from "../../src/translation/opaque-state.ts";
import type { JsonObject } from "../../src/lib/json.ts";

export interface RichRequest {
  title: string;
  body: JsonObject;
  /** Formats whose providers cannot be told all of it, so that the request is refused. */
  refusedBy?: readonly FormatName[];
}

const png = "iVBORw0KGgo=";
const pdf = "JVBERi0xLjQK";
const schema = { type: "object", properties: { q: { type: "string" } }, required: ["q"] };
const state = wrapState({ format: "gemini", origin: "lab", type: "thought_signature", data: "s" });
const mark = { type: "ephemeral", ttl: "1h" };
const place = { city: "Bonn", country: "DE", region: "NRW", timezone: "Europe/Berlin" };

const chatTalk: JsonObject[] = [
  { role: "system", content: [{ type: "text", text: "Be brief.", cache_control: mark }] },
  { role: "developer", content: "In English." },
  {
    role: "user",
    name: "ann",
    content: [
      { type: "text", text: "Look.", prompt_cache_breakpoint: { mode: "explicit" } },
      {
        type: "image_url",
        image_url: { url: `data:image/png;base64,${png}`, detail: "low" },
        cache_control: mark,
      },
      { type: "image_url", image_url: { url: "https://example.test/a.png" } },
      {
        type: "file",
        file: { filename: "a.pdf", file_data: `data:application/pdf;base64,${pdf}` },
      },
      { type: "hologram", text: "A thing in the air." },
    ],
  },
  {
    role: "assistant",
    content: "See here.",
    reasoning_content: "Hm.",
    annotations: [
      {
        type: "url_citation",
        url_citation: { url: "https://example.test/", title: "T", start_index: 0, end_index: 3 },
      },
    ],
    tool_calls: [
      { id: "c1", type: "function", function: { name: "find", arguments: '{"q":"x"}' } },
      { id: "c2", type: "custom", custom: { name: "patch", input: "raw" } },
      {
        id: "c3",
        type: "function",
        function: { name: "find", arguments: "{}" },
        extra_content: { google: { thought_signature: state } },
      },
    ],
  },
  { role: "tool", tool_call_id: "c1", content: [{ type: "text", text: "found" }] },
  { role: "tool", tool_call_id: "c2", content: "patched" },
  { role: "tool", tool_call_id: "c3", content: "found" },
  {
    role: "assistant",
    content: [
      { type: "thinking", thinking: [{ type: "text", text: "So." }] },
      { type: "text", text: "Done." },
      { type: "refusal", refusal: "No more." },
    ],
    reasoning_details: [
      { type: "reasoning.text", text: "Aha.", signature: "sealed" },
      { type: "reasoning.encrypted", data: state },
    ],
  },
  { role: "user", content: "Go on." },
];

const chatTools: JsonObject[] = [
  {
    type: "function",
    function: { name: "find", description: "Finds.", parameters: schema, strict: true },
    cache_control: mark,
  },
  {
    type: "custom",
    custom: {
      name: "patch",
      format: { type: "grammar", grammar: { syntax: "lark", definition: "start: /a/" } },
    },
  },
  { type: "function", name: "flat", parameters: schema },
  { type: "custom", name: "bare", format: { type: "text" } },
];

const chat: RichRequest[] = [
  {
    title: "a conversation with tools",
    body: {
      model: "m",
      messages: chatTalk,
      tools: chatTools,
      tool_choice: {
        type: "allowed_tools",
        allowed_tools: {
          mode: "auto",
          tools: [
            { type: "function", function: { name: "find" } },
            { type: "custom", custom: { name: "patch" } },
            { type: "function", name: "flat" },
          ],
        },
      },
      response_format: {
        type: "json_schema",
        json_schema: { name: "answer", description: "D.", schema, strict: true },
      },
      reasoning: { effort: "high" },
      stream_options: { include_usage: true, include_obfuscation: false },
      prediction: { type: "content", content: [{ type: "text", text: "maybe" }] },
      web_search_options: {
        search_context_size: "low",
        user_location: { type: "approximate", approximate: place },
      },
      metadata: { a: "b" },
      logit_bias: { "1": 2 },
    },
  },
  {
    title: "older and other forms",
    body: {
      model: "m",
      messages: [
        { role: "user", content: "Hi." },
        { role: "assistant", content: null, function_call: { name: "old", arguments: "{}" } },
        { role: "function", name: "old", content: "1" },
        { role: "assistant", audio: { id: "a1", transcript: "As I said." } },
      ],
      functions: [{ name: "old", description: "Old.", parameters: schema }],
      function_call: { name: "old" },
      response_format: { type: "json_object" },
      thinking: { type: "enabled", budget_tokens: 2048 },
    },
  },
  {
    title: "sound",
    body: {
      model: "m",
      messages: [
        {
          role: "user",
          content: [{ type: "input_audio", input_audio: { data: "AAAA", format: "wav" } }],
        },
      ],
      tools: [chatTools[1] ?? {}],
      tool_choice: { type: "custom", custom: { name: "patch" } },
      response_format: { type: "text" },
    },
    refusedBy: ["messages"],
  },
  {
    title: "film and documents by address",
    body: {
      model: "m",
      messages: [
        {
          role: "user",
          content: [
            { type: "video_url", video_url: { url: "https://example.test/a.mp4" } },
            { type: "document_url", document_url: { url: "https://example.test/a.pdf" } },
            { type: "input_file", filename: "a.txt", file_data: "data:text/plain;base64,YQ==" },
          ],
        },
      ],
      tools: [{ type: "web_search", filters: { allowed_domains: ["example.test"] } }],
      tool_choice: { type: "function", name: "find" },
    },
    refusedBy: ["messages", "responses"],
  },
];

const responsesTalk: JsonObject[] = [
  {
    type: "message",
    role: "developer",
    content: [{ type: "input_text", text: "Be brief." }],
  },
  {
    role: "user",
    content: [
      { type: "input_text", text: "Look.", prompt_cache_breakpoint: { mode: "explicit" } },
      { type: "input_image", image_url: `data:image/png;base64,${png}`, detail: "low" },
      { type: "input_image", image_url: { url: "https://example.test/a.png", detail: "high" } },
      { type: "input_file", filename: "a.pdf", file_data: `data:application/pdf;base64,${pdf}` },
      { type: "hologram", text: "A thing in the air." },
    ],
  },
  {
    type: "reasoning",
    id: "rs_1",
    summary: [{ type: "summary_text", text: "Hm." }],
    content: [{ type: "reasoning_text", text: "Hm, hm." }],
    encrypted_content: "sealed",
  },
  { type: "reasoning", summary: [], encrypted_content: `${state}.next` },
  { type: "function_call", call_id: "c1", name: "find", namespace: "kit", arguments: "{}" },
  { type: "custom_tool_call", call_id: "c2", name: "patch", input: "raw" },
  {
    type: "function_call_output",
    call_id: "c1",
    output: [{ type: "input_text", text: "found" }],
  },
  { type: "custom_tool_call_output", call_id: "c2", output: "patched" },
  {
    type: "local_shell_call",
    id: "l1",
    call_id: "c3",
    status: "completed",
    action: { type: "exec", command: ["ls"], env: { A: "b" } },
  },
  { type: "local_shell_call_output", id: "l1", output: "a.txt" },
  {
    type: "shell_call",
    call_id: "c4",
    action: { commands: ["ls"] },
    environment: { type: "local" },
  },
  {
    type: "shell_call_output",
    call_id: "c4",
    output: [{ stdout: "a", stderr: "", outcome: { type: "exit", exit_code: 0 } }],
  },
  {
    type: "apply_patch_call",
    call_id: "c5",
    operation: { type: "create_file", path: "a", diff: "+a" },
  },
  { type: "apply_patch_call_output", call_id: "c5", status: "completed", output: "done" },
  { type: "tool_search_call", call_id: "c6", execution: "client", arguments: { query: "q" } },
  {
    type: "tool_search_output",
    call_id: "c6",
    execution: "client",
    tools: [{ type: "function", name: "late", parameters: schema }],
  },
  { type: "web_search_call", id: "ws_1", action: { type: "search", query: "q" } },
  {
    type: "message",
    role: "assistant",
    phase: "final_answer",
    content: [
      {
        type: "output_text",
        text: "Done.",
        annotations: [
          {
            type: "url_citation",
            url: "https://example.test/",
            title: "T",
            start_index: 0,
            end_index: 3,
          },
        ],
      },
      { type: "refusal", refusal: "No more." },
    ],
  },
  { type: "additional_tools", role: "developer", tools: [{ type: "custom", name: "later" }] },
  { type: "strange", content: [{ type: "text", text: "Who knows." }] },
];

const responsesTools: JsonObject[] = [
  { type: "function", name: "flat", description: "Flat.", parameters: schema, strict: true },
  { type: "function", function: { name: "nested", parameters: schema } },
  {
    type: "custom",
    name: "patch",
    format: { type: "grammar", syntax: "lark", definition: "start: /a/" },
  },
  {
    type: "namespace",
    name: "kit",
    tools: [{ type: "function", name: "find", parameters: schema }],
  },
  { type: "local_shell" },
  { type: "tool_search", execution: "client", description: "Finds tools.", parameters: schema },
  {
    type: "web_search",
    filters: { allowed_domains: ["example.test"], blocked_domains: ["example.com"] },
    search_context_size: "low",
    user_location: { type: "approximate", ...place },
  },
  { type: "code_interpreter", container: { type: "auto", file_ids: ["f"] } },
  { type: "file_search", vector_store_ids: ["v"] },
];

const responses: RichRequest[] = [
  {
    title: "a conversation with tools",
    body: {
      model: "m",
      instructions: "Answer.",
      input: responsesTalk,
      tools: responsesTools,
      tool_choice: {
        type: "allowed_tools",
        mode: "auto",
        tools: [{ type: "function", name: "flat" }],
      },
      text: {
        format: { type: "json_schema", name: "answer", schema, strict: true },
        verbosity: "low",
      },
      reasoning: { effort: "high", summary: "auto" },
      stream_options: { include_obfuscation: false },
      metadata: { a: "b" },
    },
  },
  {
    title: "a chosen function",
    body: {
      model: "m",
      input: "Hi.",
      tools: responsesTools,
      tool_choice: { type: "function", name: "flat" },
    },
  },
  {
    title: "a chosen special tool",
    body: {
      model: "m",
      input: "Hi.",
      tools: responsesTools,
      tool_choice: { type: "local_shell" },
    },
  },
  {
    title: "sound",
    body: {
      model: "m",
      input: [
        {
          role: "user",
          content: [{ type: "input_audio", input_audio: { data: "AAAA", format: "wav" } }],
        },
      ],
    },
    refusedBy: ["messages"],
  },
];

const messagesTalk: JsonObject[] = [
  {
    role: "user",
    content: [
      { type: "text", text: "Look.", cache_control: mark },
      { type: "image", source: { type: "base64", media_type: "image/png", data: png } },
      { type: "image", source: { type: "url", url: "https://example.test/a.png" } },
      {
        type: "document",
        source: { type: "base64", media_type: "application/pdf", data: pdf },
        title: "A",
      },
      {
        type: "document",
        source: { type: "text", media_type: "text/plain", data: "plain" },
        context: "From a friend.",
      },
      {
        type: "document",
        source: { type: "content", content: [{ type: "text", text: "inside" }] },
        citations: { enabled: true },
      },
      {
        type: "search_result",
        source: "https://example.test/",
        title: "S",
        content: [{ type: "text", text: "result" }],
      },
      { type: "hologram", text: "A thing in the air." },
    ],
  },
  {
    role: "assistant",
    content: [
      { type: "thinking", thinking: "Hm.", signature: "sealed" },
      { type: "redacted_thinking", data: "sealed" },
      { type: "compaction", content: "Before, we talked.", cache_control: mark },
      {
        type: "text",
        text: "See here.",
        citations: [
          {
            type: "web_search_result_location",
            url: "https://example.test/",
            title: "T",
            cited_text: "t",
            encrypted_index: "sealed",
          },
          {
            type: "char_location",
            document_index: 0,
            document_title: "A",
            cited_text: "t",
            start_char_index: 0,
            end_char_index: 1,
          },
        ],
      },
      { type: "thinking", thinking: "", signature: `${state}.next` },
      {
        type: "tool_use",
        id: "t1",
        name: "find",
        input: { q: "x" },
        caller: { type: "direct" },
        cache_control: mark,
      },
      { type: "server_tool_use", id: "s1", name: "web_search", input: { query: "q" } },
      {
        type: "web_search_tool_result",
        tool_use_id: "s1",
        content: [{ type: "web_search_result", url: "https://example.test/", title: "T" }],
      },
    ],
  },
  {
    role: "user",
    content: [
      {
        type: "tool_result",
        tool_use_id: "t1",
        content: [
          { type: "text", text: "found" },
          { type: "tool_reference", tool_name: "late" },
          { type: "image", source: { type: "base64", media_type: "image/png", data: png } },
          {
            type: "document",
            source: { type: "text", media_type: "text/plain", data: "plain" },
            cache_control: mark,
          },
        ],
        is_error: true,
        cache_control: mark,
      },
    ],
  },
  {
    role: "system",
    content: [
      {
        type: "tool_addition",
        tool: { type: "tool", definition: { name: "added", input_schema: schema } },
      },
      { type: "tool_addition", tool: { type: "tool_reference", name: "late" } },
      { type: "tool_removal", tool: { type: "tool_reference", name: "gone" } },
    ],
    output_config: { effort: "low" },
  },
];

const messagesTools: JsonObject[] = [
  {
    name: "find",
    description: "Finds.",
    input_schema: schema,
    strict: true,
    cache_control: mark,
  },
  { name: "late", input_schema: schema, defer_loading: true },
  { type: "bash_20250124", name: "bash" },
  {
    type: "web_search_20250305",
    name: "web_search",
    max_uses: 3,
    blocked_domains: ["example.com"],
    user_location: { type: "approximate", ...place },
    cache_control: mark,
  },
  { type: "code_execution_20250522", name: "code_execution" },
  { type: "mcp_toolset", mcp_server_name: "x", default_config: { enabled: true } },
];

const messages: RichRequest[] = [
  {
    title: "a conversation with tools",
    body: {
      model: "m",
      max_tokens: 9000,
      system: [{ type: "text", text: "Be brief.", cache_control: mark }],
      messages: messagesTalk,
      tools: messagesTools,
      tool_choice: { type: "tool", name: "find", disable_parallel_tool_use: true },
      thinking: { type: "enabled", budget_tokens: 2048 },
      output_config: { effort: "high", format: { type: "json_schema", schema } },
      metadata: { user_id: "u" },
      mcp_servers: [{ type: "url", url: "https://example.test/", name: "x" }],
      container: { id: "c", skills: [{ type: "custom", skill_id: "s" }] },
    },
  },
  {
    title: "the older place of the schema",
    body: {
      model: "m",
      max_tokens: 9000,
      messages: [{ role: "user", content: "Hi." }],
      output_format: { type: "json_schema", schema },
    },
  },
];

const subset = {
  type: "OBJECT",
  properties: { q: { type: "STRING", nullable: true }, n: { type: "ARRAY", minItems: "1" } },
  propertyOrdering: ["n", "q"],
  required: ["q"],
};

const geminiTalk: JsonObject[] = [
  {
    role: "user",
    parts: [
      { text: "Look." },
      { inlineData: { mimeType: "image/png", data: png, displayName: "a.png" } },
      {
        inlineData: { mimeType: "image/png", data: png },
        mediaResolution: { level: "MEDIA_RESOLUTION_LOW" },
      },
      { fileData: { fileUri: "https://example.test/a.png", mimeType: "image/png" } },
      { inlineData: { mimeType: "application/pdf", data: pdf, displayName: "a.pdf" } },
    ],
  },
  {
    role: "model",
    parts: [
      { text: "Hm.", thought: true },
      { text: "See ", thoughtSignature: "c2VhbGVk" },
      { text: "here." },
      { executableCode: { language: "PYTHON", code: "print(1)" } },
      { codeExecutionResult: { outcome: "OUTCOME_OK", output: "1" } },
      { functionCall: { id: "c1", name: "find", args: { q: "x" } }, thoughtSignature: "c2VhbGVk" },
      { functionCall: { name: "look.up:it", args: {} } },
    ],
  },
  {
    role: "user",
    parts: [
      {
        functionResponse: {
          id: "c1",
          name: "find",
          response: { output: "found" },
          parts: [{ inlineData: { mimeType: "image/png", data: png } }],
        },
      },
      { functionResponse: { name: "look.up:it", response: { error: "nothing" } } },
    ],
  },
];

const gemini: RichRequest[] = [
  {
    title: "a conversation with tools",
    body: {
      model: "m",
      systemInstruction: { role: "user", parts: [{ text: "Be brief." }] },
      contents: geminiTalk,
      tools: [
        { functionDeclarations: [{ name: "find", description: "Finds.", parameters: subset }] },
        { functionDeclarations: [{ name: "look.up:it", parametersJsonSchema: schema }] },
        { googleSearch: { searchTypes: { webSearch: {} } } },
        { urlContext: {} },
      ],
      toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["find"] } },
      generationConfig: {
        temperature: 1,
        topP: 0.95,
        topK: 64,
        maxOutputTokens: 9000,
        stopSequences: ["END"],
        seed: 1,
        presencePenalty: 0.1,
        frequencyPenalty: 0.1,
        thinkingConfig: { thinkingLevel: "HIGH", includeThoughts: true },
        responseMimeType: "application/json",
        responseSchema: subset,
        speechConfig: { languageCode: "de" },
      },
      safetySettings: [{ category: "C", threshold: "T" }],
      serviceTier: "flex",
      labels: { team: "x" },
    },
  },
  {
    title: "the same spelled as in Python",
    body: {
      model: "m",
      system_instruction: { parts: { text: "Be brief." } },
      contents: [
        { parts: { text: "Hi." } },
        {
          role: "model",
          parts: [
            { text: "Hm.", thought: true, thought_signature: "c2VhbGVk" },
            { function_call: { name: "find", args: {} }, thought_signature: "c2VhbGVk" },
          ],
        },
        { parts: [{ function_response: { name: "find", response: { result: "r" } } }] },
        { parts: [{ inline_data: { mime_type: "image/png", data: png, display_name: "a.png" } }] },
      ],
      tools: {
        function_declarations: [{ name: "find", parameters_json_schema: schema }],
        code_execution: {},
      },
      tool_config: { function_calling_config: { mode: "AUTO" } },
      generation_config: {
        max_output_tokens: 9000,
        stop_sequences: ["END"],
        thinking_config: { thinking_budget: 2048, include_thoughts: true },
        response_mime_type: "application/json",
        response_json_schema: schema,
        media_resolution: "MEDIA_RESOLUTION_HIGH",
      },
    },
  },
  {
    title: "a film",
    body: {
      model: "m",
      contents: [{ parts: [{ inlineData: { mimeType: "video/mp4", data: png } }] }],
    },
    refusedBy: ["chat", "responses", "messages"],
  },
];

/** Each client format's requests. */
export const richRequests: Record<ClientFormatName, readonly RichRequest[]> = {
  chat,
  responses,
  messages,
  gemini,
};
