/** The document that a new workspace starts with. */
import type { Config } from "./config.ts";
import type { Mode } from "./env.ts";

/** Names that Claude Code, Codex and Gemini CLI ask for by themselves: a new harness's aliases. */
export const clientAliases: Readonly<Record<string, string>> = {
  "claude-*": "auto",
  "gpt-*": "auto",
  "gemini-*": "auto",
};

/** One harness whose aliases take the names that coding tools ask for; self-hosted also the demo provider. */
export function firstDocument(mode: Mode): Config {
  return {
    timezone: "UTC",
    providers: mode === "cloud" ? [] : [{ id: "demo", kind: "demo" }],
    harnesses: [{ id: "default", name: "Default", aliases: { ...clientAliases } }],
  };
}
