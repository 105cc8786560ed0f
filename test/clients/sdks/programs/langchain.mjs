/** LangChain's chat models, with the loop that its guides show. */
import { ChatAnthropic } from "@langchain/anthropic";
import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { ChatGoogleGenerativeAI, GoogleGenerativeAIEmbeddings } from "@langchain/google-genai";
import { ChatOpenAI, OpenAIEmbeddings } from "@langchain/openai";
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
  tool(weather, { name: "weather", description: weatherText, schema: weatherInput }),
  tool(note, { name: "note", description: noteText, schema: noteInput }),
];
const toolsByName = Object.fromEntries(tools.map((one) => [one.name, one]));

/** The same calls with every maker's model. */
function wayOf(modelOf, embeddingsOf) {
  return {
    async task(at) {
      const model = modelOf(at, { thinking: true }).bindTools(tools);
      const messages = [new SystemMessage(instructions), new HumanMessage(prompt)];
      for (;;) {
        const answer = await model.invoke(messages);
        messages.push(answer);
        if (answer.tool_calls.length === 0) return answer.text;
        for (const call of answer.tool_calls)
          messages.push(await toolsByName[call.name].invoke(call));
      }
    },
    async stream(at) {
      let text = "";
      for await (const chunk of await modelOf(at).stream(question, { signal: at.signal })) {
        if (chunk.text !== "") at.onText(chunk.text);
        text += chunk.text;
      }
      return text;
    },
    async structured(at) {
      return await modelOf(at).withStructuredOutput(report).invoke(question);
    },
    async ask(at) {
      return (await modelOf(at).invoke(question)).text;
    },
    async embed(at) {
      const vectors = await embeddingsOf(at).embedDocuments(["one", "two"]);
      return vectors.map(({ length }) => length);
    },
  };
}

// Six retries by default, which would take a minute here.
const maxRetries = 1;
const openai = ({ gateway, key, model }) => ({
  model,
  apiKey: key,
  maxRetries,
  configuration: { baseURL: `${gateway}/v1` },
});

serve({
  chat: wayOf(
    (at) => new ChatOpenAI(openai(at)),
    (at) => new OpenAIEmbeddings(openai(at)),
  ),
  responses: wayOf(
    (at, { thinking = false } = {}) =>
      new ChatOpenAI({
        ...openai(at),
        useResponsesApi: true,
        ...(thinking && { zdrEnabled: true, reasoning: { effort: "low", summary: "auto" } }),
      }),
  ),
  messages: wayOf(
    ({ gateway, key, model }, { thinking = false } = {}) =>
      new ChatAnthropic({
        model,
        apiKey: key,
        maxRetries,
        anthropicApiUrl: gateway,
        maxTokens: 4096,
        ...(thinking && { thinking: { type: "enabled", budget_tokens: 2048 } }),
      }),
  ),
  gemini: wayOf(
    ({ gateway, key, model }) =>
      new ChatGoogleGenerativeAI({ model, apiKey: key, maxRetries, baseUrl: gateway }),
    ({ gateway, key, model }) =>
      new GoogleGenerativeAIEmbeddings({ model, apiKey: key, maxRetries, baseUrl: gateway }),
  ),
});
