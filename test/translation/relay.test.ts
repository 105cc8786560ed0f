import { describe, expect, it } from "vitest";

import { defaultTraits, type Traits, type Target } from "../../src/core/model.ts";
import type { FormatName } from "../../src/core/format-name.ts";
import type { ModelRequest } from "../../src/core/request.ts";
import type { JsonObject } from "../../src/lib/json.ts";
import { providerFormats } from "../../src/formats/index.ts";
import { savedParametersFor } from "../../src/store/harness-parameters.ts";
import { applyParameters } from "../../src/translation/apply-parameters.ts";
import { targetOf } from "../../src/providers/connection/target.ts";
import { modelOf } from "../providers/kit.ts";

function targetFor(format: FormatName, traits: Partial<Traits> = {}, stream = false): Target {
  return {
    model: "real-model",
    connection: "p",
    format,
    traits: { ...defaultTraits(format), ...traits },
    stream,
  };
}

const relay = (body: JsonObject, target: Target, params = {}) =>
  providerFormats[target.format].relayRequest({ body, target, parameters: params, asIs: false });

describe("a relay", () => {
  it("changes the model and nothing else", () => {
    const body = JSON.parse(
      '{"model":"lab/x","max_completion_tokens":5,"unknown":{"deep":[1,{"a":null}]},"__proto__":{"x":1},"messages":[]}',
    );
    const { body: out, quiet, hidesUsage } = relay(body, targetFor("chat"));
    expect(JSON.stringify(out)).toBe(
      '{"model":"real-model","max_completion_tokens":5,"unknown":{"deep":[1,{"a":null}]},"__proto__":{"x":1},"messages":[]}',
    );
    expect(quiet).toEqual([]);
    expect(hidesUsage).toBe(false);
    expect(body.model).toBe("lab/x");
    expect(out["unknown"]).toBe(body.unknown);
  });

  it("asks a chat stream for its usage and remembers whether the client had", () => {
    const target = targetFor("chat", {}, true);
    expect(relay({}, target)).toMatchObject({
      hidesUsage: true,
      body: { stream_options: { include_usage: true } },
    });
    expect(relay({ stream_options: null }, target)).toMatchObject({ hidesUsage: true });
    expect(relay({ stream_options: { include_usage: false, x: 1 } }, target)).toMatchObject({
      hidesUsage: true,
      body: { stream_options: { include_usage: true, x: 1 } },
    });
    expect(relay({ stream_options: { include_usage: true } }, target).hidesUsage).toBe(false);
    expect(relay({}, targetFor("responses", {}, true)).body["stream_options"]).toBeUndefined();
    expect(
      relay({}, targetFor("chat", { streamUsage: false }, true)).body["stream_options"],
    ).toBeUndefined();
  });

  it("takes out the five OpenAI-only fields for others, in silence", () => {
    const five = {
      stream_options: { include_usage: true },
      reasoning_effort: "low",
      modalities: ["text"],
      audio: {},
      prediction: null,
    };
    const body = { ...five, temperature: 1 };
    const { body: out, quiet } = relay(body, targetFor("chat", { openAiFields: false }));
    expect(out).toEqual({ model: "real-model", temperature: 1 });
    expect(quiet.toSorted()).toEqual(Object.keys(five).toSorted());
    expect(relay(body, targetFor("chat")).body).toEqual({ ...body, model: "real-model" });
  });

  it("a client that asked for usage still gets it where the field itself is not passed on", () => {
    const target = targetFor("chat", { openAiFields: false }, true);
    expect(relay({ stream_options: { include_usage: true } }, target).hidesUsage).toBe(false);
    expect(relay({}, target).hidesUsage).toBe(true);
  });

  it("renames the limit for servers that refuse the other name", () => {
    const openai = targetOf(modelOf({ id: "o", kind: "openai" }, "gpt-5.2"), "chat", false);
    expect(relay({ max_tokens: 9 }, openai).body).toEqual({
      model: "gpt-5.2",
      max_completion_tokens: 9,
    });
    const mistral = targetOf(modelOf({ id: "m", kind: "mistral" }, "mistral-large"), "chat", false);
    expect(relay({ max_completion_tokens: 9 }, mistral).body).toEqual({
      model: "mistral-large",
      max_tokens: 9,
    });
    expect(relay({ max_completion_tokens: 9, max_tokens: 8 }, mistral).body).toEqual({
      model: "mistral-large",
      max_tokens: 8,
    });
  });

  it("variant B: only the model", () => {
    const body = { model: "x", max_tokens: 5, reasoning_effort: "low", stream: true };
    const target = targetFor(
      "chat",
      { openAiFields: false, renamesMaxTokens: true, maxTokensField: "max_completion_tokens" },
      true,
    );
    expect(
      providerFormats.chat.relayRequest({
        body,
        target,
        parameters: { temperature: 0 },
        asIs: true,
      }),
    ).toEqual({
      body: { ...body, model: "real-model" },
      quiet: [],
      hidesUsage: false,
    });
  });
});

