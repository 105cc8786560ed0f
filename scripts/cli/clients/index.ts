/** Every client that `gateway connect` knows. */
import { claudeClient } from "./claude.ts";
import type { ConfigurableClient } from "./client.ts";
import { clineClient } from "./cline.ts";
import { codexClient } from "./codex.ts";
import { continueClient } from "./continue.ts";
import { copilotClient } from "./copilot.ts";
import { geminiClient } from "./gemini.ts";
import { opencodeClient } from "./opencode.ts";
import { piClient } from "./pi.ts";
import { qwenClient } from "./qwen.ts";

/** Those whose configuration it writes. */
export const configurableClients: readonly ConfigurableClient[] = [
  claudeClient,
  codexClient,
  geminiClient,
  opencodeClient,
  qwenClient,
  clineClient,
  continueClient,
  copilotClient,
  piClient,
];

/** A client whose settings are its own window's, or another program's file: they are told, not written. */
export interface ToldClient {
  readonly id: string;
  readonly name: string;
  readonly guide: string;
}

export const toldClients: readonly ToldClient[] = [
  { id: "cursor", name: "Cursor", guide: "clients/cursor" },
  { id: "zed", name: "Zed", guide: "clients/zed" },
  { id: "aider", name: "aider", guide: "clients/aider" },
  { id: "open-webui", name: "Open WebUI", guide: "clients/open-webui" },
  { id: "librechat", name: "LibreChat", guide: "clients/librechat" },
  { id: "vs-code", name: "VS Code", guide: "clients/vs-code" },
];
