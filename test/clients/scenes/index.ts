/** Everything that is played with Claude Code and Codex beside their tasks. */
import { autoModes } from "./auto-mode.ts";
import { brokenStream } from "./broken-stream.ts";
import { limits } from "./limits.ts";
import { roles } from "./roles.ts";
import type { Scene } from "./scene.ts";
import { noWebSearch, webSearch } from "./web-search.ts";

export const scenes: readonly Scene[] = [
  webSearch,
  noWebSearch,
  ...autoModes,
  limits,
  ...roles,
  brokenStream,
];
