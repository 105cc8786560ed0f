/** The AI SDK with each of its providers that speak to a base URL. */
import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { Output, embedMany, generateText, isStepCount, streamText, tool } from "ai";
import { serve } from "./serve.mjs";
import {
  instructions,
  note,
  noteInput,
  noteText,
  prompt,
  question,
  report,
  weather,
  weatherInput,
  weatherText,
} from "./work.mjs";

// Its warnings are of what a model of this name might not know.
globalThis.AI_SDK_LOG_WARNINGS = false;

const tools = {
  weather: tool({ description: weatherText, inputSchema: weatherInput, execute: weather }),
  note: tool({ description: noteText, inputSchema: noteInput, execute: note }),
};

const openai = ({ gateway, key }) => createOpenAI({ baseURL: `${gateway}/v1`, apiKey: key });
const google = ({ gateway, key }) => createGoogle({ baseURL: `${gateway}/v1beta`, apiKey: key });
const compatible = ({ gateway, key }) =>
  createOpenAICompatible({
    name: "gateway",
    baseURL: `${gateway}/v1`,
    apiKey: key,
    includeUsage: true,
    supportsStructuredOutputs: true,
  });

const thinking = { anthropic: { thinking: { type: "enabled", budgetTokens: 2048 } } };
const reasoning = {
  openai: { reasoningEffort: "low", reasoningSummary: "auto", forceReasoning: true, store: false },
};
const thoughts = { google: { thinkingConfig: { includeThoughts: true } } };

/** The same calls with every provider; only the model differs. */
function wayOf(modelOf, { providerOptions = {}, embedding } = {}) {
  return {
    async task(at) {
      const asked = { model: modelOf(at), instructions, prompt, tools, providerOptions };
      return (await generateText({ ...asked, stopWhen: isStepCount(8) })).text;
    },
    async stream(at) {
      const failures = [];
      const onError = ({ error }) => void failures.push(error);
      const asked = { model: modelOf(at), prompt: question, abortSignal: at.signal, onError };
      let text = "";
      for await (const piece of streamText(asked).textStream) {
        at.onText(piece);
        text += piece;
      }
      // What it gives is an error of its own or of the runtime.
      for (const failure of failures) throw /** @type {Error} */ (failure);
      if (at.signal.aborted) throw at.signal.reason;
      return text;
    },
    async structured(at) {
      const output = Output.object({ schema: report });
      return (await generateText({ model: modelOf(at), prompt: question, output })).output;
    },
    async ask(at) {
      return (await generateText({ model: modelOf(at), prompt: question })).text;
    },
    async embed(at) {
      const { embeddings } = await embedMany({ model: embedding(at), values: ["one", "two"] });
      return embeddings.map(({ length }) => length);
    },
  };
}

serve({
  openai: wayOf((at) => openai(at)(at.model), {
    providerOptions: reasoning,
    embedding: (at) => openai(at).embedding(at.model),
  }),
  "openai.chat": wayOf((at) => openai(at).chat(at.model)),
  anthropic: wayOf(
    ({ gateway, key, model }) => createAnthropic({ baseURL: `${gateway}/v1`, apiKey: key })(model),
    { providerOptions: thinking },
  ),
  google: wayOf((at) => google(at)(at.model), {
    providerOptions: thoughts,
    embedding: (at) => google(at).embedding(at.model),
  }),
  "openai-compatible": wayOf((at) => compatible(at)(at.model), {
    embedding: (at) => compatible(at).embeddingModel(at.model),
  }),
});
