/** SDKs and frameworks. */
import type { Client } from "./client.ts";

/** Libraries, with the shortest program that uses each. */
export const libraries: readonly Client[] = [
  {
    id: "openai-python",
    name: "OpenAI SDK, Python",
    guide: "sdks#openai-sdk",
    steps: [
      {
        kind: "text",
        label: "Python",
        text: `from openai import OpenAI

client = OpenAI(base_url="{origin}/v1", api_key="{key}")
response = client.chat.completions.create(
    model="auto", messages=[{"role": "user", "content": "Hello"}]
)
print(response.choices[0].message.content)`,
      },
    ],
  },
  {
    id: "openai-typescript",
    name: "OpenAI SDK, TypeScript",
    guide: "sdks#openai-sdk",
    steps: [
      {
        kind: "text",
        label: "TypeScript",
        text: `import OpenAI from "openai";

const client = new OpenAI({ baseURL: "{origin}/v1", apiKey: "{key}" });
const response = await client.responses.create({ model: "auto", input: "Hello" });
console.log(response.output_text);`,
      },
    ],
  },
  {
    id: "anthropic-python",
    name: "Anthropic SDK, Python",
    guide: "sdks#anthropic-sdk",
    steps: [
      {
        kind: "text",
        label: "Python",
        text: `from anthropic import Anthropic

client = Anthropic(base_url="{origin}", auth_token="{key}")
response = client.messages.create(
    model="auto", max_tokens=1024, messages=[{"role": "user", "content": "Hello"}]
)
print(response.content[0].text)`,
      },
    ],
  },
  {
    id: "anthropic-typescript",
    name: "Anthropic SDK, TypeScript",
    guide: "sdks#anthropic-sdk",
    steps: [
      {
        kind: "text",
        label: "TypeScript",
        text: `import Anthropic from "@anthropic-ai/sdk";

const client = new Anthropic({ baseURL: "{origin}", authToken: "{key}" });
const response = await client.messages.create({
  model: "auto",
  max_tokens: 1024,
  messages: [{ role: "user", content: "Hello" }],
});
console.log(response.content);`,
      },
    ],
  },
  {
    id: "google-genai",
    name: "Google Gen AI SDK",
    guide: "sdks#google-gen-ai-sdk",
    steps: [
      {
        kind: "text",
        label: "Python",
        text: `from google import genai
from google.genai import types

client = genai.Client(api_key="{key}", http_options=types.HttpOptions(base_url="{origin}"))
response = client.models.generate_content(model="auto", contents="Hello")
print(response.text)`,
      },
      {
        kind: "text",
        label: "TypeScript",
        text: `import { GoogleGenAI } from "@google/genai";

const client = new GoogleGenAI({ apiKey: "{key}", httpOptions: { baseUrl: "{origin}" } });
const response = await client.models.generateContent({ model: "auto", contents: "Hello" });
console.log(response.text);`,
      },
    ],
  },
  {
    id: "ai-sdk",
    name: "Vercel AI SDK",
    guide: "sdks#vercel-ai-sdk",
    steps: [
      {
        kind: "text",
        label: "TypeScript",
        text: `import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText } from "ai";

const gateway = createOpenAICompatible({
  name: "gateway",
  baseURL: "{origin}/v1",
  apiKey: "{key}",
});
const { text } = await generateText({ model: gateway("auto"), prompt: "Hello" });
console.log(text);`,
      },
      {
        kind: "text",
        label: "TypeScript, with Anthropic's provider: its base URL includes /v1",
        text: `import { createAnthropic } from "@ai-sdk/anthropic";
import { generateText } from "ai";

const gateway = createAnthropic({ baseURL: "{origin}/v1", apiKey: "{key}" });
const { text } = await generateText({ model: gateway("auto"), prompt: "Hello" });
console.log(text);`,
      },
    ],
  },
  {
    id: "claude-agent-sdk",
    name: "Claude Agent SDK",
    guide: "sdks#claude-agent-sdk",
    steps: [
      {
        kind: "text",
        label: "TypeScript",
        text: `import { query } from "@anthropic-ai/claude-agent-sdk";

const env = { ...process.env, ANTHROPIC_BASE_URL: "{origin}", ANTHROPIC_AUTH_TOKEN: "{key}" };
for await (const message of query({ prompt: "Hello", options: { model: "auto", env } })) {
  if (message.type === "result") console.log(message.result);
}`,
      },
    ],
  },
  {
    id: "openai-agents",
    name: "OpenAI Agents SDK",
    guide: "sdks#openai-agents-sdk",
    steps: [
      {
        kind: "text",
        label: "TypeScript",
        text: `import { Agent, run, setDefaultOpenAIClient, setTracingDisabled } from "@openai/agents";
import OpenAI from "openai";

setDefaultOpenAIClient(new OpenAI({ baseURL: "{origin}/v1", apiKey: "{key}" }));
setTracingDisabled(true); // traces would go to OpenAI
const agent = new Agent({ name: "Assistant", model: "auto" });
const result = await run(agent, "Hello");
console.log(result.finalOutput);`,
      },
    ],
  },
  {
    id: "langchain",
    name: "LangChain",
    guide: "sdks#langchain",
    steps: [
      {
        kind: "text",
        label: "Python",
        text: `from langchain_openai import ChatOpenAI

model = ChatOpenAI(model="auto", base_url="{origin}/v1", api_key="{key}")
print(model.invoke("Hello").content)`,
      },
      {
        kind: "text",
        label: "TypeScript",
        text: `import { ChatOpenAI } from "@langchain/openai";

const configuration = { baseURL: "{origin}/v1" };
const model = new ChatOpenAI({ model: "auto", apiKey: "{key}", configuration });
console.log((await model.invoke("Hello")).content);`,
      },
    ],
  },
  {
    id: "mastra",
    name: "Mastra",
    guide: "sdks#mastra",
    steps: [
      {
        kind: "text",
        label: "TypeScript",
        text: `import { Agent } from "@mastra/core/agent";

const agent = new Agent({
  id: "assistant",
  name: "Assistant",
  instructions: "Help.",
  model: { id: "gateway/auto", url: "{origin}/v1", apiKey: "{key}" },
});
console.log((await agent.generate("Hello")).text);`,
      },
    ],
  },
  {
    id: "llamaindex",
    name: "LlamaIndex",
    guide: "sdks#llamaindex",
    steps: [
      {
        kind: "text",
        label: "TypeScript",
        text: `import { OpenAI } from "@llamaindex/openai";

const model = new OpenAI({ model: "auto", apiKey: "{key}", baseURL: "{origin}/v1" });
const response = await model.chat({ messages: [{ role: "user", content: "Hello" }] });
console.log(response.message.content);`,
      },
    ],
  },
];
