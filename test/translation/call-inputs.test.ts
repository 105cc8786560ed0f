import { describe, expect, it } from "vitest";
import { inputObject, takeInputs } from "../../src/translation/call-inputs.ts";
import type { JsonObject } from "../../src/lib/json.ts";

/** What of the exact reading stands in the plain one afterwards. */
function taken(write: (id: number | string) => JsonObject): JsonObject {
  const value = write(1);
  takeInputs(value, write("exact"));
  return value;
}

describe("the exact reading of a body is used", () => {
  it.each<[string, (id: number | string) => JsonObject]>([
    [
      "a Messages call",
      (id) => ({ messages: [{ content: [{ type: "tool_use", name: "t", input: { id } }] }] }),
    ],
    [
      "a call of a server's tool",
      (id) => ({ content: [{ type: "server_tool_use", input: { id } }] }),
    ],
    [
      "a Messages block's start",
      (id) => ({ content_block: { type: "tool_use", name: "t", input: [id] } }),
    ],
    [
      "a chat call whose arguments are an object",
      (id) => ({
        choices: [{ message: { tool_calls: [{ function: { name: "t", arguments: { id } } }] } }],
      }),
    ],
    [
      "Responses' items",
      (id) => ({
        input: [
          { type: "shell_call", action: { id } },
          { type: "tool_search_call", arguments: { id } },
          { type: "function_call_output", output: { id } },
        ],
      }),
    ],
    [
      "a Gemini call",
      (id) => ({
        candidates: [{ content: { parts: [{ functionCall: { name: "t", args: { id } } }] } }],
      }),
    ],
  ])("in %s", (_, write) => {
    expect(taken(write)).toEqual(write("exact"));
  });

  it.each<[string, (id: number | string) => JsonObject]>([
    ["settings", (id) => ({ max_tokens: id, seed: id, thinking: { budget_tokens: id } })],
    [
      "schemas",
      (id) => ({
        tools: [
          {
            name: "t",
            input_schema: { properties: { input: { maximum: id }, functionCall: { maximum: id } } },
          },
        ],
      }),
    ],
    ["bare inputs", (id) => ({ content: [{ type: "tool_use", name: "t", input: id }] })],
  ])("but not in %s", (_, write) => {
    expect(taken(write)).toEqual(write(1));
  });
});

describe("arguments become an object", () => {
  it.each([
    ["", {}],
    ['{"a":1}', { a: 1 }],
    ["[1]", { value: [1] }],
    ["7", { value: 7 }],
    ["{broken", { _raw: "{broken" }],
  ])("%j", (text, object) => {
    expect(inputObject(text)).toEqual(object);
  });
});
