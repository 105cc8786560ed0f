/** Opaque state goes through every client back to its maker and to nobody else. */
import { describe, expect, it } from "vitest";
import type { ClientFormatName, FormatName } from "../../src/core/format-name.ts";
import { collect, type Reply } from "../../src/core/reply.ts";
import { encodedStateTag, stateTag } from "../../src/translation/opaque-state.ts";
import { clientFormats, providerFormats } from "../../src/formats/index.ts";
import {
  asArray,
  asObject,
  parseJson,
  type JsonObject,
  type JsonValue,
} from "../../src/lib/json.ts";
import { context, echo, target } from "../kit/neutral.ts";
import { pairs, providerFormatNames } from "../kit/providers.ts";

const call = { id: "call_1", name: "look", args: { at: "it" } };

/** Whole answers that end in a call, with every kind of state that the provider makes. */
const answers: Record<FormatName, { body: JsonObject; secrets: string[] }> = {
  gemini: {
    secrets: ["c2VjcmV0LXRleHQ=", "c2VjcmV0LWNhbGw="],
    body: {
      candidates: [
        {
          index: 0,
          finishReason: "STOP",
          content: {
            role: "model",
            parts: [
              { text: "thoughts", thought: true },
              { text: "words", thoughtSignature: "c2VjcmV0LXRleHQ=" },
              { functionCall: call, thoughtSignature: "c2VjcmV0LWNhbGw=" },
            ],
          },
        },
      ],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    },
  },
  messages: {
    secrets: ["c2VjcmV0LXNpZ25hdHVyZQ==", "c2VjcmV0LXJlZGFjdGVk"],
    body: {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "m",
      content: [
        { type: "thinking", thinking: "thoughts", signature: "c2VjcmV0LXNpZ25hdHVyZQ==" },
        { type: "redacted_thinking", data: "c2VjcmV0LXJlZGFjdGVk" },
        { type: "tool_use", id: call.id, name: call.name, input: call.args },
      ],
      stop_reason: "tool_use",
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    },
  },
  responses: {
    secrets: ["c2VjcmV0LWVuY3J5cHRlZA=="],
    body: {
      id: "resp_1",
      object: "response",
      created_at: 1,
      model: "m",
      status: "completed",
      output: [
        {
          type: "reasoning",
          id: "rs_1",
          summary: [{ type: "summary_text", text: "thoughts" }],
          encrypted_content: "c2VjcmV0LWVuY3J5cHRlZA==",
        },
        {
          type: "function_call",
          id: "fc_1",
          call_id: call.id,
          name: call.name,
          arguments: JSON.stringify(call.args),
          status: "completed",
        },
      ],
      usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
    },
  },
  chat: {
    secrets: ["c2VjcmV0LWRldGFpbA==", "c2VjcmV0LWV4dHJh"],
    body: {
      id: "chatcmpl-1",
      object: "chat.completion",
      created: 1,
      model: "m",
      choices: [
        {
          index: 0,
          finish_reason: "tool_calls",
          message: {
            role: "assistant",
            content: null,
            reasoning: "thoughts",
            reasoning_details: [
              {
                type: "reasoning.encrypted",
                data: "c2VjcmV0LWRldGFpbA==",
                id: "r1",
                format: "x",
                index: 0,
              },
            ],
            tool_calls: [
              {
                id: call.id,
                type: "function",
                function: { name: call.name, arguments: JSON.stringify(call.args) },
                extra_content: { google: { thought_signature: "c2VjcmV0LWV4dHJh" } },
              },
            ],
          },
        },
      ],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    },
  },
};

function heard(provider: FormatName): Reply {
  const reply = collect(
    providerFormats[provider].readReply(answers[provider].body, context("lab")),
  );
  if ("failure" in reply) throw new Error(reply.failure.message);
  return reply;
}

