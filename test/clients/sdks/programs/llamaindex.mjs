/** LlamaIndex: its agent workflow, and its models of three makers. */
import { anthropic } from "@llamaindex/anthropic";
import { gemini } from "@llamaindex/google";
import { openai, openaiResponses, OpenAIEmbedding } from "@llamaindex/openai";
import { agent } from "@llamaindex/workflow";
import { tool } from "llamaindex";
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

const tools = [
  tool({ name: "weather", description: weatherText, parameters: weatherInput, execute: weather }),
  tool({ name: "note", description: noteText, parameters: noteInput, execute: note }),
];
const asked = { messages: [{ role: "user", content: question }] };

/** The same calls with every maker's model. */
function wayOf(modelOf, embeddingsOf) {
  return {
    async task(at) {
      const workflow = agent({ llm: modelOf(at), tools, systemPrompt: instructions });
      return (await workflow.run(prompt)).data.result;
    },
    async stream(at) {
      let text = "";
      // It takes no signal: who leaves the loop leaves the stream.
      for await (const { delta } of await modelOf(at).chat({ ...asked, stream: true })) {
        if (delta !== "") at.onText(delta);
        text += delta;
        if (at.signal.aborted) break;
      }
      if (at.signal.aborted) throw at.signal.reason;
      return text;
    },
    async structured(at) {
      const { object } = await modelOf(at).exec({ ...asked, responseFormat: report });
      return object;
    },
    async ask(at) {
      const { content } = (await modelOf(at).chat(asked)).message;
      return typeof content === "string" ? content : content.map(({ text }) => text).join("");
    },
    async embed(at) {
      const vectors = await embeddingsOf(at).getTextEmbeddings(["one", "two"]);
      return vectors.map(({ length }) => length);
    },
  };
}

/** Tells LlamaIndex what it knows of makers' own models by their names alone. */
const known = (model) =>
  Object.defineProperties(model, {
    supportToolCall: { value: true },
    metadata: { value: { model: model.model, contextWindow: 200_000, structuredOutput: false } },
  });

const openaiOptions = ({ gateway, key, model }) => ({
  model,
  apiKey: key,
  baseURL: `${gateway}/v1`,
  maxRetries: 1,
});

serve({
  chat: wayOf(
    (at) => openai(openaiOptions(at)),
    (at) => new OpenAIEmbedding(openaiOptions(at)),
  ),
  responses: wayOf((at) => openaiResponses(openaiOptions(at))),
  messages: wayOf(({ gateway, key, model }) => {
    // Its own options have no base URL.
    process.env.ANTHROPIC_BASE_URL = gateway;
    return known(anthropic({ model, apiKey: key, maxRetries: 1 }));
  }),
  gemini: wayOf(({ gateway, key, model }) =>
    known(gemini({ model, apiKey: key, httpOptions: { baseUrl: gateway } })),
  ),
});
