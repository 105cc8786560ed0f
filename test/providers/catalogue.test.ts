import { describe, expect, it } from "vitest";

import { modelData as written, modelRows } from "../../scripts/model-data.mjs";
import { checkBaseUrl } from "../../src/providers/connection/address.ts";
import { knownKinds, recordOf } from "../../src/providers/catalogue/kinds.ts";
import { modelData } from "../../src/providers/catalogue/model-data.ts";
import { pricesAt, rowFor, tableOf } from "../../src/providers/catalogue/table.ts";
import { entryProblem } from "../../src/providers/connection/check-entry.ts";
import { connectionOf } from "../../src/providers/connection/connection.ts";
import { endpointsOf, formatsOf, targetOf } from "../../src/providers/connection/target.ts";
import { listed, modelsOf } from "../../src/providers/models/models.ts";
import { rulesFor } from "../../src/providers/connection/model-rules.ts";
import { modelOf, noon } from "./kit.ts";

describe("catalogue", () => {
  it("knows the providers that are promised", () => {
    const promised =
      "openai anthropic gemini openrouter azure bedrock vertex deepseek mistral xai groq cerebras together fireworks moonshot zai minimax qwen nvidia huggingface perplexity cohere ollama ollama-cloud lmstudio llamacpp vllm github-copilot custom demo";
    expect(promised.split(" ").filter((kind) => !knownKinds.includes(kind))).toEqual([]);
  });

  it.each(knownKinds)(
    "%s: its addresses are allowed, its source exists, its rules fit something",
    (kind) => {
      const record = recordOf(kind);
      if (record === undefined) throw new Error("listed kinds have records");
      const reach = record.keyless === true ? "everywhere" : "public";
      const roots = [record.baseUrl, ...record.endpoints.map((wire) => wire.base)].filter(
        (root) => root !== undefined,
      );
      if (record.inProcess !== true) for (const root of roots) checkBaseUrl(root, reach);
      expect(record.baseUrl !== undefined || record.baseUrlExample !== undefined).toBe(true);
      if (record.source !== undefined) expect(tableOf(record.source).length).toBeGreaterThan(0);
      expect(() => checkBaseUrl(record.docs, "public")).not.toThrow();
      for (const rule of record.rules ?? [])
        expect(rule.match.join("")).toBe(rule.match.join("").toLowerCase());
    },
  );

  it("names every kind's environment variable once", () => {
    const names = knownKinds.flatMap((kind) => [...(recordOf(kind)?.env ?? [])]);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(knownKinds)(
    "%s: every offered model has a target in a dialect that the provider speaks",
    (kind) => {
      const format = recordOf(kind)?.endpoints.length === 0 ? ({ format: "chat" } as const) : {};
      const connection = connectionOf({ id: "p", kind, ...format });
      const spoken = endpointsOf(connection).map((wire) => wire.format);
      for (const info of modelsOf(connection, undefined, noon)) {
        for (const client of ["chat", "responses", "messages"] as const) {
          const target = targetOf(listed(connection, info), client, true);
          expect(spoken).toContain(target.format);
          expect(target.model).toBe(info.id);
        }
      }
    },
  );

  it("the table of models is what the kept package says", () => {
    const sources = Object.entries(modelRows());
    expect(sources.map(([source]) => source)).toEqual(Object.keys(modelData));
    for (const [source, rows] of sources) expect(tableOf(source)).toEqual(rows);
    const text = written();
    for (const rows of Object.values(modelData))
      expect(text).toContain(`\`${rows.replaceAll("\\", "\\\\")}\``);
  });

  it("matches names, whatever their case", () => {
    expect(rowFor("openai", "GPT-5.2-2025-12-11")?.id).toBe("gpt-5.2");
    expect(rowFor("anthropic", "claude-fable-5-20260101")?.id).toBe("claude-fable-5");
    expect(rowFor("minimax", "m2.5-highspeed")?.id).toBe("MiniMax-M2.5-highspeed");
    expect(rowFor("google", "gemini-2.5-pro-preview")?.id).toBe("gemini-2.5-pro");
    expect(rowFor("google", "gemini-2.5-pro-preview-TTS")?.id).not.toBe("gemini-2.5-pro");
  });

  it("prices begin on their day", () => {
    const row = rowFor("anthropic", "claude-sonnet-4-6");
    if (row === undefined) throw new Error("the table has the model");
    expect(pricesAt(row, Date.parse("2026-03-12T00:00:00Z"))?.tiers?.[0]?.from).toBe(200_000);
    expect(pricesAt(row, Date.parse("2026-03-13T00:00:00Z"))).toMatchObject({
      input: 3,
      output: 15,
      cacheRead: 0.3,
      cacheWrite: 3.75,
      cacheWrite1h: 6,
    });
    expect(pricesAt(row, Date.parse("2026-03-13T00:00:00Z"))?.tiers).toBeUndefined();
  });

  it("prices change with the time of day where the provider's do", () => {
    const row = {
      id: "m",
      c: [{ p: [2, 4] }, { p: [1, 2], daily: ["16:30:00Z", "00:30:00Z"] as [string, string] }],
    };
    expect(pricesAt(row, Date.parse("2026-01-01T16:29:59Z"))?.input).toBe(2);
    expect(pricesAt(row, Date.parse("2026-01-01T16:30:00Z"))?.input).toBe(1);
    expect(pricesAt(row, Date.parse("2026-01-01T00:29:59Z"))?.input).toBe(1);
    expect(pricesAt(row, Date.parse("2026-01-01T00:30:00Z"))?.input).toBe(2);
  });
});

describe("dialects of models", () => {
  const openai = { id: "o", kind: "openai" };

  it.each([
    "gpt-5-pro",
    "gpt-5.2-pro",
    "gpt-5.4-pro-2026-03-01",
    "o1-pro",
    "o3-pro",
    "o3-deep-research",
    "o4-mini-deep-research",
    "gpt-5.3-codex",
    "codex-mini-latest",
    "computer-use-preview",
  ])("%s answers on Responses alone", (id) => {
    expect(formatsOf(modelOf(openai, id))).toEqual(["responses"]);
    expect(targetOf(modelOf(openai, id), "chat", false).format).toBe("responses");
  });

  it("a client keeps its own dialect where the provider speaks it, and gets the best one elsewhere", () => {
    const model = modelOf(openai, "gpt-5.2");
    expect(targetOf(model, "chat", false).format).toBe("chat");
    expect(targetOf(model, "responses", false).format).toBe("responses");
    expect(targetOf(model, "messages", false).format).toBe("chat");
    expect(
      targetOf(modelOf({ id: "g", kind: "gemini" }, "gemini-3.5-flash"), "chat", false).format,
    ).toBe("gemini");
    expect(
      targetOf(modelOf({ id: "d", kind: "deepseek" }, "deepseek-v4-pro"), "messages", false).format,
    ).toBe("messages");
  });

  it("a dialect with an address of its own is not looked for under a configured address", () => {
    const entry = { id: "d", kind: "deepseek", base_url: "http://127.0.0.1:9/v1" };
    expect(targetOf(modelOf(entry, "deepseek-v4-pro"), "messages", false).format).toBe("chat");
  });

  it("what the provider's list publishes decides", () => {
    const connection = connectionOf({ id: "c", kind: "github-copilot" });
    const model = listed(connection, { id: "some-model", supportedEndpoints: ["/responses"] });
    expect(formatsOf(model)).toEqual(["responses"]);
  });

  it("a custom endpoint speaks what its entry says, by the plainest rules", () => {
    const target = targetOf(
      modelOf(
        { id: "lab", kind: "custom", format: "chat", base_url: "http://127.0.0.1:9/v1" },
        "gpt-5.2",
      ),
      "chat",
      true,
    );
    expect(target.traits).toMatchObject({
      maxTokensField: "max_tokens",
      renamesMaxTokens: false,
      developerRole: false,
      openAiFields: true,
      streamUsage: true,
      sampling: "all",
    });
  });
});

describe("traits of models", () => {
  const traits = (kind: string, id: string, client: "chat" | "responses" | "messages") =>
    targetOf(modelOf({ id: "p", kind }, id), client, false).traits;

  it("OpenAI's reasoning models take max_completion_tokens, no stop, no sampling", () => {
    for (const id of ["gpt-5", "gpt-5.4-mini", "gpt-6-sol", "o3", "o4-mini"]) {
      expect(traits("openai", id, "chat")).toMatchObject({
        maxTokensField: "max_completion_tokens",
        noStop: true,
        sampling: "none",
        developerRole: true,
        openAiFields: true,
      });
    }
    expect(traits("openai", "gpt-4.1", "chat")).toMatchObject({
      noStop: false,
      sampling: "all",
      reasoning: "none",
    });
    expect(traits("openai", "gpt-5", "chat").efforts).toEqual(["minimal", "low", "medium", "high"]);
    expect(traits("openai", "gpt-5.2", "chat").efforts).toContain("xhigh");
  });

  it("Claude: adaptive and without sampling from Opus 4.7 on, budgets before 4.6", () => {
    for (const id of [
      "claude-opus-4-7",
      "claude-opus-4-8",
      "claude-sonnet-5",
      "claude-opus-5-5",
      "claude-fable-5-1",
    ]) {
      expect(traits("anthropic", id, "messages")).toMatchObject({
        sampling: "none",
        reasoning: "adaptive",
      });
    }
    expect(traits("anthropic", "claude-opus-4-7", "messages").systemInTurns).toBe(false);
    expect(traits("anthropic", "claude-opus-4-8", "messages").systemInTurns).toBe(true);
    expect(traits("anthropic", "claude-opus-4-6", "messages")).toMatchObject({
      sampling: "all",
      reasoning: "adaptive",
    });
    for (const id of [
      "claude-sonnet-4-5-20250929",
      "claude-haiku-4-5",
      "claude-opus-4-1",
      "claude-sonnet-4-20250514",
      "claude-3-7-sonnet-latest",
    ]) {
      expect(traits("anthropic", id, "messages")).toMatchObject({
        sampling: "all",
        reasoning: "budget",
      });
    }
    expect(traits("anthropic", "claude-3-5-haiku-latest", "messages").reasoning).toBe("none");
  });

  it("Gemini: budgets for 2.5, levels for 3", () => {
    expect(traits("gemini", "gemini-2.5-pro", "chat")).toMatchObject({
      reasoning: "budget",
      thoughtSignatures: false,
      mediaInResults: false,
    });
    expect(traits("gemini", "gemini-3.5-flash", "chat")).toMatchObject({
      reasoning: "effort",
      thoughtSignatures: true,
      mediaInResults: true,
    });
    expect(traits("gemini", "gemini-3-pro-preview", "chat").efforts).toEqual(["low", "high"]);
  });

  it("the OpenAI-only fields go where the contract says, unless the entry says otherwise", () => {
    const takes = (kind: string, more = {}) => {
      const entry = { id: "p", kind, ...more };
      return targetOf(modelOf(entry, "m"), "chat", false).traits.openAiFields;
    };
    for (const kind of ["openai", "azure", "openrouter"])
      expect(takes(kind, { base_url: "https://a.example.com/v1" })).toBe(true);
    for (const kind of ["deepseek", "mistral", "groq", "ollama", "anthropic", "gemini", "vllm"])
      expect(takes(kind)).toBe(false);
    expect(takes("custom", { format: "chat" })).toBe(true);
    expect(takes("custom", { format: "responses" })).toBe(true);
    expect(takes("custom", { format: "messages" })).toBe(false);
    expect(takes("custom", { format: "gemini" })).toBe(false);
    expect(takes("groq", { openai_fields: true })).toBe(true);
    expect(takes("openai", { openai_fields: false })).toBe(false);
  });

  it("DeepSeek wants its reasoning back on chat", () => {
    expect(traits("deepseek", "deepseek-v4-pro", "chat").reasoningEcho).toBe(true);
  });

  it("the families of models are recognised once each", () => {
    const record = recordOf("openai");
    if (record === undefined) throw new Error("known kind");
    // Fees hold for every model of the service.
    const families = (id: string) => rulesFor(record, id).filter(({ prices }) => !prices);
    expect(families("o1-mini").length).toBeGreaterThan(0);
    expect(families("proto1").length).toBe(0);
  });
});

describe("entries that can't work", () => {
  it.each([
    [{ id: "a", kind: "nonsense" }, "kind"],
    [{ id: "a", kind: "custom", base_url: "https://x.example.com" }, "format"],
    [{ id: "a", kind: "custom", format: "chat" as const }, "base_url"],
    [{ id: "a", kind: "azure" }, "base_url"],
    [{ id: "a", kind: "openai", base_url: "http://example.com/v1" }, "base_url"],
  ])("%j: the fault is named", (entry, member) => {
    expect(entryProblem(entry, "everywhere")?.member).toBe(member);
  });

  it("cloud mode refuses local kinds, the demo and private addresses", () => {
    expect(entryProblem({ id: "a", kind: "ollama" }, "public")?.problem.marker).toBe("M303");
    expect(entryProblem({ id: "a", kind: "demo" }, "public")?.member).toBe("kind");
    expect(entryProblem({ id: "a", kind: "openai" }, "public")).toBeUndefined();
    expect(entryProblem({ id: "a", kind: "ollama" }, "everywhere")).toBeUndefined();
  });
});
