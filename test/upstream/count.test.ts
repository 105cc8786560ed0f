import { describe, expect, it } from "vitest";

import { providerFormats } from "../../src/formats/index.ts";
import { countTarget } from "../../src/upstream/count.ts";
import { modelOf } from "../providers/kit.ts";

const generation = {
  model: "m",
  messages: [],
  system: "s",
  tools: [],
  max_tokens: 5,
  stream: true,
  temperature: 1,
};

describe("providers that count tokens", () => {
  it("count in the client's dialect if they can, in another if they must, or not at all", () => {
    const format = (entry: Parameters<typeof modelOf>[0], id: string) =>
      countTarget(modelOf(entry, id), "messages")?.format;
    expect(format({ id: "a", kind: "anthropic" }, "claude-sonnet-5")).toBe("messages");
    expect(format({ id: "g", kind: "gemini" }, "gemini-3.5-flash")).toBe("gemini");
    expect(format({ id: "o", kind: "openai" }, "gpt-5.2")).toBe("responses");
    expect(format({ id: "d", kind: "mistral" }, "mistral-large")).toBeUndefined();
    const custom = { id: "c", kind: "custom", base_url: "http://127.0.0.1:9/v1" };
    expect(format({ ...custom, format: "messages" }, "m")).toBe("messages");
    expect(format({ ...custom, format: "chat" }, "m")).toBeUndefined();
  });

  it("are asked with what such an endpoint knows", () => {
    const target = countTarget(modelOf({ id: "a", kind: "anthropic" }, "m"), "messages");
    if (target === undefined) throw new Error("it counts");
    expect(providerFormats[target.format].counting?.body(generation, target)).toEqual({
      model: "m",
      messages: [],
      system: "s",
      tools: [],
    });
    const gemini = countTarget(modelOf({ id: "g", kind: "gemini" }, "gem"), "messages");
    if (gemini === undefined) throw new Error("it counts");
    const body = { contents: [1], generationConfig: {} };
    expect(
      JSON.parse(JSON.stringify(providerFormats[gemini.format].counting?.body(body, gemini))),
    ).toEqual({
      generateContentRequest: { model: "models/gem", contents: [1] },
    });
  });

  it("answer under their own names", () => {
    expect(providerFormats.messages.counting?.read({ input_tokens: 7 })).toBe(7);
    expect(providerFormats.gemini.counting?.read({ totalTokens: 8 })).toBe(8);
    expect(providerFormats.messages.counting?.read({ input_tokens: "7" })).toBeUndefined();
    expect(providerFormats.messages.counting?.read(null)).toBeUndefined();
  });
});
