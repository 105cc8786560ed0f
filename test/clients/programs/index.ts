/** The client programs beside Claude Code and Codex, which have tasks of their own (tasks.ts). */
import { cline } from "./cline.ts";
import { continueCli } from "./continue.ts";
import { copilot } from "./copilot.ts";
import { geminiCli } from "./gemini-cli.ts";
import { opencode } from "./opencode.ts";
import type { Program } from "./program.ts";
import { qwen } from "./qwen.ts";

export const programs: readonly Program[] = [
  opencode,
  geminiCli,
  qwen,
  copilot,
  cline,
  continueCli,
];
