/** The Claude Agent SDK, which runs Claude Code. */
import type { Sdk } from "./sdk.ts";

export const claudeAgent: Sdk = {
  id: "claude-agent",
  name: "Claude Agent SDK",
  packages: {
    "@anthropic-ai/claude-agent-sdk": "0.3.330",
    "@anthropic-ai/sdk": "1.12.0",
    "@modelcontextprotocol/sdk": "1.29.0",
    zod: "4.6.7",
  },
  ways: {
    messages: {
      speaks: "messages",
      lacks: ["embed"],
      toolPrefix: "mcp__work__",
      errors: {
        failure: { name: "Error", says: /the lab is on fire/, requests: 2 },
        key: { name: "Error", says: /M003/ },
        // Claude Code's own words for a 404.
        model: { name: "Error", says: /selected model \(nowhere\/no-such-model\)/ },
      },
    },
  },
};
