/** The document that a new workspace starts with. */
import type { Config } from "./config.ts";
import type { Mode } from "./env.ts";

/** One harness whose aliases take the names that Claude Code and Codex ask for; self-hosted also the demo provider. */
export function firstDocument(mode: Mode): Config {
  return {
    timezone: "UTC",
    providers: mode === "cloud" ? [] : [{ id: "demo", kind: "demo" }],
    harnesses: [
      { id: "default", name: "Default", aliases: { "claude-*": "auto", "gpt-*": "auto" } },
    ],
  };
}
