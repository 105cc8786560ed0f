/** The SDKs that are driven through the gateway. */
import { aiSdk } from "./ai-sdk.ts";
import { anthropic } from "./anthropic.ts";
import { claudeAgent } from "./claude-agent.ts";
import { googleGenai } from "./google-genai.ts";
import { langchain } from "./langchain.ts";
import { llamaindex } from "./llamaindex.ts";
import { openaiAgents } from "./openai-agents.ts";
import { openai } from "./openai.ts";
import type { Sdk } from "./sdk.ts";

export const sdks: readonly Sdk[] = [
  openai,
  anthropic,
  googleGenai,
  aiSdk,
  langchain,
  openaiAgents,
  claudeAgent,
  llamaindex,
];
