/** Clients that run in a terminal. */
import type { Client } from "./client.ts";

/** Command-line programs. */
export const programs: readonly Client[] = [
  {
    id: "claude-code",
    name: "Claude Code",
    guide: "claude-code",
    connect: "claude",
    steps: [
      {
        kind: "environment",
        variables: [
          ["ANTHROPIC_BASE_URL", "{origin}"],
          ["ANTHROPIC_AUTH_TOKEN", "{key}"],
          ["ANTHROPIC_MODEL", "auto"],
          ["ANTHROPIC_DEFAULT_OPUS_MODEL", "auto"],
          ["ANTHROPIC_DEFAULT_SONNET_MODEL", "auto"],
          ["ANTHROPIC_DEFAULT_HAIKU_MODEL", "auto"],
        ],
        more: "claudeCode",
        command: "claude",
      },
    ],
  },
  {
    id: "codex",
    name: "Codex",
    guide: "codex",
    connect: "codex",
    steps: [
      {
        kind: "command",
        label: "Model catalogue file",
        sh: `curl {origin}/v1/codex-models.json -H "Authorization: Bearer {key}" -o ~/.codex/gateway-models.json`,
        powershell: `Invoke-WebRequest {origin}/v1/codex-models.json -Headers @{ Authorization = "Bearer {key}" } \`
  -OutFile $HOME\\.codex\\gateway-models.json`,
      },
      {
        kind: "text",
        label: "~/.codex/config.toml (Windows: %USERPROFILE%\\.codex\\config.toml)",
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
      { kind: "environment", variables: [["GATEWAY_API_KEY", "{key}"]], command: "codex" },
    ],
  },
  {
    id: "gemini-cli",
    name: "Gemini CLI",
    guide: "gemini-cli",
    connect: "gemini",
    steps: [
      {
        kind: "text",
        label: "~/.gemini/settings.json (Windows: %USERPROFILE%\\.gemini\\settings.json)",
        text: `{ "security": { "auth": { "selectedType": "gemini-api-key" } } }`,
      },
      {
        kind: "environment",
        variables: [
          ["GOOGLE_GEMINI_BASE_URL", "{origin}"],
          ["GEMINI_API_KEY", "{key}"],
        ],
        command: "gemini",
      },
    ],
  },
  {
    id: "opencode",
    name: "opencode",
    guide: "opencode",
    connect: "opencode",
    steps: [
      {
        kind: "text",
        label: "opencode.json in the project, or ~/.config/opencode/opencode.json",
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
    id: "cline",
    name: "Cline",
    guide: "cline",
    connect: "cline",
    steps: [
      {
        kind: "text",
        label: "Cline CLI",
        text: `cline auth -p openai -b {origin}/v1 -k {key} -m auto
cline`,
      },
      {
        kind: "text",
        label: "Extension: the gear icon in its panel, then API Configuration",
        text: `API Provider: OpenAI Compatible
Base URL: {origin}/v1
OpenAI Compatible API Key: {key}
Model ID: auto`,
      },
    ],
  },
  {
    id: "qwen-code",
    name: "Qwen Code",
    guide: "qwen-code",
    connect: "qwen",
    steps: [
      {
        kind: "text",
        label: "~/.qwen/settings.json (Windows: %USERPROFILE%\\.qwen\\settings.json)",
        text: `{ "security": { "auth": { "selectedType": "openai" } } }`,
      },
      {
        kind: "environment",
        variables: [
          ["OPENAI_BASE_URL", "{origin}/v1"],
          ["OPENAI_API_KEY", "{key}"],
          ["OPENAI_MODEL", "auto"],
        ],
        command: "qwen",
      },
    ],
  },
  {
    id: "copilot-cli",
    name: "GitHub Copilot CLI",
    guide: "copilot-cli",
    connect: "copilot",
    steps: [
      {
        kind: "environment",
        variables: [
          ["COPILOT_PROVIDER_BASE_URL", "{origin}/v1"],
          ["COPILOT_PROVIDER_API_KEY", "{key}"],
          ["COPILOT_MODEL", "auto"],
          ["COPILOT_PROVIDER_MAX_PROMPT_TOKENS", "{window}"],
          ["COPILOT_OFFLINE", "true"],
        ],
        command: "copilot",
      },
    ],
  },
  {
    id: "pi",
    name: "pi",
    guide: "pi",
    connect: "pi",
    steps: [
      {
        kind: "text",
        label: "~/.pi/agent/models.json (Windows: %USERPROFILE%\\.pi\\agent\\models.json)",
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
      { kind: "text", label: "Any shell", text: `pi --provider gateway --model auto` },
    ],
  },
  {
    id: "aider",
    name: "aider",
    guide: "aider",
    steps: [
      {
        kind: "environment",
        variables: [
          ["OPENAI_API_BASE", "{origin}/v1"],
          ["OPENAI_API_KEY", "{key}"],
        ],
        command: "aider --model openai/auto",
      },
    ],
  },
];
