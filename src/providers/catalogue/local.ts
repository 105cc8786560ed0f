/** Servers on one's own machines, endpoints of one's own, and the built-in demonstration. */
import { operationNames } from "../../core/operation-name.ts";
import { offering } from "./offers.ts";
import type { KindRecord } from "./record.ts";

const localTraits = {
  imageUrls: false,
  audio: false,
  webSearch: false,
  cacheKey: false,
  promptCache: "none",
} as const;
const localSampling = ["topK", "seed", "logprobs", "logitBias", "penalties", "n"] as const;
const notForTalking = ["*embed*", "*rerank*"];

export const locals = {
  ollama: {
    name: "Ollama",
    docs: "https://docs.ollama.com/openai",
    baseUrl: "http://127.0.0.1:11434/v1",
    endpoints: [{ format: "chat" }, { format: "messages", auth: "bearer" }],
    keyless: true,
    port: 11_434,
    list: {},
    operations: offering("embeddings", "completions"),
    traits: { ...localTraits, extraSampling: ["seed", "logprobs", "penalties"] },
    exclude: notForTalking,
  },
  "ollama-cloud": {
    name: "Ollama Cloud",
    docs: "https://docs.ollama.com/cloud",
    baseUrl: "https://ollama.com/v1",
    endpoints: [{ format: "chat" }, { format: "messages", auth: "bearer" }],
    env: ["OLLAMA_API_KEY"],
    list: {},
    traits: { ...localTraits, extraSampling: ["seed", "logprobs", "penalties"] },
    exclude: notForTalking,
  },
  lmstudio: {
    name: "LM Studio",
    docs: "https://lmstudio.ai/docs/developer",
    baseUrl: "http://127.0.0.1:1234/v1",
    endpoints: [{ format: "chat" }],
    keyless: true,
    port: 1234,
    list: {},
    operations: offering("embeddings", "completions"),
    traits: { ...localTraits, extraSampling: ["topK", "seed", "logitBias", "penalties"] },
    exclude: notForTalking,
  },
  llamacpp: {
    name: "llama.cpp",
    docs: "https://github.com/ggml-org/llama.cpp/tree/master/tools/server",
    baseUrl: "http://127.0.0.1:8080/v1",
    endpoints: [{ format: "chat" }],
    keyless: true,
    port: 8080,
    list: {},
    operations: offering("embeddings", "completions", "rerank"),
    traits: { ...localTraits, extraSampling: localSampling },
    exclude: notForTalking,
  },
  vllm: {
    name: "vLLM",
    docs: "https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html",
    baseUrl: "http://127.0.0.1:8000/v1",
    endpoints: [{ format: "chat" }],
    keyless: true,
    port: 8000,
    list: {},
    operations: offering("embeddings", "completions", "rerank", "transcriptions", "translations"),
    traits: {
      imageUrls: true,
      webSearch: false,
      cacheKey: false,
      extraSampling: localSampling,
    },
    exclude: notForTalking,
  },
  /** An endpoint about which only its entry knows anything: the entry names format and address. */
  custom: {
    name: "Custom endpoint",
    docs: "https://platform.openai.com/docs/api-reference",
    baseUrlExample: "https://llm.example.com/v1",
    endpoints: [],
    keyless: true,
    list: {},
    operations: offering(...operationNames),
    exclude: notForTalking,
  },
  demo: {
    name: "Demo",
    docs: "https://platform.openai.com/docs/api-reference",
    baseUrl: "demo:",
    endpoints: [{ format: "chat" }, { format: "responses" }, { format: "messages" }],
    openAiFields: true,
    keyless: true,
    inProcess: true,
    list: false,
    models: [
      {
        id: "echo",
        displayName: "Demo (repeats your prompt)",
        contextWindow: 131_072,
        maxOutput: 8192,
        inputModalities: ["text"],
        outputModalities: ["text"],
        features: ["stream"],
        prices: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      },
      {
        id: "tools",
        displayName: "Demo (calls a tool once)",
        contextWindow: 131_072,
        maxOutput: 8192,
        inputModalities: ["text"],
        outputModalities: ["text"],
        features: ["stream", "tools"],
        prices: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      },
    ],
  },
} as const satisfies Record<string, KindRecord>;
