/** A Gemini client's request for a provider that speaks Gemini too, and what the gateway reads off it. */
import { describe, expect, it } from "vitest";
import { gemini } from "../../src/formats/gemini/index.ts";
import { writeSignature } from "../../src/formats/gemini/shared/carried-states.ts";
import type { JsonObject } from "../../src/lib/json.ts";
import { clientRequest } from "../../src/upstream/client-request.ts";
import { target } from "../kit/neutral.ts";

const contents = [{ role: "user", parts: [{ text: "hi" }] }];

function relayed(body: JsonObject, parameters: JsonObject = {}): JsonObject {
  const { body: written } = gemini.provider.relayRequest({
    body,
    target: target("gemini"),
    // Only set members are saved.
    parameters: parameters as Record<string, string>,
    asIs: false,
  });
  return written;
}

describe("a relay", () => {
  it("leaves the body as it is, whatever its spelling", () => {
    const body = {
      contents,
      generation_config: { top_k: 64, x_unknown: { a_b: 1 } },
      newMember: [1],
    };
    expect(relayed(body)).toEqual(body);
  });

  it("writes saved parameters into the settings, in one spelling", () => {
    const body = {
      contents,
      tools: [{ functionDeclarations: [{ name: "t" }] }],
      generation_config: {
        max_output_tokens: 5,
        thinking_config: { include_thoughts: true },
        x: 1,
      },
    };
    const saved = {
      temperature: 0.5,
      max_tokens: 100,
      stop: "END",
      reasoning_effort: "low",
      tool_choice: "required",
      service_tier: "default",
      topK: 3,
    };
    expect(relayed(body, saved)).toEqual({
      contents,
      tools: body.tools,
      serviceTier: "standard",
      toolConfig: { functionCallingConfig: { mode: "ANY" } },
      generationConfig: {
        x: 1,
        temperature: 0.5,
        maxOutputTokens: 100,
        stopSequences: ["END"],
        thinkingConfig: { thinkingBudget: 1024 - 925, includeThoughts: true },
        topK: 3,
      },
    });
    expect(body.generation_config.max_output_tokens).toBe(5);
  });

  it("takes out state of other makers, and marks the call that had it", () => {
    const state = { format: "messages", origin: "lab", type: "signature", data: "s" } as const;
    const thoughtSignature = writeSignature([{ state, owner: "thinking" }]);
    const body: JsonObject = {
      contents: [
        { role: "model", parts: [{ functionCall: { name: "t" }, thoughtSignature }] },
        { role: "model", parts: [{ text: "a", thought_signature: thoughtSignature }] },
        { role: "model", parts: [{ text: "", thoughtSignature }] },
        { role: "model", parts: [{ text: "", thoughtSignature: "bmF0aXZl" }] },
      ],
    };
    const text = JSON.stringify(body);
    expect(clientRequest(gemini.client, { body, text }).tagged).toBe(true);
    expect(gemini.provider.scrub(body, "lab")).toEqual([
      "contents[].parts[].thoughtSignature",
      "contents[].parts[].thought_signature",
    ]);
    expect(body["contents"]).toEqual([
      {
        role: "model",
        parts: [
          {
            functionCall: { name: "t" },
            thoughtSignature: "skip_thought_signature_validator",
          },
        ],
      },
      { role: "model", parts: [{ text: "a" }] },
      { role: "model", parts: [{ text: "", thoughtSignature: "bmF0aXZl" }] },
    ]);
  });
});

describe("what is read off a request", () => {
  const described = (body: JsonObject) =>
    gemini.client.describe({ contents, ...body }, { model: "m", answer: "array" });

  it("is its model, its form, its limit and its number of answers", () => {
    expect(
      described({
        generationConfig: { maxOutputTokens: 5, candidateCount: 2 },
        serviceTier: "FLEX",
      }),
    ).toMatchObject({
      model: "m",
      stream: true,
      maxOutput: 5,
      answers: 2,
      serviceTier: "flex",
      uncertain: [],
    });
  });

  it("is the largest limit of all spellings", () => {
    expect(
      described({
        generationConfig: { maxOutputTokens: 5, max_output_tokens: "7" },
        generation_config: { maxOutputTokens: 6 },
      }),
    ).toMatchObject({ maxOutput: 7, uncertain: [] });
  });

  it("names what leaves its cost open", () => {
    const { uncertain, otherModels, addsInput } = described({
      generation_config: { max_output_tokens: 0.5, candidateCount: "x", routingConfig: {} },
      cached_content: "cachedContents/x",
    });
    expect(uncertain.map(({ path }) => path)).toEqual([
      "generation_config.max_output_tokens",
      "generation_config.candidateCount",
    ]);
    expect(otherModels).toEqual(["generation_config.routingConfig"]);
    expect(addsInput).toBe(true);
  });

  it("tells of paid tools", () => {
    expect(described({ tools: [{ google_search: {} }, { fileSearch: {} }] }).toolUses).toEqual({
      webSearch: 3,
      fileSearch: 3,
    });
  });

  it("knows a session of Gemini CLI by what it says first", () => {
    const session = (text: string) =>
      described({ contents: [{ role: "user", parts: [{ text }] }] }).conversation;
    expect(session("<session_context>\nToday is Sunday")).toMatch(/^gemini-\w{8}$/);
    expect(session("<session_context>a")).not.toBe(session("<session_context>b"));
    expect(session("hi")).toBeUndefined();
  });
});
