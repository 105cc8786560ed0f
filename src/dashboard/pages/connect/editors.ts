/** Clients with a window: editors, and chats in a browser. */
import type { Client } from "./client.ts";

/** Editors and their extensions. */
export const editors: readonly Client[] = [
  {
    id: "continue",
    name: "Continue",
    guide: "continue",
    connect: "continue",
    steps: [
      {
        kind: "text",
        label: "~/.continue/config.yaml (Windows: %USERPROFILE%\\.continue\\config.yaml)",
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
      { kind: "text", label: "Continue CLI", text: `cn --config ~/.continue/config.yaml` },
    ],
  },
  {
    id: "vs-code",
    name: "VS Code (Copilot Chat)",
    guide: "vs-code",
    steps: [
      {
        kind: "text",
        label: "chatLanguageModels.json (command: Chat: Open Language Models (JSON))",
        text: `[
  {
    "name": "Gateway",
    "vendor": "customendpoint",
    "apiKey": "{key}",
    "apiType": "chat-completions",
    "models": [
      {
        "id": "auto",
        "name": "Auto",
        "url": "{origin}/v1/chat/completions",
        "toolCalling": true,
        "vision": true,
        "maxInputTokens": {window},
        "maxOutputTokens": 32000
      }
    ]
  }
]`,
      },
    ],
  },
  {
    id: "cursor",
    name: "Cursor",
    guide: "cursor",
    steps: [
      {
        kind: "text",
        label: "Cursor Settings > Models > API Keys",
        text: `OpenAI API Key: {key}
Override OpenAI Base URL: {origin}/v1
Add custom model: auto`,
      },
    ],
  },
  {
    id: "zed",
    name: "Zed",
    guide: "zed",
    steps: [
      {
        kind: "text",
        label: "~/.config/zed/settings.json (Windows: %APPDATA%\\Zed\\settings.json)",
        text: `{
  "language_models": {
    "openai_compatible": {
      "Gateway": {
        "api_url": "{origin}/v1",
        "available_models": [
          {
            "name": "auto",
            "display_name": "Auto",
            "max_tokens": {window},
            "max_output_tokens": 32000,
            "capabilities": { "tools": true, "images": true, "parallel_tool_calls": true, "prompt_cache_key": true }
          }
        ]
      }
    }
  }
}`,
      },
      { kind: "environment", variables: [["GATEWAY_API_KEY", "{key}"]], command: "zed" },
    ],
  },
];

/** Chats in a browser. */
export const chatApps: readonly Client[] = [
  {
    id: "open-webui",
    name: "Open WebUI",
    guide: "open-webui",
    steps: [
      {
        kind: "environment",
        variables: [
          ["OPENAI_API_BASE_URL", "{origin}/v1"],
          ["OPENAI_API_KEY", "{key}"],
        ],
        command: "open-webui serve",
      },
    ],
  },
  {
    id: "librechat",
    name: "LibreChat",
    guide: "librechat",
    steps: [
      {
        kind: "text",
        label: "librechat.yaml",
        text: `version: 1.2.1
endpoints:
  custom:
    - name: Gateway
      apiKey: \${GATEWAY_API_KEY}
      baseURL: {origin}/v1
      models:
        default: [auto]
        fetch: true
      titleConvo: true
      titleModel: auto
      modelDisplayLabel: Gateway`,
      },
      { kind: "text", label: ".env", text: `GATEWAY_API_KEY={key}` },
    ],
  },
];