/** The next request of a client that hands back what it was given. */
function nextRequest(client: ClientFormatName, answer: JsonObject): JsonObject {
  const tools = { name: call.name, description: "d" };
  switch (client) {
    case "chat": {
      const message = asObject(asObject(asArray(answer["choices"])[0])?.["message"]) ?? {};
      const result = { role: "tool", tool_call_id: call.id, content: "seen" };
      const messages: JsonValue[] = [{ role: "user", content: "look" }, message, result];
      return { model: "m", messages, tools: [{ type: "function", function: tools }] };
    }
    case "responses": {
      const result = { type: "function_call_output", call_id: call.id, output: "seen" };
      const input = [{ role: "user", content: "look" }, ...asArray(answer["output"]), result];
      return {
        model: "m",
        input,
        store: false,
        tools: [{ type: "function", ...tools, parameters: null }],
      };
    }
    case "messages": {
      const result = {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: call.id, content: "seen" }],
      };
      const messages: JsonValue[] = [
        { role: "user", content: "look" },
        { role: "assistant", content: answer["content"] ?? [] },
        result,
      ];
      const thinking = { type: "enabled", budget_tokens: 2000 };
      return {
        model: "m",
        max_tokens: 9000,
        thinking,
        messages,
        tools: [{ ...tools, input_schema: { type: "object" } }],
      };
    }
    case "gemini": {
      const content = asObject(asObject(asArray(answer["candidates"])[0])?.["content"]) ?? {};
      const response = { id: call.id, name: call.name, response: { output: "seen" } };
      const contents: JsonValue[] = [
        { role: "user", parts: [{ text: "look" }] },
        content,
        { role: "user", parts: [{ functionResponse: response }] },
      ];
      return { model: "m", contents, tools: [{ functionDeclarations: [tools] }] };
    }
    default:
      return client satisfies never;
  }
}

/** A state as it travels; Gemini's clients get one text for several. */
const wrapped = /gw1\.[A-Za-z0-9_-]{20,}|Z3cxL[A-Za-z0-9+/]{20,}={0,2}/g;

function statesOf(text: string): string[] {
  if (text.startsWith(stateTag)) return [text];
  const carried = atob(text).slice(stateTag.length);
  return asArray(parseJson(carried)).map((state) => JSON.stringify(state));
}

const translated = pairs.filter(({ client, provider }) => client !== provider);

describe.each(translated)("state of $provider at a client of $client", ({ client, provider }) => {
  const { secrets } = answers[provider];

  function written(to: FormatName, connection: string): string {
    const answer = clientFormats[client].writeReply(heard(provider), echo());
    const turn = clientFormats[client].readRequest(nextRequest(client, answer));
    const { body } = providerFormats[to].writeRequest(turn, { ...target(to), connection });
    return JSON.stringify(body);
  }

  it("comes back to its maker as it was, on the next request", () => {
    const text = written(provider, "lab");
    for (const secret of secrets) expect(text).toContain(secret);
    expect(text).not.toContain(stateTag);
    expect(text).not.toContain(encodedStateTag);
    expect(text).toContain("look");
  });

  it("reaches no other connection, of whatever format", () => {
    for (const other of providerFormatNames) {
      const text = written(other, "elsewhere");
      for (const secret of secrets) expect(text, other).not.toContain(secret);
      expect(text, other).not.toContain(stateTag);
      expect(text, other).not.toContain(encodedStateTag);
    }
  });

  it("is in the stream too, once each", () => {
    const events = providerFormats[provider].readReply(answers[provider].body, context("lab"));
    const stream = clientFormats[client].eventWriter(echo()).write(events);
    const whole = JSON.stringify(clientFormats[client].writeReply(heard(provider), echo()));
    const states = (text: string): string[] =>
      [...new Set(text.match(wrapped))].flatMap(statesOf).toSorted();
    expect(states(stream)).toEqual(states(whole));
    expect(states(stream).length).toBeGreaterThanOrEqual(secrets.length);
  });
});
