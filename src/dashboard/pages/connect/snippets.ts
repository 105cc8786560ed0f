/** Configuration and code to paste into clients, filled with this gateway's address and a key. */

/** How to connect one client. */
export interface ClientSnippet {
  id: string;
  name: string;
  /** Files and commands, in order. */
  steps: { label: string; text: string }[];
}

interface SnippetValues {
  /** `https://gateway.example` */
  origin: string;
  key: string;
  /** What Claude Code must be told of the harness's models. */
  claudeCode?: Readonly<Record<string, string>>;
}

/** The snippets of every client that the dashboard knows. */
export function clientSnippets(values: SnippetValues): ClientSnippet[] {
  return [...tools(values), ...libraries(values)];
}

function tools({ origin, key, claudeCode = {} }: SnippetValues): ClientSnippet[] {
  return [
    {
      id: "curl",
      name: "curl",
      steps: [
        {
          label: "Request",
          text: `curl ${origin}/v1/chat/completions \\
  -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" \\
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
          text: `export ANTHROPIC_BASE_URL=${origin}
export ANTHROPIC_AUTH_TOKEN=${key}
export ANTHROPIC_MODEL=auto
export ANTHROPIC_DEFAULT_OPUS_MODEL=auto ANTHROPIC_DEFAULT_SONNET_MODEL=auto ANTHROPIC_DEFAULT_HAIKU_MODEL=auto
${Object.entries(claudeCode)
  .map(([name, value]) => `export ${name}=${value}\n`)
  .join("")}claude`,
        },
      ],
    },
    {
      id: "codex",
      name: "Codex",
      steps: [
        {
          label: "Model catalogue file",
          text: `curl ${origin}/v1/codex-models.json -H "Authorization: Bearer ${key}" -o ~/.codex/gateway-models.json`,
        },
        {
          label: "~/.codex/config.toml",
          text: `model = "auto"
model_provider = "gateway"
# Codex needs an absolute path here.
model_catalog_json = "/home/you/.codex/gateway-models.json"

[model_providers.gateway]
name = "Gateway"
base_url = "${origin}/v1"
env_key = "GATEWAY_API_KEY"
wire_api = "responses"`,
        },
        { label: "Shell", text: `export GATEWAY_API_KEY=${key}\ncodex` },
      ],
    },
    {
      id: "gemini-cli",
      name: "Gemini CLI",
      steps: [
        {
          label: "~/.gemini/settings.json (without it the CLI ends with “Invalid auth method”)",
          text: JSON.stringify({ security: { auth: { selectedType: "gemini-api-key" } } }, null, 2),
        },
        {
          label: "Shell",
          text: `export GOOGLE_GEMINI_BASE_URL=${origin}
export GEMINI_API_KEY=${key}
# The names that it asks for by itself are taken by the alias "gemini-*" of the harness.
# Or name a model: gemini -m provider/model
gemini`,
        },
      ],
    },
    {
      id: "opencode",
      name: "opencode",
      steps: [
        {
          label: "opencode.json",
          text: JSON.stringify(
            {
              $schema: "https://opencode.ai/config.json",
              model: "gateway/auto",
              provider: {
                gateway: {
                  npm: "@ai-sdk/openai-compatible",
                  name: "Gateway",
                  options: { baseURL: `${origin}/v1`, apiKey: key },
                  models: { auto: { name: "Auto" } },
                },
              },
            },
            null,
            2,
          ),
        },
      ],
    },
  ];
}

function libraries(values: SnippetValues): ClientSnippet[] {
  return [...openAi(values), ...anthropic(values), ...frameworks(values)];
}

function openAi({ origin, key }: SnippetValues): ClientSnippet[] {
  return [
    {
      id: "openai-python",
      name: "OpenAI SDK, Python",
      steps: [
        {
          label: "Python",
          text: `from openai import OpenAI

client = OpenAI(base_url="${origin}/v1", api_key="${key}")
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

const client = new OpenAI({ baseURL: "${origin}/v1", apiKey: "${key}" });
const response = await client.responses.create({ model: "auto", input: "Hello" });
console.log(response.output_text);`,
        },
      ],
    },
  ];
}

function anthropic({ origin, key }: SnippetValues): ClientSnippet[] {
  return [
    {
      id: "anthropic-python",
      name: "Anthropic SDK, Python",
      steps: [
        {
          label: "Python",
          text: `from anthropic import Anthropic

client = Anthropic(base_url="${origin}", auth_token="${key}")
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

const client = new Anthropic({ baseURL: "${origin}", authToken: "${key}" });
const response = await client.messages.create({
  model: "auto",
  max_tokens: 1024,
  messages: [{ role: "user", content: "Hello" }],
});
console.log(response.content);`,
        },
      ],
    },
  ];
}

function frameworks({ origin, key }: SnippetValues): ClientSnippet[] {
  return [
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
  baseURL: "${origin}/v1",
  apiKey: "${key}",
});
const { text } = await generateText({ model: gateway("auto"), prompt: "Hello" });
console.log(text);`,
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

model = ChatOpenAI(model="auto", base_url="${origin}/v1", api_key="${key}")
print(model.invoke("Hello").content)`,
        },
      ],
    },
  ];
}
