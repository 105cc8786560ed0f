/**
 * How clients are connected, as data: `{origin}` is this gateway's address, `{key}` a key, `{window}` the number of tokens
 * that a conversation may have. docs/clients.md has the same texts, and a test compares both.
 */

/** Configuration and code for one client. */
export interface ClientSnippet {
  id: string;
  name: string;
  /** Files and commands, in order. */
  steps: readonly { label: string; text: string }[];
}

/** Every client that the dashboard knows, with placeholders. */
export const clientTemplates: readonly ClientSnippet[] = [
  {
    id: "curl",
    name: "curl",
    steps: [
      {
        label: "Request",
        text: `curl {origin}/v1/chat/completions \\
  -H "Authorization: Bearer {key}" -H "Content-Type: application/json" \\
  -d '{"model":"auto","messages":[{"role":"user","content":"Hello"}]}'`,
      },
    ],
  },
  {
    id: "claude-code",
    name: "Claude Code",
    steps: [
      {
        label: "Shell",
        text: `export ANTHROPIC_BASE_URL={origin}
export ANTHROPIC_AUTH_TOKEN={key}
export ANTHROPIC_MODEL=auto
export ANTHROPIC_DEFAULT_OPUS_MODEL=auto ANTHROPIC_DEFAULT_SONNET_MODEL=auto ANTHROPIC_DEFAULT_HAIKU_MODEL=auto
export {claudeCode}
claude`,
      },
    ],
  },
  {
    id: "codex",
    name: "Codex",
    steps: [
      {
        label: "Model catalogue file",
        text: `curl {origin}/v1/codex-models.json -H "Authorization: Bearer {key}" -o ~/.codex/gateway-models.json`,
      },
      {
        label: "~/.codex/config.toml",
        text: `model = "auto"
model_provider = "gateway"
# Codex needs an absolute path here.
model_catalog_json = "/home/you/.codex/gateway-models.json"

[model_providers.gateway]
name = "Gateway"
base_url = "{origin}/v1"
env_key = "GATEWAY_API_KEY"
wire_api = "responses"`,
      },
      { label: "Shell", text: `export GATEWAY_API_KEY={key}\ncodex` },
    ],
  },
  {
    id: "opencode",
    name: "opencode",
    steps: [
      {
        label: "opencode.json",
        text: `{
  "$schema": "https://opencode.ai/config.json",
  "model": "gateway/auto",
  "small_model": "gateway/auto",
  "provider": {
    "gateway": {
      "npm": "@ai-sdk/openai-compatible",
      "name": "Gateway",
      "options": { "baseURL": "{origin}/v1", "apiKey": "{key}" },
      "models": {
        "auto": {
          "name": "Auto",
          "limit": { "context": {window}, "output": 32000 },
          "modalities": { "input": ["text", "image", "pdf"], "output": ["text"] }
        }
      }
    }
  }
}`,
      },
    ],
  },
  {
    id: "gemini-cli",
    name: "Gemini CLI",
    steps: [
      {
        label: "~/.gemini/settings.json",
        text: `{ "security": { "auth": { "selectedType": "gemini-api-key" } } }`,
      },
      {
        label: "Shell",
        text: `export GOOGLE_GEMINI_BASE_URL={origin}
export GEMINI_API_KEY={key}
gemini`,
      },
    ],
  },
  {
    id: "qwen-code",
    name: "Qwen Code",
    steps: [
      {
        label: "~/.qwen/settings.json",
        text: `{ "security": { "auth": { "selectedType": "openai" } } }`,
      },
      {
        label: "Shell",
        text: `export OPENAI_BASE_URL={origin}/v1
export OPENAI_API_KEY={key}
export OPENAI_MODEL=auto
qwen`,
      },
    ],
  },
  {
    id: "copilot-cli",
    name: "GitHub Copilot CLI",
    steps: [
      {
        label: "Shell",
        text: `export COPILOT_PROVIDER_BASE_URL={origin}/v1
export COPILOT_PROVIDER_API_KEY={key}
export COPILOT_MODEL=auto COPILOT_PROVIDER_MAX_PROMPT_TOKENS={window}
export COPILOT_OFFLINE=true # no GitHub account, nothing sent to GitHub
copilot`,
      },
    ],
  },
  {
    id: "cline",
    name: "Cline CLI",
    steps: [
      {
        label: "Shell",
        text: `cline auth -p openai -b {origin}/v1 -k {key} -m auto
cline`,
      },
    ],
  },
  {
    id: "continue",
    name: "Continue CLI",
    steps: [
      {
        label: "~/.continue/config.yaml",
        text: `name: Gateway
version: 1.0.0
schema: v1
models:
  - name: Auto
    provider: openai
    model: auto
    apiBase: {origin}/v1
    apiKey: {key}
    roles: [chat]
    capabilities: [tool_use, image_input]`,
      },
      { label: "Shell", text: `cn --config ~/.continue/config.yaml` },
    ],
  },
  {
    id: "pi",
    name: "pi",
    steps: [
      {
        label: "~/.pi/agent/models.json",
        text: `{
  "providers": {
    "gateway": {
      "baseUrl": "{origin}/v1",
      "api": "openai-completions",
      "apiKey": "{key}",
      "models": [{ "id": "auto", "contextWindow": {window}, "maxTokens": 32000, "input": ["text", "image"] }]
    }
  }
}`,
      },
      { label: "Shell", text: `pi --provider gateway --model auto` },
    ],
  },
  {
    id: "openai-python",
    name: "OpenAI SDK, Python",
    steps: [
      {
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
    steps: [
      {
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
    steps: [
      {
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
    steps: [
      {
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
    steps: [
      {
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
    steps: [
      {
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
    steps: [
      {
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
    steps: [
      {
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
    steps: [
      {
        label: "Python",
        text: `from langchain_openai import ChatOpenAI

model = ChatOpenAI(model="auto", base_url="{origin}/v1", api_key="{key}")
print(model.invoke("Hello").content)`,
      },
      {
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
    steps: [
      {
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
    steps: [
      {
        label: "TypeScript",
        text: `import { OpenAI } from "@llamaindex/openai";

const model = new OpenAI({ model: "auto", apiKey: "{key}", baseURL: "{origin}/v1" });
const response = await model.chat({ messages: [{ role: "user", content: "Hello" }] });
console.log(response.message.content);`,
      },
    ],
  },
];