describe("saved parameters", () => {
  const harness = {
    params: { temperature: 0.2, top_p: 0.9, seed: 1 },
    model_params: { "lab/q": { temperature: 0, top_k: 40 } },
  };

  it("per-model ones stand over general ones", () => {
    expect({ ...savedParametersFor(harness, "lab/q") }).toEqual({
      temperature: 0,
      top_p: 0.9,
      seed: 1,
      top_k: 40,
    });
    expect({ ...savedParametersFor(harness, "lab/other") }).toEqual(harness.params);
    expect({ ...savedParametersFor({}, "constructor") }).toEqual({});
  });

  it("can't name what the request is about, nor a prototype", () => {
    const params = JSON.parse(
      '{"__proto__":{"polluted":true},"model":"evil","messages":[],"stream":true,"constructor":1}',
    );
    const merged = savedParametersFor({ params }, "m");
    const { body } = relay({ messages: ["mine"] }, targetFor("chat"), merged);
    expect(JSON.parse(JSON.stringify(body))).toEqual(
      JSON.parse(
        '{"messages":["mine"],"model":"real-model","__proto__":{"polluted":true},"constructor":1}',
      ),
    );
    expect(Object.getPrototypeOf(body)).toBe(Object.prototype);
    expect("polluted" in {}).toBe(false);
    expect("polluted" in body).toBe(false);
  });

  it("win over the client's on a chat relay, other names as they stand", () => {
    const { body } = relay({ temperature: 1, max_tokens: 3 }, targetFor("chat"), {
      temperature: 0,
      max_completion_tokens: 7,
      top_k: 4,
      min_p: 0.1,
    });
    expect(body).toEqual({
      model: "real-model",
      temperature: 0,
      max_tokens: 7,
      top_k: 4,
      min_p: 0.1,
    });
  });

  it("a saved reasoning_effort is treated like the client's own", () => {
    expect(relay({}, targetFor("chat"), { reasoning_effort: "high" }).body).toMatchObject({
      reasoning_effort: "high",
    });
    expect(
      relay({}, targetFor("chat", { openAiFields: false }), { reasoning_effort: "high" }),
    ).toMatchObject({ body: { model: "real-model" }, quiet: ["reasoning_effort"] });
  });

  it("models that refuse sampling or stops are not given any", () => {
    const strict = targetFor("chat", { sampling: "none", noStop: true });
    expect(relay({}, strict, { temperature: 0.2, stop: ["x"], seed: 3 })).toMatchObject({
      body: { model: "real-model", seed: 3 },
      quiet: ["temperature", "stop"],
    });
  });

  it("on a Responses relay they have its names", () => {
    const params = {
      max_tokens: 4,
      reasoning_effort: "low",
      verbosity: "low",
      stop: ["x"],
      seed: 1,
      user: "u",
      top_k: 3,
      response_format: { type: "json_schema", json_schema: { name: "n", schema: {} } },
    };
    const { body, quiet } = relay(
      { reasoning: { summary: "auto", effort: "high" }, input: "hi" },
      targetFor("responses"),
      params,
    );
    expect(body).toEqual({
      model: "real-model",
      input: "hi",
      max_output_tokens: 16,
      reasoning: { summary: "auto", effort: "low" },
      text: { verbosity: "low", format: { type: "json_schema", name: "n", schema: {} } },
      user: "u",
      top_k: 3,
    });
    expect(quiet.toSorted()).toEqual(["seed", "stop"]);
  });

  it("on a Messages relay they have its names and bounds", () => {
    const { body, quiet } = relay({ max_tokens: 100, metadata: { a: 1 } }, targetFor("messages"), {
      temperature: 1.7,
      max_completion_tokens: 50,
      stop: "x",
      user: "u",
      top_k: 3,
      seed: 1,
    });
    expect(body).toEqual({
      model: "real-model",
      max_tokens: 50,
      metadata: { a: 1, user_id: "u" },
      temperature: 1,
      stop_sequences: ["x"],
      top_k: 3,
    });
    expect(quiet).toEqual(["seed"]);
  });

  it("effort on Messages: a budget below the limit, a word, or nothing, as the model knows it", () => {
    const effort = (traits: Partial<Traits>, body: JsonObject, word = "high") =>
      relay(body, targetFor("messages", traits), { reasoning_effort: word });
    expect(effort({ reasoning: "budget" }, { max_tokens: 8000, temperature: 0.5 }).body).toEqual({
      model: "real-model",
      max_tokens: 8000,
      thinking: { type: "enabled", budget_tokens: 7999 },
    });
    expect(effort({ reasoning: "budget" }, { max_tokens: 900 })).toMatchObject({
      body: { model: "real-model", max_tokens: 900 },
      quiet: ["reasoning_effort"],
    });
    expect(
      effort({ reasoning: "budget" }, { max_tokens: 8000, tool_choice: { type: "any" } }).body[
        "thinking"
      ],
    ).toBeUndefined();
    expect(
      effort(
        { reasoning: "adaptive", efforts: ["low", "high"] },
        { output_config: { format: 1 }, thinking: { type: "adaptive", display: "omitted" } },
        "xhigh",
      ).body,
    ).toEqual({
      model: "real-model",
      output_config: { format: 1, effort: "high" },
      thinking: { type: "adaptive", display: "omitted" },
    });
    expect(effort({ reasoning: "none" }, {}).quiet).toEqual(["reasoning_effort"]);
    expect(
      effort({ reasoning: "adaptive" }, { output_config: { effort: "high" } }, "none").body,
    ).toEqual({ model: "real-model", thinking: { type: "disabled" } });
  });

  it("a saved limit keeps the client's thinking budget below it", () => {
    const body = { max_tokens: 32_000, thinking: { type: "enabled", budget_tokens: 16_000 } };
    const out = (limit: number) => relay(body, targetFor("messages"), { max_tokens: limit }).body;
    expect(out(8000)).toMatchObject({
      max_tokens: 8000,
      thinking: { type: "enabled", budget_tokens: 7999 },
    });
    expect(out(1000)).toMatchObject({ max_tokens: 1000, thinking: { type: "disabled" } });
    expect(body.thinking.budget_tokens).toBe(16_000);
  });

  it("in a translated request they stand in the neutral form, the rest at the top level", () => {
    const turn: ModelRequest = {
      format: "messages",
      model: "m",
      stream: false,
      wantsUsage: false,
      messages: [],
      tools: [],
      stop: [],
      sampling: { temperature: 1, topK: 3 },
      unsupported: [],
      paths: {},
      openaiOnly: {},
    };
    const params = {
      temperature: 0.1,
      max_tokens: 5,
      stop: "x",
      reasoning_effort: "low",
      top_k: 9,
      min_p: 0.2,
      prediction: { type: "content" },
    };
    const out = applyParameters(turn, params);
    expect(out).toMatchObject({
      sampling: { temperature: 0.1, topK: 3 },
      maxOutput: 5,
      stop: ["x"],
      reasoning: { effort: "low" },
      openaiOnly: { prediction: { type: "content" } },
    });
    expect(turn).toMatchObject({ sampling: { temperature: 1 }, stop: [], openaiOnly: {} });
    const chat: JsonObject = { model: "m" };
    providerFormats.chat.writeExtraParameters(chat, params);
    expect(chat).toEqual({ model: "m", top_k: 9, min_p: 0.2 });
    const gemini: JsonObject = { generationConfig: { topK: 3, seed: 1 } };
    providerFormats.gemini.writeExtraParameters(gemini, params);
    expect(gemini).toEqual({ generationConfig: { seed: 1, top_k: 9, min_p: 0.2 } });
  });
});
