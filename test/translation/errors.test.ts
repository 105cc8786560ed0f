import { describe, expect, it } from "vitest";
import { clientFormats, providerFormats } from "../../src/formats/index.ts";
import { isOverflowText } from "../../src/translation/errors.ts";
import { echo } from "../kit/neutral.ts";
import { providerFormatNames } from "../kit/providers.ts";

const overflows = [
  "This model's maximum context length is 8192 tokens. However, you requested 10240 tokens.",
  "prompt is too long: 250000 tokens > 200000 maximum",
  "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000",
  "The input token count (1100000) exceeds the maximum number of tokens allowed (1048576).",
  "the request exceeds the available context size (250000 > 128000)",
  "Your input exceeds the context window of this model.",
  "Input is too long for requested model.",
  "too many input tokens",
  "The prompt (40000 tokens) is longer than the model's context",
  "Please reduce the length of the messages or completion.",
];

const otherErrors = [
  "max_tokens: must be at least 1",
  "messages: too many tool results",
  "Extra inputs are not permitted",
  "Rate limit reached for requests per minute.",
  "The model does not exist.",
];

describe("a message of a provider", () => {
  it.each(overflows)("that means an overflow: %s", (message) => {
    expect(isOverflowText(message)).toBe(true);
  });

  it.each(otherErrors)("that means something else: %s", (message) => {
    expect(isOverflowText(message)).toBe(false);
  });

  it("is searched up to a bound only", () => {
    expect(isOverflowText(`${"x".repeat(3000)} prompt is too long`)).toBe(false);
  });
});

describe.each(providerFormatNames)("an error status of %s", (format) => {
  it.each(overflows)("is an overflow by the rules of all formats: %s", (message) => {
    const body = JSON.stringify({ error: { message } });
    expect(providerFormats[format].readFailure(400, body).overflow).toBe(true);
  });
});

describe("a context overflow for a client", () => {
  const failure = (message: string) => ({ cause: "status", status: 400, message }) as const;

  const openAi = (limit: number, needed: number): string =>
    `This model's maximum context length is ${limit} tokens. However, your messages resulted in ` +
    `${needed} tokens. Please reduce the length of the messages.`;
  const worded: [string, string][] = [
    ["prompt is too long: 250000 tokens > 200000 maximum", openAi(200_000, 250_000)],
    [
      "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease them",
      openAi(200_000, 210_000),
    ],
    [
      "The input token count (1100000) exceeds the maximum number of tokens allowed (1048576).",
      openAi(1_048_576, 1_100_000),
    ],
    ["the limit is 2000 tokens", openAi(2000, 3000)],
    ["too many tokens", "This model's maximum context length was exceeded: too many tokens"],
    // OpenAI's own words stay.
    [
      "This model's maximum context length is 8192 tokens, you asked for 9000.",
      "This model's maximum context length is 8192 tokens, you asked for 9000.",
    ],
    [
      "Your input exceeds the context window of this model.",
      "Your input exceeds the context window of this model.",
    ],
  ];

  describe.each(["chat", "responses"] as const)("of %s", (format) => {
    it.each(worded)("is told in the words that they look for: %s", (message, expected) => {
      expect(clientFormats[format].overflowError(failure(message), 12_000)).toEqual({
        message: expected,
        type: "invalid_request_error",
        code: "context_length_exceeded",
      });
    });

    it("has the same words and code in mid-stream", () => {
      const message = "prompt is too long: 250000 tokens > 200000 maximum";
      const text = clientFormats[format]
        .eventWriter(echo())
        .write([{ kind: "fail", failure: { ...failure(message), overflow: true } }]);
      expect(text).toContain(openAi(200_000, 250_000));
      expect(text).toContain('"code":"context_length_exceeded"');
    });
  });

  it.each([
    [
      "prompt is too long: 250000 tokens > 200000 maximum (request 1)",
      "prompt is too long: 250000 tokens > 200000 maximum",
    ],
    [
      "maximum context length is 8,192 tokens, however you requested 10240 tokens",
      "prompt is too long: 10240 tokens > 8192 maximum",
    ],
    ["the limit is 2000 tokens", "prompt is too long: 3000 tokens > 2000 maximum"],
    ["the limit is 128000 tokens", "prompt is too long: 128001 tokens > 128000 maximum"],
    ["too many tokens", "prompt is too long: 3000 tokens > 2999 maximum"],
    [
      "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000",
      "prompt is too long: 210000 tokens > 200000 maximum",
    ],
    ["prompt is too long", "prompt is too long"],
    ["gpt-4o-20240806 takes 128000 tokens", "prompt is too long: 128001 tokens > 128000 maximum"],
  ])("of messages holds both numbers: %s", (message, expected) => {
    expect(clientFormats.messages.overflowError(failure(message), 12_000)).toEqual({
      message: expected,
      type: "invalid_request_error",
      code: "context_length_exceeded",
    });
  });

  it.each([
    ["the limit is 128000 tokens", "prompt is too long: the limit is 128000 tokens"],
    [
      // Digits inside a word are no token count.
      "gpt-4o-20240806 takes 128000 tokens",
      "prompt is too long: gpt-4o-20240806 takes 128000 tokens",
    ],
    ["Prompt is too long.", "Prompt is too long."],
  ])("of messages has no estimate where the request's size is unknown: %s", (message, expected) => {
    const echo = { model: "m", wantsUsage: true, newId: (id: string) => id, now: 0, request: {} };
    const fail = { kind: "fail", failure: { ...failure(message), overflow: true } } as const;
    const { messages } = clientFormats;
    expect(messages.eventWriter(echo).write([fail])).toContain(JSON.stringify(expected));
    // A provider of this format is quoted.
    const relayed = messages.eventWriter({ ...echo, relayed: true }).write([fail]);
    expect(relayed).toContain(JSON.stringify(message));
    expect(messages.overflowError(failure(message), 12_000, true).message).toBe(message);
  });
});

describe("limits of another kind", () => {
  it.each([
    "max_tokens is too large: the maximum number of tokens of an answer is 4096",
    "Rate limit reached: too many tokens per minute",
    "You exceeded your quota of input tokens: too many tokens",
  ])("are no overflow: %s", (message) => {
    expect(isOverflowText(message)).toBe(false);
  });

  it("are one where the context is named too", () => {
    const message = "max_tokens and the prompt exceed the maximum context length of 8192 tokens";
    expect(isOverflowText(message)).toBe(true);
  });
});
